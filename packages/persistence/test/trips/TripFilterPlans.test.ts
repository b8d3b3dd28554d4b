import {
  type BoardQuery,
  type BusinessId,
  DispatchBoardRepository,
  DriverId,
  maxTripsTested,
  TripListRepository,
  type TripQuery
} from "@livery/domain"
import { layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newCustomer, newDriver } from "../fleet/Roster.ts"
import { assertBounded } from "../sql/ListPlans.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const now = at("10:00:00")
const page = { page: 1, perPage: 20 }
const rows = maxTripsTested

/** How many trips a rare value finds. They are the earliest ones, the last of a list. */
const rare = 40

/**
 * Trips around now, one every ten minutes, all of them one customer's. Those that are not pending are one driver's. Each has a
 * car of its own, and there are more cars of each class than few. Every fiftieth later one is pending.
 */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const [customerId, driverId] = [yield* newCustomer(business), yield* newDriver(business)]
  yield* sql`
    INSERT INTO cars (business_id, name, vehicle_class, created_at, updated_at)
    SELECT ${business}, n::text, CASE WHEN n <= ${rare} THEN 'van' WHEN n > ${rows} THEN 'suv' ELSE 'sedan' END, now(), now()
    FROM generate_series(1, ${rows + 2000}::int) n ORDER BY n`
  yield* sql`
    INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, customer_id, car_id, currency, created_at, updated_at)
    SELECT ${business}, 'TR-' || n,
      CASE WHEN n <= ${rows / 4} THEN 'completed' WHEN n % 50 = 0 THEN 'pending' ELSE 'confirmed' END,
      CASE WHEN n <= ${rows / 4} THEN 'completed' WHEN n % 50 = 0 THEN 'unassigned' ELSE 'assigned' END, 'paid',
      CASE WHEN n <= ${rare} THEN 'event' ELSE 'transfer' END,
      ${DateTime.toDateUtc(now)}::timestamptz + (n - ${rows / 4}::int) * interval '10 minutes', 'a', 'b', 'c',
      ${customerId}, car_id, 'USD', '2026-11-01Z',
      CASE WHEN n <= ${rare} OR n > ${rows - rare} THEN '2026-11-19Z' ELSE '2026-11-01Z' END::timestamptz
    FROM (SELECT *, name::int AS n FROM cars WHERE business_id = ${business}) c WHERE n <= ${rows} ORDER BY random()`
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    SELECT business_id, trip_id, ${driverId}, CASE WHEN status = 'completed' THEN status ELSE 'assigned' END, trip_date,
      trip_date + interval '1 hour', now()
    FROM trips WHERE business_id = ${business} AND status <> 'pending' ORDER BY random()`
  return { customerId, driverId: DriverId.make(driverId) }
})

layer(TestPersistence)("the trips of a large business by two filters, by class or by change", (it) => {
  it.effect(
    "are read from the index of one filter, and the other is tested on a bounded number of trips",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const business = yield* newBusiness()
        const { customerId, driverId } = yield* populate(business)
        yield* populate(yield* newBusiness())
        for (const table of ["cars", "trips", "assignments"])
          yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
        const trips = yield* TripListRepository
        const boards = yield* DispatchBoardRepository
        const list = (query: Omit<TripQuery, "order">) =>
          Effect.orDie(trips.page(business, { ...query, order: "latest" }, page))
        const today = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }), now }
        const board = (query: Partial<BoardQuery>) =>
          Effect.orDie(boards.jobs(business, { ...query, ...today }, page))
        const updatedSince = at("00:00:00").pipe(DateTime.subtract({ days: 1 }))
        const atMost = [6 * maxTripsTested, 12 * maxTripsTested] as const
        yield* assertBounded([
          ["a class of many cars", list({ vehicleClass: "sedan" }), 20, 3000, 2000],
          [
            "confirmed trips of such a class",
            list({ vehicleClass: "sedan", status: "confirmed" }),
            20,
            3000,
            2000
          ],
          ["a class of few cars", list({ vehicleClass: "van" }), 20, ...atMost],
          ["the driver's events", list({ driverId, tripType: "event" }), 20, ...atMost],
          ["the driver's pending trips", list({ driverId, status: "pending" }), 0, ...atMost],
          ["the driver's completed trips", list({ driverId, status: "completed" }), 20, ...atMost],
          ["the customer's events", list({ customerId, tripType: "event" }), 20, ...atMost],
          ["the customer's pending trips", list({ customerId, status: "pending" }), 20, ...atMost],
          ["pending transfers", list({ tripType: "transfer", status: "pending" }), 20, 3000, 2000],
          ["events", list({ tripType: "event" }), 20, ...atMost],
          ["transfers", list({ tripType: "transfer" }), 20, 3000, 2000],
          ["changed trips", list({ updatedSince }), 20, 1000, 1000],
          ["changed trips that are completed", list({ updatedSince, status: "completed" }), 20, 2500, 2000],
          ["the customer's board", board({ customerId }), 20, ...atMost],
          [
            "the customer's pending trips on the board",
            board({ customerId, status: "pending" }),
            1,
            ...atMost
          ]
        ])
      })
  )
})
