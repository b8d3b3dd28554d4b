import { type BusinessId, FreeDriverRepository, maxCount } from "@livery/domain"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertBounded } from "../sql/ListPlans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const rows = maxCount + 2000
const page = { page: 1, perPage: 20 }
const search = { window: { starts: at("10:00:00"), ends: at("11:00:00") }, vehicleClass: null, near: null }

/** Many drivers, of whom the first has all jobs and all absences. PostgreSQL then expects that of each of them. */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO drivers (business_id, name, phone, created_at, updated_at)
    SELECT ${business}, lpad(n::text, 6, '0'), repeat('1', 1500), now(), now() FROM generate_series(1, ${rows}::int) n ORDER BY random()`
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, 'confirmed', 'unpaid', 'transfer', '2026-11-20 10:00:00Z'::timestamptz - n * interval '2 hours',
      'a', 'b', 'c', 'USD', now(), now()
    FROM generate_series(1, ${rows}::int) n`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, (SELECT min(driver_id) FROM drivers WHERE business_id = ${business}), 'assigned', trip_date,
      trip_date + interval '1 hour', now()
    FROM trips WHERE business_id = ${business}`
  yield* sql`
    INSERT INTO driver_absences (business_id, driver_id, kind, starts_at, ends_at, created_at)
    SELECT ${business}, (SELECT min(driver_id) FROM drivers WHERE business_id = ${business}), 'vacation',
      '2026-10-20Z'::timestamptz - n * interval '1 day', '2026-10-20 12:00:00Z'::timestamptz - n * interval '1 day', now()
    FROM generate_series(1, ${rows}::int) n`
})

layer(TestPersistence)("the free drivers of a business in which one driver has all jobs", (it) => {
  it.effect("are looked up one by one until they fill the page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      yield* populate(business)
      for (const table of ["drivers", "trips", "assignments", "driver_absences"])
        yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
      const { list } = yield* FreeDriverRepository
      yield* assertBounded([["free drivers", list(business, search, page), 20, 12_000, 25_000]])
    })
  )
})
