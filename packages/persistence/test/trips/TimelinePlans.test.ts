import { maxCount, TimelineRepository, TripId } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { newTrip } from "../fleet/Roster.ts"
import { assertBounded } from "../sql/ListPlans.ts"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

layer(TestPersistence)("the timeline of a trip", (it) => {
  it.effect("is not counted and planned each time beyond 10,000 entries", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const timelines = yield* TimelineRepository
      const business = yield* newBusiness()
      const trip = TripId.make(yield* newTrip(business))
      const change = (count: number) => sql`
        INSERT INTO trip_changes (business_id, trip_id, at, actor, change, before, after)
        SELECT ${business}, ${trip}, now(), 'user:1', 'updated', '{"notes": null}', '{"notes": "x"}'
        FROM generate_series(1, ${count}::int) n`
      const read = (page: number) =>
        Effect.map(timelines.list(business, trip, { page, perPage: 20 }), Option.getOrThrow)
      yield* change(30)
      const { hasMore, items, total } = yield* read(2)
      assert.deepStrictEqual([items.length, total, hasMore], [10, 30, false])
      yield* change(maxCount)
      yield* sql`VACUUM ANALYZE trip_changes`.unprepared
      assert.strictEqual((yield* read(1)).total, undefined)
      yield* assertBounded([["the first entries", read(1), 20, 1300, 150]])
      const afterLast = yield* read(maxCount)
      assert.deepStrictEqual([afterLast.items, afterLast.total, afterLast.hasMore], [[], undefined, false])
    })
  )
})
