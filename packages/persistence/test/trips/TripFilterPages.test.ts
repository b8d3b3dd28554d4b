import {
  type BusinessId,
  CarId,
  DriverId,
  maxCount,
  maxTripsTested,
  TripListRepository,
  type TripQuery
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { newDriver } from "../fleet/Roster.ts"
import { at, newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const perPage = 20
const trips = maxTripsTested - 100
const carsOfClass = 1200
const noon = at("12:00:00")
const changedSince = DateTime.subtract(noon, { days: 3 })

/**
 * Trips at the full hours of some days, several at each, of which each status, type and driver has some. More cars of the classes
 * `sedan` and `suv` than few have been made; all but three trips have a `sedan`.
 */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const drivers = [yield* newDriver(business), yield* newDriver(business)]
  const [first] = yield* sql<{ car_id: number }>`
    WITH made AS (
      INSERT INTO cars (business_id, name, vehicle_class, created_at, updated_at)
      SELECT ${business}, n::text, CASE WHEN n <= ${carsOfClass} THEN 'sedan' ELSE 'suv' END, now(), now()
      FROM generate_series(1, ${2 * carsOfClass}::int) n ORDER BY n RETURNING car_id)
    SELECT min(car_id)::int AS car_id FROM made`
  yield* sql`
    INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date, pickup_address,
      dropoff_address, customer_name, car_id, currency, created_at, updated_at, deleted_at)
    SELECT ${business}, 'TR-' || n, (ARRAY['pending', 'confirmed', 'in_progress', 'completed', 'pending', 'cancelled'])[1 + n % 6],
      (ARRAY['unassigned', 'assigned', 'completed'])[1 + n % 3], (ARRAY['unpaid', 'paid'])[1 + n % 2],
      CASE WHEN n % 7 = 0 THEN 'event' ELSE 'transfer' END, ${DateTime.toDateUtc(noon)}::timestamptz + (n * 37 % 400 - 200) * interval '1 hour',
      'a', 'b', 'c', ${first?.car_id ?? 0} + CASE WHEN n <= 3 THEN ${carsOfClass} + n ELSE n % ${carsOfClass} END, 'USD', now(),
      ${DateTime.toDateUtc(changedSince)}::timestamptz + (n % 90 - 60) * interval '1 hour', CASE WHEN n % 101 = 0 THEN now() END
    FROM generate_series(1, ${trips}::int) n`
  for (const [index, driver] of drivers.entries())
    yield* sql`
      INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
      SELECT business_id, trip_id, ${driver}, (ARRAY['assigned', 'cancelled', 'completed'])[1 + trip_id % 3], trip_date,
        trip_date + interval '1 hour', now()
      FROM trips WHERE business_id = ${business} AND trip_id % 10 ${sql.literal(index === 0 ? "< 9" : "= 1")}`
  yield* sql`
    UPDATE trips t SET driver_status = 'assigned'
    WHERE business_id = ${business} AND driver_status = 'unassigned' AND EXISTS (
      SELECT FROM assignments a WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id AND a.status <> 'cancelled')`
  return drivers.map((driver) => DriverId.make(driver))
})

/** The ids of the trips that a query selects, in its order, found without regard to cost. */
const expected = Effect.fnUntraced(function* (business: BusinessId, query: TripQuery) {
  const sql = yield* SqlClient.SqlClient
  const {
    before,
    driverId,
    driverStatus,
    from,
    paymentStatus,
    status,
    tripType,
    updatedSince,
    vehicleClass
  } = query
  const direction = query.order === "soonest" ? "ASC" : "DESC"
  const order = sql.literal(
    updatedSince === undefined
      ? `t.trip_date ${direction}, t.trip_id ${direction}`
      : "t.updated_at, t.trip_id"
  )
  const rows = yield* sql<{ trip_id: number }>`
    SELECT t.trip_id FROM trips t JOIN cars c USING (business_id, car_id)
    WHERE ${sql.and([
      sql`t.business_id = ${business} AND t.deleted_at IS NULL`,
      ...(status === undefined ? [] : [sql`t.status = ${status}`]),
      ...(paymentStatus === undefined ? [] : [sql`t.payment_status = ${paymentStatus}`]),
      ...(driverStatus === undefined ? [] : [sql`t.driver_status = ${driverStatus}`]),
      ...(tripType === undefined ? [] : [sql`t.trip_type = ${tripType}`]),
      ...(vehicleClass === undefined ? [] : [sql`c.vehicle_class = ${vehicleClass}`]),
      ...(updatedSince === undefined ? [] : [sql`t.updated_at >= ${DateTime.toDateUtc(updatedSince)}`]),
      ...(from === undefined ? [] : [sql`t.trip_date >= ${DateTime.toDateUtc(from)}`]),
      ...(before === undefined ? [] : [sql`t.trip_date < ${DateTime.toDateUtc(before)}`]),
      ...(driverId === undefined
        ? []
        : [
            sql`EXISTS (SELECT FROM assignments a WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id
              AND a.driver_id = ${driverId} AND a.status <> 'cancelled')`
          ])
    ])} ORDER BY ${order}`
  return rows.map(({ trip_id }) => trip_id)
})

