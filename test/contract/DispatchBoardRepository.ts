/** The contract of `DispatchBoardRepository`. */
import {
  AbsenceRepository,
  type BoardQuery,
  type BusinessId,
  BusinessProfileRepository,
  CarRepository,
  DispatchBoardRepository,
  DriverLocationRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import {
  assign,
  carInput,
  changeTrip,
  newBusiness,
  newCar,
  newDriver,
  newTrip,
  now,
  setStatus,
  wholeList
} from "./Given.ts"

const day = { from: at("00:00:00"), before: DateTime.add(at("00:00:00"), { days: 1 }) }

const jobsOf = Effect.fnUntraced(function* (business: BusinessId, query: Partial<BoardQuery> = {}) {
  const board = yield* DispatchBoardRepository
  return yield* board.jobs(business, { ...day, ...query }, wholeList)
})

const idsOf = (page: { readonly items: ReadonlyArray<{ readonly trip: { readonly trip_id: number } }> }) =>
  page.items.map(({ trip }) => trip.trip_id)

export const dispatchBoardRepository = contract("the dispatch board", (it) => {
  it.effect("lists the day's trips by pickup time, then id, with the clash policy", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      yield* newTrip(yield* newBusiness)
      const [six, five, another, tomorrow, cancelled, deleted] = [
        yield* newTrip(business),
        yield* newTrip(business, { trip_date: at("17:00:00") }),
        yield* newTrip(business, { trip_date: at("17:00:00") }),
        yield* newTrip(business, { trip_date: day.before }),
        yield* newTrip(business, { status: "cancelled" }),
        yield* newTrip(business)
      ]
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      const page = yield* jobsOf(business)
      assert.deepStrictEqual(idsOf(page), [five.trip_id, another.trip_id, six.trip_id])
      assert.deepInclude(page, { total: 3, hasMore: false, clashPolicy: "warn" })
      assert.deepStrictEqual(idsOf(yield* jobsOf(business, { status: "cancelled" })), [cancelled.trip_id])
      assert.deepStrictEqual(
        idsOf(yield* jobsOf(business, { from: day.before, before: DateTime.add(day.before, { days: 1 }) })),
        [tomorrow.trip_id]
      )
      const board = yield* DispatchBoardRepository
      const second = yield* board.jobs(business, day, { page: 2, perPage: 2 })
      assert.deepStrictEqual([idsOf(second), second.total, second.hasMore], [[six.trip_id], 3, false])
    })
  )

  it.effect("shows the drivers of a trip with their clashes and their last position", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const locations = yield* DriverLocationRepository
      const [dan, eve] = [yield* newDriver(business), yield* newDriver(business, { active: false })]
      const [trip, later] = [
        yield* newTrip(business),
        yield* newTrip(business, { trip_date: at("18:30:00") })
      ]
      const { assignment_id } = yield* assign(trip, dan)
      yield* setStatus(business, assignment_id, "en_route", at("17:00:00"))
      yield* assign(trip, eve, "completed")
      yield* assign(later, dan)
      const position = {
        lat: 47.4,
        lng: 8.5,
        accuracy: null,
        heading: null,
        speed: null,
        recorded_at: at("17:30:00")
      }
      const reporter = { business_id: business, driver_id: dan, assignment_id: null, token_hash: null }
      yield* locations.record([{ reporter, positions: [position] }])
      const [job] = (yield* jobsOf(business, { driverId: eve })).items
      assert.deepStrictEqual(
        job?.drivers.map(({ active, clashes, position, status }) => ({ active, clashes, position, status })),
        [
          {
            active: true,
            clashes: [later.trip_id],
            position: { lat: 47.4, lng: 8.5, recorded_at: at("17:30:00") },
            status: "en_route"
          },
          { active: false, clashes: [], position: null, status: "completed" }
        ]
      )
      assert.deepStrictEqual(idsOf(yield* jobsOf(business, { driverId: dan })), [trip.trip_id, later.trip_id])
    })
  )

  it.effect(
    "names the trips that were changed or deleted lately, and the new positions, of several businesses",
    () =>
      Effect.gen(function* () {
        const board = yield* DispatchBoardRepository
        const locations = yield* DriverLocationRepository
        const [business, other, third] = [yield* newBusiness, yield* newBusiness, yield* newBusiness]
        const trip = yield* newTrip(business)
        const [old, deleted, foreign] = [
          yield* newTrip(business),
          yield* newTrip(other),
          yield* newTrip(third)
        ]
        const before = at("16:00:00")
        yield* changeTrip(business, old.trip_id, { updated_at: before })
        yield* changeTrip(business, trip.trip_id, { updated_at: at("17:00:00") })
        yield* changeTrip(other, deleted.trip_id, { updated_at: before, deleted_at: at("17:00:01") })
        yield* changeTrip(third, foreign.trip_id, { updated_at: at("17:00:00") })
        const dan = yield* newDriver(business)
        const { assignment_id } = yield* assign(trip, dan)
        yield* setStatus(business, assignment_id, "en_route", at("17:00:00"))
        const position = {
          lat: 47.4,
          lng: 8.5,
          accuracy: null,
          heading: null,
          speed: null,
          recorded_at: at("17:30:00")
        }
        const reporter = { business_id: business, driver_id: dan, assignment_id: null, token_hash: null }
        yield* locations.record([{ reporter, positions: [position] }])
        const changes = yield* board.changes([business, other], {
          trips: before,
          positions: DateTime.makeUnsafe(0)
        })
        assert.deepStrictEqual(
          changes.trips
            .map(({ at: changedAt, businessId, tripId }) => [
              businessId,
              tripId,
              DateTime.formatIso(changedAt)
            ])
            .toSorted((one, two) => Number(one[1]) - Number(two[1])),
          [
            [business, trip.trip_id, DateTime.formatIso(at("17:00:00"))],
            [other, deleted.trip_id, DateTime.formatIso(at("17:00:01"))]
          ]
        )
        assert.deepStrictEqual(changes.positions, [
          {
            businessId: business,
            tripId: trip.trip_id,
            driverId: dan,
            position: { lat: 47.4, lng: 8.5, recorded_at: at("17:30:00") }
          }
        ])
        assert.deepStrictEqual(yield* board.changes([], { trips: before, positions: before }), {
          trips: [],
          positions: []
        })
      })
  )

  it.effect("shows the car of a trip with its clashes", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const business = yield* newBusiness
      const car_id = yield* newCar(business, { plate_number: "ZH 1", seats: 4 })
      const [trip, later] = [
        yield* newTrip(business, { car_id }),
        yield* newTrip(business, { car_id, trip_date: at("18:30:00") })
      ]
      yield* newTrip(business, { car_id, status: "cancelled" })
      const last = yield* newTrip(business, { car_id, trip_date: at("19:30:00") })
      yield* cars.update(business, car_id, carInput({ plate_number: "ZH 1", seats: 4, active: false }), now)
      const [job, second] = (yield* jobsOf(business)).items
      assert.deepStrictEqual(
        job?.car && { ...job.car, neighbours: job.car.neighbours.map(({ trip_id }) => trip_id) },
        {
          car_id,
          name: "Black",
          plate_number: "ZH 1",
          seats: 4,
          vehicle_class: null,
          active: false,
          clashes: [later.trip_id],
          neighbours: [last.trip_id]
        }
      )
      assert.deepStrictEqual(second?.car?.clashes, [trip.trip_id])
      const plain = yield* newTrip(business, { trip_date: at("08:00:00") })
      const found = (yield* jobsOf(business)).items.find((one) => one.trip.trip_id === plain.trip_id)
      assert.isNull(Option.getOrThrow(Option.fromUndefinedOr(found)).car)
    })
  )

  it.effect("shows an assignment's own car, with the trips that have it or an assignment with it", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const car_id = yield* newCar(business, { seats: 4 })
      const [dan, eve] = [yield* newDriver(business), yield* newDriver(business)]
      const [before, trip, own, assigned, both] = [
        yield* newTrip(business, { trip_date: at("16:00:00") }),
        yield* newTrip(business),
        yield* newTrip(business, { trip_date: at("18:30:00"), car_id }),
        yield* newTrip(business, { trip_date: at("18:40:00") }),
        yield* newTrip(business, { trip_date: at("20:00:00"), car_id })
      ]
      const { assignment_id } = yield* assign(trip, dan, "assigned", car_id)
      yield* assign(trip, eve)
      for (const other of [before, assigned, both]) yield* assign(other, eve, "assigned", car_id)
      yield* assign(yield* newTrip(business), eve, "cancelled", car_id)
      const driversOf = Effect.map(
        jobsOf(business),
        ({ items }) => items.find((one) => one.trip.trip_id === trip.trip_id)?.drivers ?? []
      )
      const [driver, other] = yield* driversOf
      assert.deepInclude(driver?.car, {
        car_id,
        seats: 4,
        active: true,
        clashes: [own.trip_id, assigned.trip_id]
      })
      assert.deepStrictEqual(
        driver?.car?.neighbours.map(({ trip_id }) => trip_id),
        [before.trip_id, both.trip_id]
      )
      assert.isNull(other?.car ?? null)
      const ofTrip = (yield* jobsOf(business)).items.find((one) => one.trip.trip_id === own.trip_id)
      assert.deepStrictEqual(ofTrip?.car?.clashes, [trip.trip_id, assigned.trip_id])
      yield* setStatus(business, assignment_id, "completed")
      const [ended] = yield* driversOf
      assert.deepInclude(ended?.car, { car_id, clashes: [], neighbours: [] })
    })
  )

  it.effect("shows the neighbours of a driver's trip, the licence, absences and the turnaround", () =>
    Effect.gen(function* () {
      const absences = yield* AbsenceRepository
      const profiles = yield* BusinessProfileRepository
      const business = yield* newBusiness
      const profile = Option.getOrThrow(yield* profiles.find(business))
      yield* profiles.update(business, { ...profile, turnaround_minutes: 15 }, now)
      const dan = yield* newDriver(business, { license_expires_on: "2026-12-01" })
      const sick = { kind: "sick", note: null } as const
      const away = (from: string, to: string) =>
        absences.insert(business, dan, sick, [{ starts: at(from), ends: at(to) }], now)
      yield* away("12:00:00", "18:00:00")
      const overlapping = yield* away("18:59:00", "20:00:00")
      const job = Effect.fnUntraced(function* (time: string, change = {}) {
        const trip = yield* newTrip(business, { trip_date: at(time), ...change })
        yield* assign(trip, dan)
        return trip
      })
      yield* job("08:00:00")
      const before = yield* job("16:00:00", { dropoff_lat: 47.4, dropoff_lng: 8.5 })
      const trip = yield* newTrip(business)
      const { assignment_id } = yield* assign(trip, dan)
      const after = yield* job("19:00:00", { pickup_lat: 46 })
      yield* job("21:00:00")
      yield* newTrip(business, { status: "cancelled" })
      const page = yield* jobsOf(business)
      assert.strictEqual(page.turnaroundMinutes, 15)
      const found = page.items.find((one) => one.trip.trip_id === trip.trip_id)
      const [driver] = found?.drivers ?? []
      assert.deepInclude(driver, {
        assignment_id,
        license_expires_on: "2026-12-01",
        absence_ids: overlapping.map(({ absence_id }) => absence_id)
      })
      const nowhere = { pickup_lat: null, pickup_lng: null, dropoff_lat: null, dropoff_lng: null }
      assert.deepStrictEqual(driver?.neighbours, [
        {
          ...nowhere,
          trip_id: before.trip_id,
          starts: at("16:00:00"),
          ends: at("17:00:00"),
          dropoff_lat: 47.4,
          dropoff_lng: 8.5
        },
        {
          ...nowhere,
          trip_id: after.trip_id,
          starts: at("19:00:00"),
          ends: at("20:00:00"),
          pickup_lat: 46
        }
      ])
      yield* setStatus(business, assignment_id, "completed")
      const ended = (yield* jobsOf(business)).items.find((one) => one.trip.trip_id === trip.trip_id)
      assert.deepInclude(ended?.drivers[0], { neighbours: [], absence_ids: [] })
    })
  )
})
