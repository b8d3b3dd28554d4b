/** The contract of `TariffRepository`. */
import {
  Currency,
  CustomerInput,
  CustomerRepository,
  Tariff,
  TariffRepository,
  Transaction
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { type DateTime, Effect, Option } from "effect"
import { at, atOnce, contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"

const content = (name: string, currency = "EUR") =>
  Tariff.make({ name, currency: Currency.make(currency), distance_unit: "km", classes: [] })

/** A version of that content, which holds from an instant on. */
const versionOf = (name: string, currency?: string, valid_from: DateTime.Utc | null = null) => ({
  content: content(name, currency),
  valid_from
})

export const tariffRepository = contract("a tariff", (it) => {
  it.effect("is returned as stored, to its own business alone, with every version of its content", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const stored = yield* tariffs.insert(business, versionOf("One"), now)
      const { tariff_id } = stored
      assert.deepInclude(stored, {
        business_id: business,
        version: 1,
        valid_from: null,
        content: content("One"),
        created_at: now
      })
      const later = at("10:00:00")
      const changed = yield* tariffs.update(business, tariff_id, versionOf("Two", "JPY"), later)
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
      assert.deepStrictEqual(yield* tariffs.holding(business, tariff_id, later), Option.none())
      assert.deepStrictEqual(yield* contentOf(business, 1), Option.some(content("One")))
    })
  )

  it.effect("is listed by id; the one with the smallest id holds if none is named", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const business = yield* newBusiness
      assert.deepStrictEqual(yield* tariffs.holding(business, null, now), Option.none())
      const [one, two] = [
        yield* tariffs.insert(business, versionOf("One"), now),
        yield* tariffs.insert(business, versionOf("Two"), now)
      ]
      yield* tariffs.update(business, two.tariff_id, versionOf("Three"), now)
      const { items, total } = yield* tariffs.list(business, wholeList)
      assert.deepStrictEqual(
        items.map(({ name, tariff_id, version }) => [tariff_id, name, version]),
        [
          [one.tariff_id, "One", 1],
          [two.tariff_id, "Three", 2]
        ]
      )
      assert.strictEqual(total, 2)
      const holding = (id: typeof one.tariff_id | null) =>
        Effect.map(tariffs.holding(business, id, now), Option.getOrThrow)
      assert.deepStrictEqual(yield* holding(null), { tariff_id: one.tariff_id, version: 1, latest: 1 })
      assert.deepStrictEqual(yield* holding(two.tariff_id), {
        tariff_id: two.tariff_id,
        version: 2,
        latest: 2
      })
    })
  )

  it.effect(
    "prices a pickup by the version with the latest beginning that is not after it, of equal ones the later",
    () =>
      Effect.gen(function* () {
        const tariffs = yield* TariffRepository
        const [business, other] = [yield* newBusiness, yield* newBusiness]
        const { tariff_id } = yield* tariffs.insert(business, versionOf("1"), now)
        const store = (name: string, from: DateTime.Utc | null) =>
          tariffs.update(business, tariff_id, versionOf(name, "EUR", from), now)
        yield* store("2", at("12:00:00"))
        yield* store("3", null)
        yield* store("4", at("12:00:00"))
        yield* store("5", at("14:00:00"))
        const held = (time: string, upTo?: number) =>
          Effect.map(tariffs.holding(business, tariff_id, at(time), upTo), (found) =>
            Option.getOrNull(Option.map(found, ({ latest, version }) => [version, latest]))
          )
        assert.deepStrictEqual(yield* held("11:59:59"), [3, 5])
        assert.deepStrictEqual(yield* held("12:00:00"), [4, 5])
        assert.deepStrictEqual(yield* held("14:00:00"), [5, 5])
        assert.deepStrictEqual(yield* held("14:00:00", 3), [2, 5])
        assert.deepStrictEqual(yield* tariffs.holding(other, tariff_id, now), Option.none())
        // Without a version that holds, a tariff prices nothing, and the next one does.
        const later = yield* tariffs.insert(other, versionOf("Later", "EUR", at("12:00:00")), now)
        const always = yield* tariffs.insert(other, versionOf("Always"), now)
        const named = (time: string) =>
          Effect.map(tariffs.holding(other, null, at(time)), (found) => Option.getOrThrow(found).tariff_id)
        assert.deepStrictEqual(
          [yield* named("11:00:00"), yield* named("13:00:00")],
          [always.tariff_id, later.tariff_id]
        )
      })
  )

  it.effect("has all of its versions, also once it is deleted, for its own business alone", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const { tariff_id } = yield* tariffs.insert(business, versionOf("One"), now)
      const [from, later] = [at("12:00:00"), at("13:00:00")]
      yield* tariffs.update(business, tariff_id, versionOf("Two", "JPY", from), later)
      yield* tariffs.remove(business, tariff_id, later)
      const { items, total } = yield* tariffs.versions(business, tariff_id, wholeList)
      assert.deepStrictEqual<unknown>(
        [total, items],
        [
          2,
          [
            { version: 2, name: "Two", currency: "JPY", valid_from: from, created_at: later },
            { version: 1, name: "One", currency: "EUR", valid_from: null, created_at: now }
          ]
        ]
      )
      assert.strictEqual((yield* tariffs.versions(other, tariff_id, wholeList)).total, 0)
      const read = (of: typeof business, version: number) => tariffs.version(of, { tariff_id, version })
      assert.deepStrictEqual(
        yield* read(business, 2),
        Option.some({
          tariff_id,
          business_id: business,
          version: 2,
          valid_from: from,
          content: content("Two", "JPY"),
          created_at: now,
          updated_at: later
        })
      )
      assert.deepInclude(Option.getOrThrow(yield* read(business, 1)), { version: 1, updated_at: now })
      assert.deepStrictEqual(
        [yield* read(business, 3), yield* read(other, 1)],
        [Option.none(), Option.none()]
      )
    })
  )

  it.effect("of a customer is the one that the customer's record names", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const customers = yield* CustomerRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const { tariff_id } = yield* tariffs.insert(business, versionOf("One"), now)
      const input = { name: "Ada", tariff_id }
      const { customer_id } = yield* customers.insert(business, CustomerInput.make(input), now)
      const without = yield* customers.insert(business, CustomerInput.make({ name: "Bob" }), now)
      assert.deepStrictEqual(yield* tariffs.ofCustomer(business, customer_id), Option.some(tariff_id))
      assert.deepStrictEqual(yield* tariffs.ofCustomer(business, without.customer_id), Option.some(null))
      assert.deepStrictEqual(yield* tariffs.ofCustomer(other, customer_id), Option.none())
      assert.deepStrictEqual(
        [yield* customers.hasTariff(business, tariff_id), yield* customers.hasTariff(other, tariff_id)],
        [true, false]
      )
      yield* tariffs.remove(business, tariff_id, now)
      assert.isFalse(yield* customers.hasTariff(business, tariff_id))
    })
  )

  it.effect("that is locked is changed by one transaction at a time, each from the version before", () =>
    Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const { tariff_id } = yield* tariffs.insert(business, versionOf("0"), now)
      yield* atOnce(6, () =>
        transaction.run(
          Effect.gen(function* () {
            const locked = Option.getOrThrow(yield* tariffs.lock(business, tariff_id))
            yield* tariffs.update(
              business,
              tariff_id,
              versionOf(String(Number(locked.content.name) + 1)),
              now
            )
          })
        )
      )
      const last = Option.getOrThrow(yield* tariffs.find(business, tariff_id))
      assert.deepStrictEqual([last.content.name, last.version], ["6", 7])
    })
  )
})
