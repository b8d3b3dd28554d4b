/** The contract of `TariffRepository`. */
import { Currency, Tariff, TariffRepository, Transaction } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, atOnce, contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"

const content = (name: string, currency = "EUR") =>
  Tariff.make({ name, currency: Currency.make(currency), distance_unit: "km", classes: [] })

export const tariffRepository = contract("a tariff", (it) => {
  it.effect("is returned as stored, to its own business alone, with every version of its content", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const stored = yield* tariffs.insert(business, content("One"), now)
      const { tariff_id } = stored
      assert.deepInclude(stored, {
        business_id: business,
        version: 1,
        content: content("One"),
        created_at: now
      })
      const later = at("10:00:00")
      const changed = yield* tariffs.update(business, tariff_id, content("Two", "JPY"), later)
      assert.deepStrictEqual(changed, {
        ...stored,
        version: 2,
        content: content("Two", "JPY"),
        updated_at: later
      })
      for (const read of [tariffs.find, tariffs.lock]) {
        assert.deepStrictEqual(yield* read(business, tariff_id), Option.some(changed))
        assert.deepStrictEqual(yield* read(other, tariff_id), Option.none())
      }
      const contentOf = (of: typeof business, version: number) => tariffs.content(of, { tariff_id, version })
      assert.deepStrictEqual(yield* contentOf(business, 1), Option.some(content("One")))
      assert.deepStrictEqual(yield* contentOf(business, 2), Option.some(content("Two", "JPY")))
      assert.deepStrictEqual(yield* contentOf(business, 3), Option.none())
      assert.deepStrictEqual(yield* contentOf(other, 1), Option.none())
      yield* tariffs.remove(business, tariff_id, later)
      assert.deepStrictEqual(yield* tariffs.find(business, tariff_id), Option.none())
      assert.deepStrictEqual(yield* tariffs.latest(business, tariff_id), Option.none())
      assert.deepStrictEqual(yield* contentOf(business, 1), Option.some(content("One")))
    })
  )

  it.effect("is listed by id; the one with the smallest id is the latest of no id", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const business = yield* newBusiness
      assert.deepStrictEqual(yield* tariffs.latest(business, null), Option.none())
      const [one, two] = [
        yield* tariffs.insert(business, content("One"), now),
        yield* tariffs.insert(business, content("Two"), now)
      ]
      yield* tariffs.update(business, two.tariff_id, content("Three"), now)
      const { items, total } = yield* tariffs.list(business, wholeList)
      assert.deepStrictEqual(
        items.map(({ name, tariff_id, version }) => [tariff_id, name, version]),
        [
          [one.tariff_id, "One", 1],
          [two.tariff_id, "Three", 2]
        ]
      )
      assert.strictEqual(total, 2)
      const latest = (id: typeof one.tariff_id | null) =>
        Effect.map(tariffs.latest(business, id), Option.getOrThrow)
      assert.deepStrictEqual(yield* latest(null), { tariff_id: one.tariff_id, version: 1 })
      assert.deepStrictEqual(yield* latest(two.tariff_id), { tariff_id: two.tariff_id, version: 2 })
    })
  )

  it.effect("that is locked is changed by one transaction at a time, each from the version before", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const { tariff_id } = yield* tariffs.insert(business, content("0"), now)
      yield* atOnce(6, () =>
        transaction.run(
          Effect.gen(function* () {
            const locked = Option.getOrThrow(yield* tariffs.lock(business, tariff_id))
            yield* tariffs.update(business, tariff_id, content(String(Number(locked.content.name) + 1)), now)
          })
        )
      )
      const last = Option.getOrThrow(yield* tariffs.find(business, tariff_id))
      assert.deepStrictEqual([last.content.name, last.version], ["6", 7])
    })
  )
})
