import { assert, layer } from "@effect/vitest"
import { type BusinessId, FreeDriverRepository, type FreeDriversSearch, maxCount } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertBounded } from "../sql/ListPlans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const rows = maxCount + 2000
const rare = 10
const page = { page: 1, perPage: 20 }
const window = { starts: at("10:00:00"), ends: at("11:00:00") }
const search = (change: Partial<FreeDriversSearch>): FreeDriversSearch => ({
  window,
  vehicleClass: null,
  near: null,
  ...change
})

/** Drivers with a car each, the last `rare` with a van; each had three jobs on earlier days, which ended at places of a grid. */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const numbers = sql`generate_series(1, ${rows}::int) n`
  yield* sql`
    INSERT INTO cars (business_id, name, vehicle_class, created_at, updated_at)
    SELECT ${business}, n::text, CASE WHEN n > ${rows - rare} THEN 'van' ELSE 'sedan' END, now(), now() FROM ${numbers}`
  yield* sql`
    INSERT INTO drivers (business_id, name, default_car_id, created_at, updated_at)
    SELECT ${business}, lpad(name, 6, '0'), car_id, now(), now() FROM cars WHERE business_id = ${business} ORDER BY random()`
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, dropoff_lat, dropoff_lng, customer_name, currency, created_at, updated_at)
    SELECT ${business}, driver_id || '-' || n, 'completed', 'unpaid', 'transfer', '2026-11-20 08:00:00Z'::timestamptz - n * interval '1 day',
      'a', 'b', 47 + ((name::int + n * 7) % 113) / 113.0, 8 + ((name::int + n * 13) % 127) / 127.0, 'c', 'USD', now(), now()
    FROM drivers, generate_series(1, 3) n WHERE business_id = ${business}`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, split_part(reference, '-', 1)::bigint, 'completed', trip_date,
      trip_date + interval '1 hour', now()
    FROM trips WHERE business_id = ${business}`
})

layer(TestPersistence)("the free drivers of a large business", (it) => {
  it.effect("are looked up by the place or by the class of their car until they fill the page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      yield* populate(business)
      yield* populate(yield* newBusiness())
      for (const table of ["cars", "drivers", "trips", "assignments"])
        yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
      const { list } = yield* FreeDriverRepository
      const near = { lat: 47.4, lng: 8.5 }
      const found = (change: Partial<FreeDriversSearch>) => list(business, search(change), page)
      yield* assertBounded([
        ["of a common class", found({ vehicleClass: "sedan" }), 20, 12_000, 25_000],
        ["of a rare class", found({ vehicleClass: "van" }), rare, 12_000, 25_000],
        ["near a place", found({ near }), 20, 25_000, 50_000],
        ["of a common class, near a place", found({ near, vehicleClass: "sedan" }), 20, 25_000, 50_000]
      ])
      const distances = (yield* found({ near })).items.map(({ previous_job }) =>
        Math.hypot((previous_job?.lat ?? 0) - near.lat, ((previous_job?.lng ?? 0) - near.lng) * 0.68)
      )
      assert.isBelow(Math.max(...distances), 0.05)
    })
  )
})
