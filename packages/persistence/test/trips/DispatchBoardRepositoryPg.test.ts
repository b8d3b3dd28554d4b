import {
  AssignmentStatus,
  type BoardCar,
  type BoardQuery,
  type BusinessId,
  DispatchBoardRepository,
  DriverId,
  isAtBoardTime,
  TripStatus,
  windowOf
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { at, TestPersistence, newBusiness } from "../support/TestPersistence.ts"
import { stepsOf } from "./Plans.ts"

const noon = at("12:00:00")
const wholeDay: BoardQuery = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }) }

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A trip that starts some hours from noon, with up to two of three drivers and at most one of two cars. */
const SomeTrip = Schema.Struct({
  hour: between(-40, 40),
  minutes: Schema.NullOr(Schema.Union([between(1, 300), between(1441, 4000)])),
  status: TripStatus,
  deleted: Schema.Boolean,
  car: Schema.NullOr(between(0, 1)),
  drivers: Schema.Array(Schema.Struct({ driver: between(0, 2), status: AssignmentStatus })).check(
    Schema.isMaxLength(2)
  )
})
type SomeTrip = typeof SomeTrip.Type

const fleet = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const cars = yield* sql<{ car_id: number }>`
    INSERT INTO cars (business_id, name, plate_number, seats, active, created_at, updated_at)
    SELECT ${business}, 'Car ' || n, 'P ' || n, 3 + n, n > 0, now(), now() FROM generate_series(0, 1) n RETURNING car_id`
  const drivers = yield* sql<{ driver_id: number }>`
    INSERT INTO drivers (business_id, name, phone, active, created_at, updated_at, deleted_at)
    SELECT ${business}, 'Driver ' || n, '+4' || n, n <> 1, now(), now(), CASE WHEN n = 2 THEN now() END
    FROM generate_series(0, 2) n RETURNING driver_id`
  return { cars: cars.map(({ car_id }) => car_id), drivers: drivers.map(({ driver_id }) => driver_id) }
})

const dateOf = ({ hour }: SomeTrip) => DateTime.add(noon, { hours: hour })

const windowOfTrip = (trip: SomeTrip) => windowOf({ trip_date: dateOf(trip), duration_minutes: trip.minutes })

/** The first assignment of each driver. */
const assignmentsOf = ({ drivers }: SomeTrip) =>
  drivers.filter(({ driver }, index) => drivers.findIndex((other) => other.driver === driver) === index)

const store = Effect.fnUntraced(function* (
  business: BusinessId,
  { cars, drivers }: { readonly cars: ReadonlyArray<number>; readonly drivers: ReadonlyArray<number> },
  trip: SomeTrip,
  index: number
) {
  const sql = yield* SqlClient.SqlClient
  const { ends, starts } = windowOfTrip(trip)
  const car = trip.car === null ? null : (cars[trip.car] ?? null)
  const [row] = yield* sql<{ trip_id: number }>`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, duration_minutes, car_id,
                       pickup_address, dropoff_address, customer_name, currency, created_at, updated_at, deleted_at)
    VALUES (${business}, ${`TR-${index}`}, ${trip.status}, 'unpaid', 'transfer', ${DateTime.toDateUtc(starts)},
            ${trip.minutes}, ${car}, 'a', 'b', 'c', 'USD', now(), now(), ${trip.deleted ? new Date(0) : null})
    RETURNING trip_id`
  const tripId = row?.trip_id ?? 0
  for (const { driver, status } of assignmentsOf(trip))
    yield* sql`
      INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
      VALUES (${business}, ${tripId}, ${drivers[driver] ?? 0}, ${status}, ${DateTime.toDateUtc(starts)},
              ${DateTime.toDateUtc(ends)}, now())`
  return tripId
})

const isLive = (status: AssignmentStatus) => status === "assigned" || status === "en_route"
const isOpen = (status: TripStatus) => status !== "completed" && status !== "cancelled"

const overlap = (one: SomeTrip, other: SomeTrip) => {
  const [a, b] = [windowOfTrip(one), windowOfTrip(other)]
  return DateTime.isLessThan(a.starts, b.ends) && DateTime.isLessThan(b.starts, a.ends)
}

const Query = Schema.Struct({
  status: Schema.optionalKey(TripStatus),
  driver: Schema.optionalKey(between(0, 2)),
  isToday: Schema.Boolean
})

const withoutNeighbours = ({ neighbours: _neighbours, ...car }: BoardCar) => car

