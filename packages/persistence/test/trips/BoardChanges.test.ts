import { assert, layer } from "@effect/vitest"
import { type BoardQuery, type BusinessId, DispatchBoardRepository, DriverId } from "@livery/domain"
import { DateTime, Effect, Fiber, Latch } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const wholeDay: BoardQuery = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }) }

/** Four new trips of a new business, an hour after each other, in one group and with one driver. */
const newTrips = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const business = yield* newBusiness()
  const trips = yield* sql<{ trip_id: number }>`
    INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
      pickup_address, dropoff_address, customer_name, currency, group_id, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, 'confirmed', 'assigned', 'unpaid', 'transfer',
      ${DateTime.toDateUtc(at("12:00:00"))}::timestamptz + n * interval '1 hour', 'a', 'b', 'c', 'USD', 'wedding', now(), now()
    FROM generate_series(1, 4) n RETURNING trip_id`
  const [driver] = yield* sql<{ driver_id: number }>`
    INSERT INTO drivers (business_id, name, phone, created_at, updated_at)
    VALUES (${business}, 'Dana', '+41790000000', now(), now()) RETURNING driver_id`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, ${driver?.driver_id}, 'assigned', trip_date, trip_date + interval '30 minutes', now()
    FROM trips WHERE business_id = ${business}`
  return {
    business,
    driverId: DriverId.make(driver?.driver_id ?? 0),
    ids: trips.map(({ trip_id }) => trip_id)
  }
})

/** The trips of a board that finds their ids before a change, and reads their rows after it. */
const readDuring = Effect.fnUntraced(function* (
  business: BusinessId,
  query: BoardQuery,
  change: Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>
) {
  const sql = yield* SqlClient.SqlClient
  const board = yield* DispatchBoardRepository
  const [changed, finished] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  // Of the two statements of a board, only the second reads milestones. So it waits for this transaction.
  const changing = yield* sql`LOCK TABLE assignment_milestones IN ACCESS EXCLUSIVE MODE`.pipe(
    Effect.andThen(change),
    Effect.andThen(changed.open),
    Effect.andThen(finished.await),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Effect.raceFirst(changed.await, Fiber.join(changing))
  const reading = yield* Effect.forkChild(board.jobs(business, query, { page: 1, perPage: 20 }))
  yield* Effect.repeat(
    sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    { until: (rows) => rows.length > 0, times: 5000 }
  )
  assert.isUndefined(reading.pollUnsafe())
  yield* finished.open
  yield* Fiber.join(changing)
  const { items } = yield* Fiber.join(reading)
  return items.map(({ trip }): number => trip.trip_id)
})

layer(TestPersistence, { excludeTestServices: true })("a board that is read while trips change", (it) => {
  it.effect(
    "does not show a trip that is deleted, cancelled or moved to another day after its id was found",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { business, ids } = yield* newTrips
        const [kept, deleted, cancelled, moved] = ids
        const change = sql`
          UPDATE trips SET
            deleted_at = CASE WHEN trip_id = ${deleted} THEN now() END,
            status = CASE WHEN trip_id = ${cancelled} THEN 'cancelled' ELSE status END,
            trip_date = CASE WHEN trip_id = ${moved} THEN trip_date + interval '3 days' ELSE trip_date END
          WHERE business_id = ${business} AND trip_id <> ${kept}`
        assert.deepStrictEqual(yield* readDuring(business, wholeDay, change), [kept])
      })
  )

  it.effect("of one driver does not show a trip that the driver left after its id was found", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { business, driverId, ids } = yield* newTrips
      const [left, ...kept] = ids
      const change = sql`
        UPDATE assignments SET status = 'cancelled' WHERE business_id = ${business} AND trip_id = ${left}`
      assert.deepStrictEqual(yield* readDuring(business, { ...wholeDay, driverId }, change), kept)
    })
  )

  it.effect("of one group does not show a trip that left the group after its id was found", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { business, ids } = yield* newTrips
      const [left, ...kept] = ids
      const change = sql`
        UPDATE trips SET group_id = NULL WHERE business_id = ${business} AND trip_id = ${left}`
      assert.deepStrictEqual(yield* readDuring(business, { ...wholeDay, groupId: "wedding" }, change), kept)
    })
  )
})
