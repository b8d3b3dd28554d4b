import {
  type BoardQuery,
  CustomerId,
  DispatchBoardRepository,
  isAtBoardTime,
  TripStatus
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { newCustomer } from "../fleet/Roster.ts"
import { rowsAs } from "../../src/sql/rows/Rows.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const now = at("12:00:00")
const today: BoardQuery = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }) }

const storedTrips = rowsAs(
  Schema.Struct({
    trip_id: Schema.Int,
    customer_id: Schema.NullOr(Schema.Int),
    status: TripStatus,
    trip_date: Schema.DateTimeUtcFromDate,
    duration_minutes: Schema.NullOr(Schema.Int),
    is_deleted: Schema.Boolean
  })
)

layer(TestPersistence)("the board of a customer", (it) => {
  it.effect.each([
    ["few trips", 30],
    ["many trips", 800]
  ] as const)("with %s has the jobs of the day, those under way and the overdue ones", ([, count]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const boards = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      const [customer, other] = [yield* newCustomer(business), yield* newCustomer(business)]
      // A trip every two hours around now, with all statuses; each fifth is of another customer, some are long or deleted.
      yield* sql`
        INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, duration_minutes, customer_id,
          pickup_address, dropoff_address, customer_name, currency, created_at, updated_at, deleted_at)
        SELECT ${business}, 'TR-' || n, (${TripStatus.literals}::text[])[1 + n % ${TripStatus.literals.length}::int], 'unpaid',
          'transfer', ${DateTime.toDateUtc(now)}::timestamptz + (n - ${count}::int / 2) * interval '2 hours',
          CASE WHEN n % 7 = 0 THEN 3000 WHEN n % 7 = 1 THEN NULL ELSE 60 END,
          CASE WHEN n % 5 = 0 AND n > 4 THEN ${other}::bigint ELSE ${customer}::bigint END, 'a', 'b', 'c', 'USD', now(), now(),
          CASE WHEN n % 11 = 0 THEN now() END
        FROM generate_series(1, ${count}::int * 5 / 4) n`
      const stored = yield* storedTrips(sql`
        SELECT trip_id, customer_id, status, trip_date, duration_minutes, deleted_at IS NOT NULL AS is_deleted
        FROM trips WHERE business_id = ${business} ORDER BY trip_date, trip_id`)
      for (const query of [
        { ...today, now },
        { ...today, now, status: "in_progress" as const },
        { ...today, now, status: "pending" as const },
        { ...today, now, status: "cancelled" as const },
        { ...today, now, tripType: "transfer" as const },
        today
      ]) {
        const expected = stored.filter(
          (trip) =>
            trip.customer_id === customer &&
            !trip.is_deleted &&
            (query.status === undefined ? trip.status !== "cancelled" : trip.status === query.status) &&
            isAtBoardTime(trip, query)
        )
        const perPage = 20
        const listed: Array<number> = []
        for (
          let page = 1;
          listed.length < (page - 1) * perPage + 1 && page <= 1 + expected.length / perPage;
          page++
        ) {
          const jobs = yield* boards.jobs(
            business,
            { ...query, customerId: CustomerId.make(customer) },
            { page, perPage }
          )
          assert.strictEqual(jobs.total, expected.length)
          listed.push(...jobs.items.map(({ trip }) => trip.trip_id))
        }
        assert.deepStrictEqual(
          listed,
          expected.map(({ trip_id }) => trip_id)
        )
      }
    })
  )
})