layer(TestPersistence)("the board", (it) => {
  it.effect.prop(
    "has the day's jobs, each with the clashes that a comparison of all pairs of trips finds",
    {
      trips: Schema.Array(SomeTrip).check(Schema.isMinLength(10), Schema.isMaxLength(20)),
      query: Query,
      perPage: between(1, 5)
    },
    ({ perPage, query, trips }) =>
      Effect.gen(function* () {
        const board = yield* DispatchBoardRepository
        const business = yield* newBusiness()
        const have = yield* fleet(business)
        const ids = yield* Effect.forEach(trips, (trip, index) => store(business, have, trip, index))
        const stored = trips.map((trip, index) => ({ ...trip, id: ids[index] ?? 0 }))
        const others = (trip: SomeTrip & { readonly id: number }) =>
          stored
            .filter((other) => other.id !== trip.id && overlap(trip, other))
            .toSorted((one, other) => one.hour - other.hour || one.id - other.id)
        const expected = stored
          .filter(
            (trip) =>
              !trip.deleted &&
              isAtBoardTime(
                { status: trip.status, trip_date: dateOf(trip), duration_minutes: trip.minutes },
                { ...wholeDay, now: query.isToday ? noon : undefined }
              ) &&
              (query.status === undefined ? trip.status !== "cancelled" : trip.status === query.status) &&
              (query.driver === undefined ||
                assignmentsOf(trip).some(
                  ({ driver, status }) => driver === query.driver && status !== "cancelled"
                ))
          )
          .toSorted((one, other) => one.hour - other.hour || one.id - other.id)
          .map((trip) => ({
            id: trip.id,
            car:
              trip.car === null
                ? null
                : {
                    car_id: have.cars[trip.car],
                    name: `Car ${trip.car}`,
                    plate_number: `P ${trip.car}`,
                    seats: 3 + trip.car,
                    vehicle_class: null,
                    active: trip.car > 0,
                    clashes: isOpen(trip.status)
                      ? others(trip)
                          .filter((other) => !other.deleted && isOpen(other.status) && other.car === trip.car)
                          .map(({ id }) => id)
                      : []
                  },
            drivers: assignmentsOf(trip)
              .filter(({ status }) => status !== "cancelled")
              .map(({ driver, status }) => ({
                driver_id: have.drivers[driver],
                name: `Driver ${driver}`,
                status,
                phone: `+4${driver}`,
                active: driver === 0,
                clashes: isLive(status)
                  ? others(trip)
                      .filter((other) =>
                        assignmentsOf(other).some((it) => it.driver === driver && isLive(it.status))
                      )
                      .map(({ id }) => id)
                  : []
              }))
          }))
        const asked: BoardQuery = {
          ...wholeDay,
          now: query.isToday ? noon : undefined,
          status: query.status,
          driverId: query.driver === undefined ? undefined : DriverId.make(have.drivers[query.driver] ?? 1)
        }
        const pages = Math.max(1, Math.ceil(expected.length / perPage))
        const reported: Array<unknown> = []
        for (let page = 1; page <= pages + 1; page++) {
          const found = yield* board.jobs(business, asked, { page, perPage })
          assert.deepStrictEqual([found.total, found.hasMore], [expected.length, page < pages])
          reported.push(
            ...found.items.map(({ car, drivers, trip }) => ({
              id: trip.trip_id,
              car: car && withoutNeighbours(car),
              drivers: drivers.map(({ active, clashes, driver_id, name, phone, status }) => ({
                driver_id,
                name,
                status,
                phone,
                active,
                clashes
              }))
            }))
          )
        }
        assert.deepStrictEqual(reported, expected)
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect("has the clashes with a trip of several days that began long before", () =>
    Effect.gen(function* () {
      const board = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      const have = yield* fleet(business)
      const drivers = [{ driver: 0, status: "assigned" }] as const
      const standing = { status: "confirmed", deleted: false, car: 0, drivers } as const
      const long = yield* store(business, have, { ...standing, hour: -36, minutes: 3000 }, 0)
      const past = yield* store(business, have, { ...standing, hour: -35, minutes: 60 }, 1)
      const atNoon = yield* store(business, have, { ...standing, hour: 0, minutes: null }, 2)
      const { items } = yield* board.jobs(business, wholeDay, { page: 1, perPage: 20 })
      assert.deepStrictEqual<unknown>(
        items.map(({ car, drivers }) => [car?.clashes, drivers.map(({ clashes }) => clashes)]),
        [
          [[past, atNoon], [[past, atNoon]]],
          [[long], [[long]]]
        ]
      )
    })
  )

  it.effect("shows the last position and the milestones of a driver who is under way", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const board = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      const have = yield* fleet(business)
      const part = (driver: number, status: AssignmentStatus) => ({ driver, status })
      yield* store(
        business,
        have,
        {
          hour: 0,
          minutes: null,
          status: "in_progress",
          deleted: false,
          car: null,
          drivers: [part(0, "en_route"), part(1, "completed")]
        },
        0
      )
      yield* sql`
        INSERT INTO driver_positions (business_id, assignment_id, lat, lng, recorded_at, received_at)
        SELECT business_id, assignment_id, 47.5, 8.25, ${DateTime.toDateUtc(noon)}, now() FROM assignments
        WHERE business_id = ${business}`
      yield* sql`
        INSERT INTO assignment_milestones (business_id, assignment_id, milestone, at)
        SELECT business_id, assignment_id, 'arrived_at_pickup', ${DateTime.toDateUtc(noon)} FROM assignments
        WHERE business_id = ${business} AND status = 'en_route'`
      const { clashPolicy, items } = yield* board.jobs(business, wholeDay, { page: 1, perPage: 20 })
      const [job] = items
      assert.deepStrictEqual(
        job?.drivers.map(({ milestones, position }) => [
          position,
          milestones.map(({ milestone }) => milestone)
        ]),
        [
          [{ lat: 47.5, lng: 8.25, recorded_at: noon }, ["arrived_at_pickup"]],
          [null, []]
        ]
      )
      assert.strictEqual(clashPolicy, "warn")
      yield* sql`UPDATE businesses SET clash_policy = 'off' WHERE business_id = ${business}`
      assert.strictEqual((yield* board.jobs(business, wholeDay, { page: 1, perPage: 20 })).clashPolicy, "off")
    })
  )

  it.effect("has the jobs of its business alone", () =>
    Effect.gen(function* () {
      const board = yield* DispatchBoardRepository
      const [one, other] = [yield* newBusiness(), yield* newBusiness()]
      const trip = {
        hour: 0,
        minutes: null,
        status: "confirmed",
        deleted: false,
        car: 0,
        drivers: []
      } as const
      yield* store(one, yield* fleet(one), trip, 0)
      assert.deepStrictEqual((yield* board.jobs(other, wholeDay, { page: 1, perPage: 20 })).items, [])
    })
  )
})

layer(TestPersistence, { excludeTestServices: true })("the board of a large business", (it) => {
  it.effect("reads its day from the indexes, with generic and custom plans", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const board = yield* DispatchBoardRepository
      const business = yield* newBusiness()
      const { cars, drivers } = yield* fleet(business)
      // A hundred trips a day for two hundred days. The past ones are completed.
      yield* sql`
        INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, car_id, pickup_address,
                           dropoff_address, customer_name, currency, created_at, updated_at)
        SELECT ${business}, 'TR-' || n, CASE WHEN n < 10000 THEN 'completed' ELSE 'confirmed' END, 'unpaid', 'transfer',
               ${DateTime.toDateUtc(noon)}::timestamptz + (n - 10000) * interval '864 seconds', ${cars[0] ?? 0},
               'a', 'b', 'c', 'USD', now(), now()
        FROM generate_series(1, 20000) n`
      yield* sql`
        INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
        SELECT business_id, trip_id, ${drivers[0] ?? 0}, CASE status WHEN 'completed' THEN 'completed' ELSE 'assigned' END,
               trip_date, trip_date + interval '1 hour', now()
        FROM trips WHERE business_id = ${business}`
      for (const table of ["trips", "assignments", "cars", "drivers"])
        yield* sql.unsafe(`VACUUM ANALYZE ${table}`).unprepared
      for (const query of [
        wholeDay,
        { ...wholeDay, status: "confirmed" } as const,
        { ...wholeDay, driverId: DriverId.make(drivers[0] ?? 1) }
      ])
        for (const planned of ["force_custom_plan", "force_generic_plan"] as const) {
          const steps = yield* stepsOf(board.jobs(business, query, { page: 1, perPage: 100 }), planned)
          const received = JSON.stringify({ query, planned, steps: steps.map((step) => step["Node Type"]) })
          for (const step of steps) {
            if (step["Relation Name"] === "trips" || step["Relation Name"] === "assignments") {
              assert.notMatch(step["Node Type"], /Seq Scan/u, received)
              // The rows of a day, or for each job the few of the day before.
              assert.isAtMost(step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0), 220, received)
            }
          }
        }
    })
  )
})
