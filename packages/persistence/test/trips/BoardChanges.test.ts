import { assert, layer } from "@effect/vitest"
import { type BoardQuery, DispatchBoardRepository } from "@livery/domain"
import { DateTime, Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const wholeDay: BoardQuery = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }) }

layer(TestPersistence, { excludeTestServices: true })("a board that is read while trips change", (it) => {
  it.effect(
    "does not show a trip that is deleted, cancelled or moved to another day after its id was found",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const board = yield* DispatchBoardRepository
        const business = yield* newBusiness()
        const trips = yield* sql<{ trip_id: number }>`
        INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
          pickup_address, dropoff_address, customer_name, currency, created_at, updated_at)
        SELECT ${business}, 'TR-' || n, 'confirmed', 'unassigned', 'unpaid', 'transfer',
          ${DateTime.toDateUtc(at("12:00:00"))}::timestamptz + n * interval '1 minute', 'a', 'b', 'c', 'USD', now(), now()
        FROM generate_series(1, 4) n RETURNING trip_id`
        const [kept, deleted, cancelled, moved] = trips.map(({ trip_id }) => trip_id)
        const [changed, finished] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
        // Of the two statements of a board, only the second reads milestones. So it waits for this transaction.
        const change = yield* sql`LOCK TABLE assignment_milestones IN ACCESS EXCLUSIVE MODE`.pipe(
          Effect.andThen(
            sql`
            UPDATE trips SET
              deleted_at = CASE WHEN trip_id = ${deleted} THEN now() END,
              status = CASE WHEN trip_id = ${cancelled} THEN 'cancelled' ELSE status END,
              trip_date = CASE WHEN trip_id = ${moved} THEN trip_date + interval '3 days' ELSE trip_date END
            WHERE business_id = ${business} AND trip_id <> ${kept}`
          ),
          Effect.andThen(changed.open),
          Effect.andThen(finished.await),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* changed.await
        const reading = yield* Effect.forkChild(board.jobs(business, wholeDay, { page: 1, perPage: 20 }))
        yield* Effect.repeat(
          sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          { until: (rows) => rows.length > 0, times: 5000 }
        )
        assert.isUndefined(reading.pollUnsafe())
        yield* finished.open
        yield* Fiber.join(change)
        const { items } = yield* Fiber.join(reading)
        assert.deepStrictEqual<unknown>(
          items.map(({ trip }) => trip.trip_id),
          [kept]
        )
      })
  )
})
