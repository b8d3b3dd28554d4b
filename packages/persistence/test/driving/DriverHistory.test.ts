import { assert, layer } from "@effect/vitest"
import { maxCount, type DriverTripQuery, DriverTripRepository } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newBusiness } from "../support/TestPersistence.ts"
import { newDriver } from "./StoredJobs.ts"
import { handled, stepsOf } from "../trips/Plans.ts"

const now = at("10:00:00")

layer(TestPersistence)("a driver with a long history", (it) => {
  it.effect("reads a page at the cost of the count, and upcoming jobs without it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { day, list } = yield* DriverTripRepository
      const business = yield* newBusiness()
      const driverId = yield* newDriver(business)
      // Twenty years of trips, of which thirty are upcoming and every fiftieth is deleted.
      yield* sql`
        INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                           dropoff_address, customer_name, currency, created_at, updated_at, deleted_at)
        SELECT ${business}, 'TR-' || n, CASE WHEN n <= 20000 THEN 'completed' ELSE 'confirmed' END, 'unpaid', 'transfer',
               ${DateTime.toDateUtc(now)}::timestamptz + (n - 20000) * interval '8 hours', 'a', 'b', 'c', 'USD', now(), now(),
               CASE WHEN n % 50 = 0 THEN now() END
        FROM generate_series(1, 20030) n`
      yield* sql`
        INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
        SELECT business_id, trip_id, ${driverId}, CASE status WHEN 'completed' THEN 'completed' ELSE 'assigned' END,
               trip_date, trip_date + interval '1 hour', now()
        FROM trips WHERE business_id = ${business}`
      for (const table of ["trips", "assignments"]) yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
      const pageOf = (query: Omit<DriverTripQuery, "now">, page = 1) =>
        list(business, driverId, { now, ...query }, { page, perPage: 25 })
      const starts = at("00:00:00")
      const reads = [
        ["all", pageOf({ order: "soonest" }), 5 * maxCount],
        ["further on", pageOf({ order: "soonest" }, 50), 5 * maxCount],
        ["previous", pageOf({ filter: "previous", order: "latest" }), 5 * maxCount],
        ["upcoming", pageOf({ filter: "upcoming", order: "soonest" }), 300],
        ["the day", day(business, driverId, { now, starts, ends: at("23:59:59") }), 50_000]
      ] as const
      for (const [name, read, atMost] of reads)
        for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
          const rows = handled(yield* stepsOf<unknown, never, never>(read, planned))
          assert.isAtMost(rows, atMost, `${name}, ${planned}`)
        }
    })
  )
})
