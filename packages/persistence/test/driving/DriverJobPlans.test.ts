import { assert, layer } from "@effect/vitest"
import {
  type BusinessId,
  type DriverId,
  type DriverTripQuery,
  DriverTripRepository,
  maxCount
} from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assertBounded } from "../sql/ListPlans.ts"
import { stepsOf } from "../trips/Plans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"
import { newDriver } from "./StoredJobs.ts"

const now = at("10:00:00")

/** Jobs of a driver, one every minute around now, or before the last `behind` minutes. The first `rare` ones are cancelled. */
const populate = Effect.fnUntraced(function* (
  business: BusinessId,
  driver: DriverId,
  count: number,
  { behind, rare }: { readonly behind: number; readonly rare: number }
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n, CASE WHEN n <= ${behind} THEN 'completed' ELSE 'confirmed' END, 'unpaid', 'transfer',
      ${DateTime.toDateUtc(now)}::timestamptz + (n - ${behind}::int) * interval '1 minute', 'a', 'b', 'c', 'USD', now(), now()
    FROM generate_series(1, ${count}::int) n ORDER BY random()`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, ${driver},
      CASE WHEN substr(reference, 4)::int <= ${rare} THEN 'cancelled' WHEN status = 'completed' THEN status ELSE 'assigned' END,
      trip_date, trip_date + interval '1 hour', now()
    FROM trips WHERE business_id = ${business} ORDER BY random()`
  for (const table of ["trips", "assignments"]) yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
})

layer(TestPersistence)("the jobs of a driver with many of them", (it) => {
  it.effect("are read for a page of any filter and status, however many others there are", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness()
      const driver = yield* newDriver(business)
      const rare = 10
      const side = maxCount + 2000
      yield* populate(business, driver, 2 * side, { behind: side, rare })
      const { list } = yield* DriverTripRepository
      const jobs = (query: Omit<DriverTripQuery, "now" | "order">) =>
        list(business, driver, { now, order: "soonest", ...query }, { page: 1, perPage: 20 })
      const latest = list(
        business,
        driver,
        { now, order: "latest", filter: "previous" },
        { page: 1, perPage: 20 }
      )
      yield* assertBounded([
        ["all jobs", jobs({}), 20, 4500, 6000],
        ["upcoming jobs", jobs({ filter: "upcoming" }), 20, 4500, 6000],
        ["previous jobs", jobs({ filter: "previous" }), 20, 4500, 6000],
        ["previous jobs, the latest first", latest, 20, 4500, 6000],
        ["assigned jobs", jobs({ status: "assigned" }), 20, 4500, 6000],
        ["completed jobs", jobs({ status: "completed" }), 20, 4500, 6000],
        ["cancelled jobs", jobs({ status: "cancelled" }), rare, 4500, 6000],
        ["jobs under way", jobs({ status: "en_route" }), 0, 4500, 6000],
        ["previous jobs that are assigned", jobs({ filter: "previous", status: "assigned" }), 0, 4500, 6000],
        ["upcoming jobs that are completed", jobs({ filter: "upcoming", status: "completed" }), 0, 0, 10]
      ])
    })
  )

  it.effect("are counted without reading them or comparing several statuses, if they are upcoming", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness()
      const driver = yield* newDriver(business)
      const upcoming = 8000
      yield* populate(business, driver, upcoming + 100, { behind: 100, rare: 0 })
      const { list } = yield* DriverTripRepository
      const jobs = list(
        business,
        driver,
        { now, order: "soonest", filter: "upcoming" },
        { page: 1, perPage: 20 }
      )
      yield* assertBounded([["upcoming jobs", jobs, 20, upcoming + 300, 900]])
      for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
        const filters = (yield* stepsOf(jobs, planned)).flatMap(({ Filter }) => Filter ?? [])
        const ofTimes = filters.filter((filter) => filter.includes("trip_ends_at"))
        assert.isNotEmpty(ofTimes, planned)
        assert.isEmpty(
          ofTimes.filter((filter) => filter.includes("en_route")),
          planned
        )
      }
    })
  )
})
