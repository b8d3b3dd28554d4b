import {
  AssignmentRepository,
  CarId,
  type DriverId,
  nearbyMinutes,
  type NewTrip,
  overlaps,
  ScheduleRepository,
  type TripId,
  windowOf
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newDriver } from "../fleet/Roster.ts"
import { at, newBusiness, newCar, TestPersistence } from "../support/TestPersistence.ts"
import { insert, now } from "./StoredTrips.ts"

const window = (time: string, minutes = 60) => ({
  starts: at(time),
  ends: DateTime.add(at(time), { minutes })
})

layer(TestPersistence)("schedules", (it) => {
  it.effect("hold a car's other open trips that overlap a window or are less than a day away from it", () =>
    Effect.gen(function* () {
      const schedules = yield* ScheduleRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const car_id = CarId.make(yield* newCar(business))
      const trip = yield* insert(business, { car_id })
      const long = yield* insert(business, {
        car_id,
        trip_date: DateTime.subtract(at("18:00:00"), { days: 30 }),
        duration_minutes: 44_640
      })
      const before = yield* insert(business, { car_id, trip_date: at("17:00:00") })
      const near = yield* insert(business, {
        car_id,
        trip_date: DateTime.add(at("18:59:59"), { minutes: nearbyMinutes })
      })
      yield* insert(business, { car_id, trip_date: DateTime.add(at("19:00:00"), { minutes: nearbyMinutes }) })
      yield* insert(business, { car_id: CarId.make(yield* newCar(business)) })
      const ended = yield* insert(business, { car_id })
      yield* sql`UPDATE trips SET status = 'cancelled' WHERE trip_id = ${ended.trip_id}`
      const deleted = yield* insert(business, { car_id })
      yield* sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${deleted.trip_id}`
      const nearby = (time: string, minutes?: number, tripId: TripId | null = trip.trip_id) =>
        schedules.nearby(business, { tripId, carIds: [car_id], driverIds: [], window: window(time, minutes) })
      const idsOf = (found: ReadonlyArray<{ readonly trip_id: TripId | null }>) =>
        found.map(({ trip_id }) => trip_id)
      assert.deepStrictEqual(
        idsOf(yield* nearby("18:00:00")),
        [long, before, near].map(({ trip_id }) => trip_id)
      )
      assert.deepStrictEqual(
        idsOf((yield* nearby("17:59:59", 1, null)).filter((it) => overlaps(it, window("17:59:59", 1)))),
        [trip, long, before].map(({ trip_id }) => trip_id)
      )
    })
  )

  it.effect("hold the live assignments of drivers, by driver and trip", () =>
    Effect.gen(function* () {
      const [assignments, schedules] = [yield* AssignmentRepository, yield* ScheduleRepository]
      const business = yield* newBusiness()
      const [driver, other] = [yield* newDriver(business), yield* newDriver(business)]
      const dispatched = Effect.fnUntraced(function* (driverId: DriverId, change: Partial<NewTrip> = {}) {
        const trip = yield* insert(business, change)
        const work = [
          { driver_id: driverId, car_id: null, has_default_car: false, tokenHash: `hash ${trip.trip_id}` }
        ]
        const made = yield* assignments.insert(business, trip.trip_id, windowOf(trip), work, now)
        return { ...trip, made: made.map(({ assignment_id }) => assignment_id) }
      })
      const trip = yield* dispatched(driver)
      const long = yield* dispatched(driver, {
        trip_date: DateTime.subtract(at("18:00:00"), { days: 30 }),
        duration_minutes: 44_640
      })
      const before = yield* dispatched(driver, { trip_date: at("17:00:00") })
      const of = yield* dispatched(other, { trip_date: at("18:30:00") })
      const ended = yield* dispatched(other, { trip_date: at("18:30:00") })
      yield* assignments.setStatus(business, ended.made, { status: "cancelled", by: "operator", now })
      const overlapping = (time: string, minutes?: number, businessId = business) =>
        Effect.map(
          schedules.nearby(businessId, {
            tripId: trip.trip_id,
            carIds: [],
            driverIds: [other, driver],
            window: window(time, minutes)
          }),
          (found) =>
            found
              .filter((it) => overlaps(it, window(time, minutes)))
              .map(({ driver_id, trip_id }) => [driver_id, trip_id])
        )
      const pairs = [
        [driver, long.trip_id],
        [other, of.trip_id]
      ]
      assert.deepStrictEqual<unknown>(yield* overlapping("18:00:00"), pairs)
      assert.deepStrictEqual<unknown>(yield* overlapping("17:59:59", 1), [
        [driver, long.trip_id],
        [driver, before.trip_id]
      ])
      yield* assignments.setWindows(business, [{ tripId: long.trip_id, window: window("20:00:00") }])
      assert.deepStrictEqual<unknown>(yield* overlapping("18:00:00", 30), [])
      assert.deepStrictEqual<unknown>(yield* overlapping("18:00:00", 60, yield* newBusiness()), [])
    })
  )
})
