import {
  AssignmentRepository,
  type BusinessId,
  type DriverId,
  DriverPayRepository,
  DriverRepository,
  DriverTripRepository,
  TripId
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { flat, handled, pagesRead, plansOf } from "../trips/Plans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { newDriver } from "./StoredJobs.ts"

const noon = at("12:00:00")

/**
 * A driver with a job every hour of two years, the past ones completed, in a business whose 40,000 other drivers have one
 * job each: PostgreSQL then expects one job of each driver.
 */
const populate = Effect.fnUntraced(function* (business: BusinessId, driver: DriverId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, CASE WHEN n > 8760 THEN 'confirmed' ELSE 'completed' END, 'unpaid', 'transfer',
      ${DateTime.toDateUtc(noon)}::timestamptz + (n - 8760) * interval '1 hour', 'a', 'b', 'c', 'USD', now(), now()
    FROM generate_series(1, 17520) n ORDER BY n`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at, completed_at)
    SELECT business_id, trip_id, ${driver}, CASE WHEN status = 'completed' THEN status ELSE 'assigned' END, trip_date,
      trip_date + interval '30 minutes', now(), CASE WHEN status = 'completed' THEN trip_date END
    FROM trips WHERE business_id = ${business}`
  yield* sql`
    INSERT INTO drivers (business_id, name, created_at, updated_at)
    SELECT ${business}, 'Other ' || n, now(), now() FROM generate_series(1, 40000) n`
  yield* sql`
    WITH first AS (SELECT min(trip_id) AS trip_id FROM trips WHERE business_id = ${business})
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT t.business_id, t.trip_id, d.driver_id, 'completed', t.trip_date, t.trip_date + interval '30 minutes', now()
    FROM first, drivers d JOIN trips t ON t.business_id = ${business}
      AND t.trip_id = (SELECT trip_id FROM first) + substr(d.name, 7)::int % 8000
    WHERE d.business_id = ${business} AND d.driver_id <> ${driver}`
  for (const table of ["trips", "assignments", "drivers"])
    yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
})

const newHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const business = yield* newBusiness()
  const driver = yield* newDriver(business)
  yield* populate(business, driver)
  const [row] = yield* sql<{ trip_id: number }>`
    SELECT max(trip_id) AS trip_id FROM trips WHERE business_id = ${business} AND status = 'completed'`
  return { business, driver, lastTrip: TripId.make(row?.trip_id ?? 0) }
})

layer(TestPersistence, { timeout: 60_000 })("a driver with thousands of jobs", (it) => {
  it.effect("has a statement, a job and an availability that read none of the other jobs", () =>
    Effect.gen(function* () {
      const { business, driver, lastTrip } = yield* newHistory
      const [assignments, drivers] = [yield* AssignmentRepository, yield* DriverRepository]
      const [jobs, pay] = [yield* DriverTripRepository, yield* DriverPayRepository]
      const day = { from: DateTime.subtract(noon, { days: 1 }), before: noon }
      const hour = {
        starts: DateTime.add(noon, { days: 60 }),
        ends: DateTime.add(noon, { days: 60, minutes: 60 })
      }
      const statement = pay.completedTrips(business, driver, day)
      assert.lengthOf(yield* statement, 24)
      const reads = [
        ["a statement of 24 trips", statement, 24 * 8, 24 * 30],
        ["a job", jobs.find(business, driver, lastTrip), 12, 40],
        ["the last assignment to a trip", assignments.findLast(business, lastTrip, driver), 12, 40],
        ["the jobs of an hour", drivers.busyWindows(business, driver, hour), 40, 80]
      ] as const
      const exceeding: Array<string> = []
      for (const [name, read, rows, pages] of reads)
        for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
          const plans = yield* plansOf<unknown, never, never>(read, planned)
          const found = [handled(plans.flatMap(flat)), pagesRead(plans)] as const
          if (found[0] > rows || found[1] > pages)
            exceeding.push(`${name}, ${planned}: ${found[0]} rows, ${found[1]} pages`)
        }
      assert.deepStrictEqual(exceeding, [])
    })
  )
})
