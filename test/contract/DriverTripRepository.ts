/** The contract of `DriverTripRepository`. */
import {
  BusinessProfileRepository,
  type DriverTripQuery,
  DriverTripRepository,
  TrackingRepository,
  type Trip
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { businessWithProduct } from "./BookingRepository.ts"
import { at, contract, unique } from "./Contract.ts"
import {
  assign,
  changeTrip,
  newBusiness,
  newCar,
  newDriver,
  newTrip,
  now,
  setStatus,
  wholeList
} from "./Given.ts"

const noon = at("12:00:00")

/** A driver with jobs at eight (done), ten (missed), eleven (under way), two and three (cancelled). */
const fiveJobs = Effect.gen(function* () {
  const jobs = yield* DriverTripRepository
  const business = yield* newBusiness
  const car_id = yield* newCar(business, { name: "White" })
  const driver = yield* newDriver(business, { name: "Dan", default_car_id: car_id })
  const trip = (time: string) => newTrip(business, { trip_date: at(time), car_id })
  const [eight, ten, eleven, two, three] = [
    yield* trip("08:00:00"),
    yield* trip("10:00:00"),
    yield* trip("11:00:00"),
    yield* trip("14:00:00"),
    yield* trip("15:00:00")
  ]
  yield* assign(three, driver, "cancelled")
  yield* assign(two, driver)
  yield* assign(eleven, driver, "en_route")
  yield* assign(ten, driver)
  yield* assign(eight, driver, "completed")
  const listed = (query: Partial<DriverTripQuery> = {}) =>
    Effect.map(
      jobs.list(business, driver, { now: noon, order: "soonest", ...query }, wholeList),
      ({ items }) => items.map(({ trip_id }) => trip_id)
    )
  return { jobs, business, driver, car_id, listed, trips: { eight, ten, eleven, two, three } }
})

const idsOf = (...trips: ReadonlyArray<Trip>) => trips.map(({ trip_id }) => trip_id)

export const driverTripRepository = contract("a driver's job", (it) => {
  it.effect("has the participants of the bookings that share its trip and hold places", () =>
    Effect.gen(function* () {
      const jobs = yield* DriverTripRepository
      const { business, stored } = yield* businessWithProduct
      const driver = yield* newDriver(business)
      const trip = yield* newTrip(business, { trip_date: at("18:00:00") })
      yield* assign(trip, driver)
      const confirmed = { status: "confirmed", shares_trip: true, trip_id: trip.trip_id } as const
      yield* stored({ ...confirmed, participants_count: 3, customer_phone: "+41 1", pickup_address: "Hotel" })
      yield* stored({ ...confirmed, status: "completed", customer_name: "Grace", participants_count: 1 })
      yield* stored({ ...confirmed, status: "cancelled" })
      yield* stored({ ...confirmed, shares_trip: false })
      const participants = [
        { name: "Ada", phone: "+41 1", count: 3, pickup_address: "Hotel" },
        { name: "Grace", phone: null, count: 1, pickup_address: null }
      ]
      const one = Option.getOrThrow(yield* jobs.find(business, driver, trip.trip_id))
      assert.deepStrictEqual(one.participants, participants)
      const { items } = yield* jobs.list(business, driver, { now: noon, order: "soonest" }, wholeList)
      assert.deepStrictEqual(items, [one])
    })
  )

  it.effect("is listed by pickup time, upcoming or previous, by status", () =>
    Effect.gen(function* () {
      const { business, driver, jobs, listed, trips } = yield* fiveJobs
      const { eight, eleven, ten, three, two } = trips
      assert.deepStrictEqual(yield* listed(), idsOf(eight, ten, eleven, two, three))
      assert.deepStrictEqual(yield* listed({ order: "latest" }), idsOf(three, two, eleven, ten, eight))
      assert.deepStrictEqual(yield* listed({ filter: "upcoming" }), idsOf(eleven, two))
      assert.deepStrictEqual(yield* listed({ filter: "previous" }), idsOf(eight, ten, three))
      assert.deepStrictEqual(yield* listed({ status: "assigned" }), idsOf(ten, two))
      assert.deepStrictEqual(yield* listed({ filter: "upcoming", status: "assigned" }), idsOf(two))
      const query = { now: noon, order: "soonest" as const }
      const page = yield* jobs.list(business, driver, query, { page: 2, perPage: 3 })
      assert.deepStrictEqual([page.items.length, page.total, page.hasMore], [2, 5, false])
    })
  )

  it.effect("shows the trip with its car, and the assignment with its milestones", () =>
    Effect.gen(function* () {
      const { business, car_id, driver, jobs, trips } = yield* fiveJobs
      const { trip_id } = trips.eleven
      const job = Option.getOrThrow(yield* jobs.find(business, driver, trip_id))
      assert.deepInclude(job, { trip_id, status: "en_route", trip_status: "confirmed", milestones: [] })
      assert.deepInclude(job.car, { car_id, name: "White", plate_number: null })
      const own = yield* newCar(business, { name: "Black" })
      const driven = yield* newTrip(business, { trip_date: at("23:00:00"), car_id })
      yield* assign(driven, driver, "assigned", own)
      assert.strictEqual(
        Option.getOrThrow(yield* jobs.find(business, driver, driven.trip_id)).car?.car_id,
        own
      )
      const day = { now: noon, starts: at("00:00:00"), ends: at("23:59:59") }
      assert.deepStrictEqual(
        (yield* jobs.day(business, driver, day)).upcoming_cars.map(({ name }) => name),
        ["Black", "White"]
      )
      assert.notProperty(job, "total_minor")
      assert.notProperty(job, "customer_email")
      assert.deepStrictEqual(yield* jobs.find(yield* newBusiness, driver, trip_id), Option.none())
      const other = yield* newTrip(business)
      assert.deepStrictEqual(yield* jobs.find(business, driver, other.trip_id), Option.none())
    })
  )

  it.effect("needs the passenger's code if the business asks for it and the trip has a tracking link", () =>
    Effect.gen(function* () {
      const { business, driver, jobs, trips } = yield* fiveJobs
      const { trip_id } = trips.eleven
      const profiles = yield* BusinessProfileRepository
      const tracking = yield* TrackingRepository
      const isRequired = Effect.map(
        Effect.all([
          jobs.find(business, driver, trip_id),
          jobs.list(business, driver, { now: noon, order: "soonest" }, wholeList)
        ]),
        ([one, { items }]) => [
          Option.getOrThrow(one).pickup_pin_required,
          items.filter(({ pickup_pin_required }) => pickup_pin_required).map((job) => job.trip_id)
        ]
      )
      yield* tracking.setLink(business, trip_id, unique("hash"), now)
      assert.deepStrictEqual(yield* isRequired, [false, []])
      const profile = Option.getOrThrow(yield* profiles.find(business))
      yield* profiles.update(business, { ...profile, pickup_pin: true }, now)
      assert.deepStrictEqual(yield* isRequired, [true, [trip_id]])
      const [tracked] = yield* tracking.find(business, [trip_id])
      assert.isTrue(tracked?.asks_pin)
      yield* tracking.removeLink(business, trip_id)
      assert.deepStrictEqual(yield* isRequired, [false, []])
    })
  )

  it.effect("is the last of several assignments to a trip, and ends with the trip's deletion", () =>
    Effect.gen(function* () {
      const { business, driver, jobs, listed, trips } = yield* fiveJobs
      const { trip_id } = trips.three
      const { assignment_id } = yield* assign(trips.three, driver)
      const statusOf = Effect.map(jobs.find(business, driver, trip_id), (job) =>
        Option.map(job, ({ status }) => status)
      )
      assert.deepStrictEqual(yield* statusOf, Option.some("assigned"))
      assert.lengthOf(yield* listed(), 5)
      yield* setStatus(business, assignment_id, "cancelled")
      assert.deepStrictEqual(yield* statusOf, Option.some("cancelled"))
      assert.lengthOf(yield* listed(), 5)
      yield* changeTrip(business, trip_id, { deleted_at: now })
      assert.deepStrictEqual(yield* statusOf, Option.none())
      assert.lengthOf(yield* listed(), 4)
    })
  )

  it.effect("is counted for the driver's day", () =>
    Effect.gen(function* () {
      const { business, car_id, driver, jobs } = yield* fiveJobs
      const day = yield* jobs.day(business, driver, {
        now: noon,
        starts: at("09:00:00"),
        ends: DateTime.add(at("00:00:00"), { days: 1 })
      })
      const { default_car, upcoming_cars, ...counts } = day
      assert.deepStrictEqual(counts, {
        name: "Dan",
        trips_today: 3,
        trips_upcoming: 2,
        trips_completed: 1
      })
      assert.strictEqual(default_car?.car_id, car_id)
      assert.deepStrictEqual(upcoming_cars, default_car === null ? [] : [default_car])
    })
  )
})
