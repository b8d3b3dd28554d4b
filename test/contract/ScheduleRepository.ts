/** The contract of `ScheduleRepository`. */
import {
  DriverId,
  AbsenceRepository,
  BusinessProfileRepository,
  maxDuplicates,
  ScheduleRepository,
  windowOf
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { assign, changeTrip, newBusiness, newCar, newCustomer, newDriver, newTrip, now } from "./Given.ts"

/** A business with two drivers, a car and a trip at six. */
const prepared = Effect.gen(function* () {
  const schedules = yield* ScheduleRepository
  const business = yield* newBusiness
  const [dan, eve] = [yield* newDriver(business), yield* newDriver(business)]
  const car_id = yield* newCar(business, { seats: 4, vehicle_class: "van" })
  const trip = yield* newTrip(business, { car_id })
  const later = (minutes: number) => DateTime.add(trip.trip_date, { minutes })
  return { schedules, business, dan, eve, car_id, trip, later }
})

export const scheduleRepository = contract("a schedule", (it) => {
  it.effect("is checked by the clash policy of the business", () =>
    Effect.gen(function* () {
      const { business, schedules } = yield* prepared
      const profiles = yield* BusinessProfileRepository
      assert.strictEqual((yield* schedules.policy(business)).clash_policy, "warn")
      const profile = Option.getOrThrow(yield* profiles.find(business))
      const changed = {
        ...profile,
        clash_policy: "enforce" as const,
        drive_time_enforced: true,
        turnaround_minutes: 15,
        early_start_minutes: 90
      }
      yield* profiles.update(business, changed, now)
      assert.deepStrictEqual(yield* schedules.policy(business), {
        clash_policy: "enforce",
        drive_time_enforced: true,
        turnaround_minutes: 15,
        early_start_minutes: 90
      })
    })
  )

  it.effect("has the other trips that have a car, or a live assignment with it, each once for a car", () =>
    Effect.gen(function* () {
      const { business, car_id, dan, eve, later, schedules, trip } = yield* prepared
      const second = yield* newCar(business)
      const [own, both, long, far, ended] = [
        yield* newTrip(business, { trip_date: later(30) }),
        yield* newTrip(business, { trip_date: later(90), car_id }),
        yield* newTrip(business, { trip_date: later(-3000), duration_minutes: 2900 }),
        yield* newTrip(business, { trip_date: later(60 + 1440) }),
        yield* newTrip(business)
      ]
      yield* assign(trip, eve, "assigned", car_id)
      for (const other of [own, both, long, far]) yield* assign(other, dan, "assigned", car_id)
      yield* assign(ended, dan, "completed", car_id)
      yield* assign(own, eve, "assigned", second)
      const scheduled = {
        driverIds: [],
        carIds: [second, car_id],
        tripId: trip.trip_id,
        window: windowOf(trip)
      }
      assert.deepStrictEqual(
        (yield* schedules.nearby(business, scheduled)).map(({ car_id, driver_id, trip_id }) => [
          driver_id,
          car_id,
          trip_id
        ]),
        [
          [null, car_id, own.trip_id],
          [null, car_id, both.trip_id],
          [null, car_id, long.trip_id],
          [null, second, own.trip_id]
        ]
      )
      assert.deepStrictEqual(yield* schedules.nearby(yield* newBusiness, scheduled), [])
    })
  )

  it.effect("has the other trips of drivers and of a car that are less than a day away", () =>
    Effect.gen(function* () {
      const { business, car_id, dan, eve, later, schedules, trip } = yield* prepared
      const [near, long, far, ended, ofCar] = [
        yield* newTrip(business, { trip_date: later(30), pickup_lat: 47.4, pickup_lng: 8.5 }),
        yield* newTrip(business, { trip_date: later(-2000), duration_minutes: 1000 }),
        yield* newTrip(business, { trip_date: later(60 + 1440) }),
        yield* newTrip(business),
        yield* newTrip(business, { trip_date: later(90), car_id })
      ]
      yield* newTrip(business, { car_id, status: "cancelled" })
      const deleted = yield* newTrip(business, { car_id })
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      for (const other of [trip, near, long, far]) yield* assign(other, dan)
      yield* assign(near, eve)
      yield* assign(ended, dan, "completed")
      const resources = { driverIds: [dan, eve], carIds: [car_id] }
      yield* schedules.lock(business, resources)
      const scheduled = { ...resources, tripId: trip.trip_id, window: windowOf(trip) }
      const found = yield* schedules.nearby(business, scheduled)
      assert.deepStrictEqual(
        found.map(({ car_id, driver_id, trip_id }) => [driver_id, car_id, trip_id]),
        [
          [dan, null, near.trip_id],
          [dan, null, long.trip_id],
          [eve, null, near.trip_id],
          [null, car_id, ofCar.trip_id]
        ]
      )
      const { ends, starts } = windowOf(near)
      assert.deepInclude(found[0], { starts, ends, pickup_lat: 47.4, pickup_lng: 8.5, dropoff_lat: null })
      assert.deepStrictEqual(yield* schedules.nearby(yield* newBusiness, scheduled), [])
      const unassigned = { driverIds: [], carIds: [], tripId: null, window: windowOf(trip) }
      assert.deepStrictEqual(yield* schedules.nearby(business, unassigned), [])
    })
  )

  it.effect("has the absences of drivers beside their trips", () =>
    Effect.gen(function* () {
      const { business, dan, eve, later, schedules, trip } = yield* prepared
      const absences = yield* AbsenceRepository
      const sick = { kind: "sick", note: null } as const
      const windowOf = (from: number, to: number) => ({ starts: later(from), ends: later(to) })
      const [near] = yield* absences.insert(business, dan, sick, [windowOf(-60, 1)], now)
      yield* absences.insert(business, dan, sick, [windowOf(3000, 4000)], now)
      const [others] = yield* absences.insert(business, eve, sick, [windowOf(-500_000, 500)], now)
      const other = yield* newTrip(business)
      yield* assign(other, dan)
      const scheduled = { driverIds: [dan, eve], carIds: [], tripId: trip.trip_id, window: windowOf(0, 60) }
      const found = yield* schedules.nearby(business, scheduled)
      assert.deepStrictEqual(
        found.map(({ absence_id, driver_id, trip_id }) => [driver_id, trip_id, absence_id]),
        [
          [dan, other.trip_id, null],
          [dan, null, near?.absence_id ?? 0],
          [eve, null, others?.absence_id ?? 0]
        ]
      )
      assert.deepInclude(found[1], { starts: later(-60), ends: later(1), pickup_lat: null })
      assert.deepStrictEqual(yield* schedules.nearby(yield* newBusiness, scheduled), [])
    })
  )

  it.effect("is compared with the seats of the cars, licences and duplicates", () =>
    Effect.gen(function* () {
      const { business, car_id, dan, eve, schedules, trip } = yield* prepared
      const licensed = yield* newDriver(business, { license_expires_on: "2026-12-01" })
      const duplicate = yield* newTrip(business, { pickup_address: "HERE", customer_name: "ada" })
      yield* newTrip(business, { customer_name: "Zoë" })
      yield* newTrip(business, { status: "cancelled" })
      yield* newTrip(yield* newBusiness)
      const bus = yield* newCar(business)
      const carIds = [bus, car_id]
      const customerId = yield* newCustomer(business, {
        preferred_driver_ids: [licensed],
        refused_driver_ids: [eve, dan, 999_999]
      })
      yield* newCustomer(business)
      const query = {
        driverIds: [licensed, dan, eve],
        carIds,
        customerId,
        tripId: trip.trip_id,
        booking: trip
      }
      assert.deepStrictEqual(yield* schedules.driverChoices(business, [customerId]), [
        {
          customer_id: customerId,
          preferred_driver_ids: [licensed],
          refused_driver_ids: [eve, dan, DriverId.make(999_999)]
        }
      ])
      assert.deepStrictEqual(yield* schedules.driverChoices(yield* newBusiness, [customerId]), [])
      assert.deepStrictEqual(yield* schedules.warningFacts(business, query), {
        cars: [
          { car_id, seats: 4, vehicle_class: "van" },
          { car_id: bus, seats: null, vehicle_class: null }
        ],
        licenses: [{ driver_id: licensed, license_expires_on: "2026-12-01" }],
        refused: [dan, eve],
        duplicates: [duplicate.trip_id]
      })
      assert.deepStrictEqual(yield* schedules.warningFacts(yield* newBusiness, { ...query, booking: null }), {
        cars: [],
        licenses: [],
        refused: [],
        duplicates: []
      })
    })
  )

  it.effect("is compared with its first duplicates only, however many there are", () =>
    Effect.gen(function* () {
      const { business, schedules, trip } = yield* prepared
      const duplicates = yield* Effect.replicateEffect(newTrip(business), maxDuplicates + 3)
      const query = { driverIds: [], carIds: [], customerId: null, tripId: trip.trip_id, booking: trip }
      assert.deepStrictEqual(
        (yield* schedules.warningFacts(business, query)).duplicates,
        duplicates.slice(0, maxDuplicates).map(({ trip_id }) => trip_id)
      )
    })
  )
})
