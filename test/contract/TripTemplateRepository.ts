/** The contract of `TripTemplateRepository`. */
import { maxTripTemplates, Transaction, TripTemplateId, TripTemplateRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, now } from "./Given.ts"

const trip = { pickup_address: "Airport", stops: [{ address: "Bar", lat: 47.1 }], total_amount: 12.5 }

export const tripTemplateRepository = contract("a template of trips", (it) => {
  it.effect("is listed by name, found, changed in part and deleted for its business alone", () =>
    Effect.gen(function* () {
      const templates = yield* TripTemplateRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const later = DateTime.add(now, { seconds: 1 })
      const add = (name: string) =>
        Effect.map(templates.insert(business, { name, trip }, now), Option.getOrThrow)
      const [b, a, upper] = [yield* add("b"), yield* add("a"), yield* add("B")]
      assert.deepStrictEqual(a, {
        template_id: a.template_id,
        name: "a",
        trip,
        created_at: now,
        updated_at: now
      })
      const list = templates.list(business, { page: 1, perPage: 2 })
      assert.deepStrictEqual(yield* list, { items: [upper, a], total: 3, hasMore: true })
      assert.deepStrictEqual(yield* templates.find(business, b.template_id), Option.some(b))
      const renamed = { ...b, name: "0", updated_at: later }
      assert.deepStrictEqual(yield* templates.update(business, b.template_id, { name: "0" }, later), renamed)
      assert.deepStrictEqual(yield* templates.update(business, b.template_id, { trip: {} }, later), {
        ...renamed,
        trip: {}
      })
      for (const read of [templates.find, templates.lock]) {
        assert.deepStrictEqual(yield* read(business, a.template_id), Option.some(a))
        assert.isTrue(Option.isNone(yield* read(other, a.template_id)))
        assert.isTrue(Option.isNone(yield* read(business, TripTemplateId.make(999_999))))
      }
      yield* templates.remove(other, a.template_id)
      yield* templates.remove(business, upper.template_id)
      assert.deepStrictEqual((yield* list).items, [{ ...renamed, trip: {} }, a])
    })
  )

  it.effect("is refused beyond 200 of a business, also for concurrent requests", () =>
    Effect.gen(function* () {
      const templates = yield* TripTemplateRepository
      const transaction = yield* Transaction
      const business = yield* newBusiness
      const add = transaction.run(templates.insert(business, { name: "one", trip }, now))
      for (let count = 0; count < maxTripTemplates - 2; count++) yield* add
      const last = yield* Effect.all([add, add, add, add], { concurrency: 4 })
      assert.strictEqual(last.filter(Option.isSome).length, 2)
    })
  )
})
