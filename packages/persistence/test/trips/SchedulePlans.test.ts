import { type BusinessId, type DriverId, ScheduleRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newDriver } from "../fleet/Roster.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { handled, stepsOf } from "./Plans.ts"

/** Thirty drivers with a job every hour of sixty days, and with an absence on each day of two years. */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const drivers: Array<DriverId> = []
  for (let driver = 0; driver < 30; driver++) drivers.push(yield* newDriver(business))
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || driver || '-' || n, 'confirmed', 'unpaid', 'transfer',
      '2026-11-20 10:00:00Z'::timestamptz + (n - 720) * interval '1 hour', 'a', 'b', driver::text, 'USD', now(), now()
    FROM unnest(${drivers}::bigint[]) driver, generate_series(1, 1440) n`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, customer_name::bigint, 'assigned', trip_date, trip_date + interval '30 minutes', now()
    FROM trips WHERE business_id = ${business}`
  yield* sql`
    INSERT INTO driver_absences (business_id, driver_id, kind, starts_at, ends_at, created_at)
    SELECT ${business}, driver, 'off_shift', '2026-11-20 20:00:00Z'::timestamptz + (n - 365) * interval '1 day',
      '2026-11-21 04:00:00Z'::timestamptz + (n - 365) * interval '1 day', now()
    FROM unnest(${drivers}::bigint[]) driver, generate_series(1, 730) n`
  for (const table of ["trips", "assignments", "driver_absences"])
    yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
  return drivers
})

layer(TestPersistence)("the schedule of a driver with a job each hour and an absence each day", (it) => {
  it.effect("is read from a day before a trip, and not from the longest trip or absence before it", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness()
      const [driver] = yield* populate(business)
      const schedules = yield* ScheduleRepository
      const nearby = schedules.nearby(business, {
        tripId: null,
        driverIds: driver === undefined ? [] : [driver],
        carIds: [],
        window: { starts: at("10:00:00"), ends: at("11:00:00") }
      })
      const found = yield* nearby
      // 49 hours, and the shifts of three days.
      assert.isAbove(found.length, 48)
      for (const planned of ["force_custom_plan", "force_generic_plan"] as const)
        assert.isAtMost(handled(yield* stepsOf(nearby, planned)), 4 * found.length, planned)
    })
  )
})