const filtersOf = ([often, seldom]: ReadonlyArray<DriverId>): ReadonlyArray<Omit<TripQuery, "order">> => [
  { vehicleClass: "sedan" },
  { vehicleClass: "sedan", status: "pending" },
  { vehicleClass: "sedan", tripType: "event" },
  { vehicleClass: "suv" },
  { vehicleClass: "suv", status: "pending" },
  { tripType: "event" },
  { tripType: "transfer", status: "completed" },
  { driverStatus: "assigned" },
  { driverStatus: "unassigned", tripType: "event", paymentStatus: "paid" },
  { driverId: often, tripType: "event" },
  { driverId: often, status: "pending", driverStatus: "assigned" },
  { driverId: often, status: "pending" },
  { driverId: often, status: "pending", tripType: "event" },
  { driverId: seldom, status: "pending", paymentStatus: "paid" },
  { driverId: often, status: "completed" },
  { driverId: often, tripType: "transfer" },
  { driverId: seldom, tripType: "transfer" },
  { driverId: seldom, vehicleClass: "sedan" },
  { updatedSince: changedSince },
  { updatedSince: changedSince, status: "cancelled" },
  { updatedSince: changedSince, tripType: "transfer" }
]

layer(TestPersistence)("the list of trips by several filters", (it) => {
  it.effect(
    "has the same trips in the same order, whichever filter is read first, on pages and by cursor",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { after, page } = yield* TripListRepository
        const business = yield* newBusiness()
        const filters = filtersOf(yield* populate(business))
        yield* populate(yield* newBusiness())
        yield* sql`ANALYZE trips, cars, assignments`.unprepared
        const range = { from: DateTime.subtract(noon, { days: 2 }), before: DateTime.add(noon, { days: 3 }) }
        const queries = filters.flatMap((filter) =>
          (["soonest", "latest"] as const).flatMap((order) => [
            { ...filter, order },
            { ...filter, ...range, order }
          ])
        )
        for (const query of queries) {
          const all = yield* expected(business, query)
          const shown = JSON.stringify(query)
          const idsFrom = (number: number) => all.slice((number - 1) * perPage, number * perPage)
          for (const number of [1, 2, 4]) {
            const { items, nextCursor, total } = yield* page(business, query, { page: number, perPage })
            const ids = items.map(({ trip_id }) => trip_id)
            assert.deepStrictEqual(ids, idsFrom(number), `${shown}, page ${number}`)
            if (all.length > maxCount) assert.isUndefined(total, shown)
            else if (total !== undefined) assert.strictEqual(total, all.length, shown)
            if (nextCursor === undefined) continue
            const next = Option.getOrThrow(yield* after(business, query, nextCursor, perPage))
            const following = next.items.map(({ trip_id }) => trip_id)
            assert.deepStrictEqual(following, idsFrom(number + 1), `${shown}, after page ${number}`)
          }
        }
      })
  )

  it.effect(
    "has a trip that one driver or car has twice, also if the tests of a page end between the two",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { after, page } = yield* TripListRepository
        const business = yield* newBusiness()
        const driverId = DriverId.make(yield* newDriver(business))
        const [car] = yield* sql<{ car_id: number }>`
        INSERT INTO cars (business_id, name, created_at, updated_at) VALUES (${business}, 'S', now(), now())
        RETURNING car_id::int`
        const carId = CarId.make(car?.car_id ?? 0)
        const add = (count: number, type: string, hours: number) => sql`
        WITH added AS (
          INSERT INTO trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
            pickup_address, dropoff_address, customer_name, car_id, currency, created_at, updated_at)
          SELECT ${business}, ${type} || n, 'completed', 'completed', 'unpaid', ${type},
            ${DateTime.toDateUtc(noon)}::timestamptz + ${hours}::int * interval '1 hour' + n * interval '1 minute', 'a', 'b', 'c',
            ${type === "event" ? carId : null}::bigint, 'USD', now(), now()
          FROM generate_series(1, ${count}::int) n
          RETURNING business_id, trip_id, trip_date)
        INSERT INTO assignments (business_id, trip_id, driver_id, car_id, status, trip_date, trip_ends_at, created_at)
        SELECT business_id, trip_id, ${driverId}, ${carId}, 'completed', trip_date, trip_date + interval '1 hour', now() FROM added`
        // Of a reopened trip, the assignments until then count no longer.
        yield* add(1, "event", 0)
        yield* sql`
        UPDATE trips t SET reopened_after = a.assignment_id, status = 'confirmed' FROM assignments a
        WHERE t.business_id = ${business} AND t.trip_type = 'event' AND a.business_id = t.business_id AND a.trip_id = t.trip_id`
        yield* sql`
        INSERT INTO assignments (business_id, trip_id, driver_id, car_id, status, trip_date, trip_ends_at, created_at)
        SELECT business_id, trip_id, driver_id, car_id, 'assigned', trip_date, trip_ends_at, now() FROM assignments a
        WHERE business_id = ${business}`
        for (const [type, order, hours] of [
          ["transfer", "latest", 1],
          ["tour", "soonest", -100]
        ] as const) {
          yield* add(maxTripsTested - 1, type, hours)
          for (const filter of [{ driverId }, { carId }]) {
            const query = { ...filter, tripType: "event", order } as const
            const first = yield* page(business, query, { page: 1, perPage })
            const found = [...first.items]
            for (let next = first.nextCursor; next !== undefined;) {
              const following = Option.getOrThrow(yield* after(business, query, next, perPage))
              found.push(...following.items)
              next = following.nextCursor
            }
            assert.lengthOf(found, 1, `${order} ${JSON.stringify(filter)}`)
          }
        }
      })
  )
})
