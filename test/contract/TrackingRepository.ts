/** The contract of `TrackingRepository`. */
import {
  AssignmentRepository,
  DriverLocationRepository,
  TrackingRepository,
  type TripId
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract, unique } from "./Contract.ts"
import { assign, changeTrip, newBusiness, newCar, newDriver, newTrip, now, setStatus } from "./Given.ts"

const positionAt = (time: string, lat: number) => ({
  lat,
  lng: 8.5,
  accuracy: 5,
  heading: null,
  speed: 13.5,
  recorded_at: at(time)
})

export const trackingRepository = contract("a followed trip", (it) => {
  it.effect("has its state and the position that was measured last", () =>
    Effect.gen(function* () {
      const tracking = yield* TrackingRepository
      const locations = yield* DriverLocationRepository
      const business = yield* newBusiness
      const trip = yield* newTrip(business)
      const [before] = yield* tracking.find(business, [trip.trip_id])
      assert.deepInclude(before, {
        trip_id: trip.trip_id,
        status: "confirmed",
        driver_status: "unassigned",
        trip_date: trip.trip_date,
        deleted: false,
        ended_at: null,
        link_hash: null,
        asks_pin: false,
        position: null
      })
      assert.strictEqual(before?.business.business_id, business)
      const drivers = [yield* newDriver(business), yield* newDriver(business)]
      for (const [index, driver_id] of drivers.entries()) {
        const { assignment_id } = yield* assign(trip, driver_id)
        yield* setStatus(business, assignment_id, "en_route", at("17:00:00"))
        const reporter = { business_id: business, driver_id, assignment_id, token_hash: null }
        const positions = [positionAt(index === 0 ? "17:20:00" : "17:10:00", 47 + index)]
        yield* locations.record([{ reporter, positions }])
      }
      const [after] = yield* tracking.find(business, [trip.trip_id])
      assert.deepStrictEqual(after?.position, positionAt("17:20:00", 47))
    })
  )

  it.effect(
    "has its places, its brand, and the first driver under way with the car and the last milestone",
    () =>
      Effect.gen(function* () {
        const tracking = yield* TrackingRepository
        const assignments = yield* AssignmentRepository
        const business = yield* newBusiness
        const car = {
          make: "Volvo",
          model: "V90",
          color: "Blue",
          vehicle_class: "sedan",
          plate_number: "ZH 1"
        } as const
        const [ofTrip, ofDriver] = [yield* newCar(business, { make: "Saab" }), yield* newCar(business, car)]
        const places = { pickup_lat: 47, pickup_lng: 8, dropoff_lat: 48, dropoff_lng: 9 }
        const trip = yield* newTrip(business, { ...places, car_id: ofTrip })
        const read = Effect.map(tracking.find(business, [trip.trip_id]), ([found]) => found)
        const before = yield* read
        assert.deepStrictEqual(
          [before?.pickup, before?.dropoff],
          [
            { lat: 47, lng: 8 },
            { lat: 48, lng: 9 }
          ]
        )
        assert.isNull(before?.ride)
        assert.deepInclude(before?.brand, { phone: null, logo_url: null, accent_color: null })
        const [first, second] = [
          yield* newDriver(business, { name: "Dan Brown" }),
          yield* newDriver(business, { name: "Eve Green" })
        ]
        yield* assign(trip, first)
        const { assignment_id } = yield* assign(trip, second, "assigned", ofDriver)
        const assigned = yield* read
        assert.deepInclude(assigned?.ride, { driver_name: "Dan Brown", milestone: null })
        assert.deepInclude(assigned?.ride?.car, { make: "Saab" })
        yield* setStatus(business, assignment_id, "en_route")
        const reached = { lat: null, lng: null, stop_index: null }
        yield* assignments.insertMilestone(business, assignment_id, {
          ...reached,
          milestone: "passenger_on_board",
          at: at("18:10:00")
        })
        yield* assignments.insertMilestone(business, assignment_id, {
          ...reached,
          milestone: "arrived_at_pickup",
          at: at("17:50:00")
        })
        yield* assignments.insertMilestone(business, assignment_id, {
          ...reached,
          milestone: "arrived_at_stop",
          stop_index: 0,
          at: at("18:30:00")
        })
        assert.deepStrictEqual((yield* read)?.ride, {
          driver_name: "Eve Green",
          car,
          milestone: "passenger_on_board"
        })
        yield* setStatus(business, assignment_id, "completed")
        assert.strictEqual((yield* read)?.ride?.driver_name, "Dan Brown")
      })
  )

  it.effect("is found if it is deleted or has ended, and not by another business", () =>
    Effect.gen(function* () {
      const tracking = yield* TrackingRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [deleted, ended] = [yield* newTrip(business), yield* newTrip(business)]
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      yield* changeTrip(business, ended.trip_id, { status: "completed", completed_at: at("19:00:00") })
      const found = (businessId: typeof business) =>
        Effect.map(
          tracking.find(
            businessId,
            [deleted, ended].map(({ trip_id }) => trip_id)
          ),
          (trips) => trips.map(({ deleted, ended_at, trip_id }) => ({ trip_id, deleted, ended_at }))
        )
      assert.sameDeepMembers(yield* found(business), [
        { trip_id: deleted.trip_id, deleted: true, ended_at: null },
        { trip_id: ended.trip_id, deleted: false, ended_at: at("19:00:00") }
      ])
      assert.deepStrictEqual(yield* found(other), [])
      assert.deepStrictEqual(yield* tracking.find(business, []), [])
    })
  )

  it.effect("has one link at a time, while it is open", () =>
    Effect.gen(function* () {
      const tracking = yield* TrackingRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const { trip_id } = yield* newTrip(business)
      const [first, second] = [unique("link"), unique("link")]
      const tripOf = (hash: string) =>
        Effect.map(
          tracking.findByLink(business, hash),
          Option.map((trip): TripId => trip.trip_id)
        )
      assert.isFalse(yield* tracking.setLink(other, trip_id, first, now))
      assert.isTrue(yield* tracking.setLink(business, trip_id, first, now))
      assert.deepStrictEqual(yield* tripOf(first), Option.some(trip_id))
      assert.deepStrictEqual(yield* tracking.findByLink(other, first), Option.none())
      assert.isTrue(yield* tracking.setLink(business, trip_id, second, now))
      assert.deepStrictEqual(yield* tripOf(first), Option.none())
      assert.deepStrictEqual(yield* tripOf(second), Option.some(trip_id))
      assert.isFalse(yield* tracking.removeLink(other, trip_id))
      assert.isTrue(yield* tracking.removeLink(business, trip_id))
      assert.isFalse(yield* tracking.removeLink(business, trip_id))
      assert.deepStrictEqual(yield* tripOf(second), Option.none())
      yield* changeTrip(business, trip_id, { status: "completed", completed_at: now })
      assert.isFalse(yield* tracking.setLink(business, trip_id, second, now))
    })
  )
})
