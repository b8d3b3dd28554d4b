import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { alone, emit, newBusiness, prepared } from "./Scenario.ts"

describe("listing", () => {
  it.live("has pages, newest first, with the total", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint } = yield* prepared
      yield* emit(business, 7)
      const page = (number: number) =>
        deliveries.list(business, endpoint.endpoint_id, undefined, { page: number, perPage: 3 })
      const pages = [yield* page(1), yield* page(2), yield* page(3), yield* page(4)]
      const ids = pages.flatMap(({ items }) => items.map(({ delivery_id }) => delivery_id))
      assert.deepStrictEqual(
        ids,
        [...ids].sort((a, b) => b - a)
      )
      assert.deepStrictEqual(
        pages.map(({ hasMore, items, total }) => [items.length, hasMore, total]),
        [
          [3, true, 7],
          [3, true, 7],
          [1, false, 7],
          [0, false, 7]
        ]
      )
    }).pipe(alone)
  )

  it.live("counts up to 1,000", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint } = yield* prepared
      yield* emit(business)
      const sql = yield* SqlClient.SqlClient
      const more = (count: number) => sql`
        INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
        SELECT business_id, endpoint_id, event_id, event_type FROM webhook_deliveries d, generate_series(1, ${count}::int)
        WHERE d.delivery_id = (SELECT min(delivery_id) FROM webhook_deliveries)`
      const total = Effect.map(
        deliveries.list(business, endpoint.endpoint_id, undefined, { page: 1, perPage: 1 }),
        (page) => page.total
      )
      yield* more(999)
      assert.strictEqual(yield* total, 1000)
      yield* more(1)
      assert.strictEqual(yield* total, undefined)
    }).pipe(alone)
  )

  it.live("shows nothing of another business's endpoint", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint } = yield* prepared
      yield* emit(business)
      const stranger = yield* newBusiness
      assert.deepStrictEqual(
        yield* deliveries.list(stranger, endpoint.endpoint_id, undefined, { page: 1, perPage: 10 }),
        {
          items: [],
          total: 0,
          hasMore: false
        }
      )
    }).pipe(alone)
  )
})
