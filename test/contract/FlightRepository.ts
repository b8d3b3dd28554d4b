/** The contract of `FlightRepository`. */
import { type BusinessId, defaultFlightSettings, FlightRepository, type TripId } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { at, atOnce, contract } from "./Contract.ts"
import { changeTrip, newBusiness, newTrip, now } from "./Given.ts"

const due = (time: string, change: object = {}) => ({
  now: at(time),
  from: at("06:00:00"),
  until: at("15:00:00"),
  dueAgain: DateTime.add(at(time), { minutes: 5 }),
  limit: 10,
  ...change
})

/** The trips whose checks are claimed. */
const claimed = Effect.fnUntraced(function* (business: BusinessId, time: string, change?: object) {
  const { claim } = yield* FlightRepository
  return (yield* claim(business, due(time, change))).map(({ trip_id }): TripId => trip_id)
})

const arrival = (business: BusinessId, time: string, change: object = {}) =>
  Effect.map(
    newTrip(business, { flight_number: "LX 8", trip_date: at(time), ...change }),
    (trip) => trip.trip_id
  )

export const flightRepository = contract("the check of a flight", (it) => {
  it.effect("belongs to a business that follows flights", () =>
    Effect.gen(function* () {
      const flights = yield* FlightRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      assert.deepStrictEqual(yield* flights.settings(business), defaultFlightSettings)
      const settings = { ...defaultFlightSettings, enabled: true, buffer_minutes: 20 }
      yield* flights.save(business, settings)
      yield* flights.save(other, { ...settings, enabled: false })
      assert.deepStrictEqual(yield* flights.settings(business), settings)
      const following = yield* flights.businesses(null, 1000)
      const found = following.find(({ acting }) => acting.business_id === business)
      assert.deepStrictEqual(found?.settings, settings)
      assert.isFalse(following.some(({ acting }) => acting.business_id === other))
      assert.isFalse(
        (yield* flights.businesses(business, 1000)).some(({ acting }) => acting.business_id === business)
      )
    })
  )

  it.effect("is claimed once until it is due again, for open trips with a flight in the period", () =>
    Effect.gen(function* () {
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [late, early] = [yield* arrival(business, "15:00:00"), yield* arrival(business, "06:00:00")]
      yield* arrival(business, "15:00:01")
      yield* arrival(business, "05:59:59")
      yield* arrival(other, "12:00:00")
      yield* newTrip(business, { trip_date: at("12:00:00") })
      const ended = yield* arrival(business, "12:00:00")
      yield* changeTrip(business, ended, { status: "completed", completed_at: now })
      assert.deepStrictEqual(yield* claimed(business, "12:00:00", { limit: 1 }), [early])
      assert.deepStrictEqual(yield* claimed(business, "12:00:00"), [late])
      assert.deepStrictEqual(yield* claimed(business, "12:04:59"), [])
      assert.sameMembers(yield* claimed(business, "12:05:00"), [early, late])
    })
  )

  it.effect("is claimed by one of several nodes", () =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      const trip = yield* arrival(business, "12:00:00")
      const all = yield* atOnce(5, () => claimed(business, "11:00:00"))
      assert.deepStrictEqual(all.flat(), [trip])
    })
  )

  it.effect("keeps what was recorded, and begins anew with another flight number", () =>
    Effect.gen(function* () {
      const flights = yield* FlightRepository
      const business = yield* newBusiness
      const trip_id = yield* arrival(business, "12:00:00")
      assert.isUndefined(yield* flights.check(business, trip_id))
      yield* claimed(business, "11:00:00")
      const check = { trip_id, booked_for: at("12:00:00"), set_to: at("12:30:00"), failures: 2 }
      yield* flights.record(business, check, at("11:30:00"))
      assert.deepStrictEqual(yield* flights.check(business, trip_id), check)
      assert.deepStrictEqual(yield* claimed(business, "11:29:59"), [])
      assert.deepStrictEqual(yield* flights.claim(business, due("11:30:00")), [check])
      yield* changeTrip(business, trip_id, { trip_date: at("16:00:00") })
      assert.deepStrictEqual(yield* claimed(business, "11:35:00"), [trip_id])
      yield* flights.record(business, check, null)
      assert.deepStrictEqual(yield* claimed(business, "14:00:00"), [])
      yield* changeTrip(business, trip_id, { flight_number: "BA 117" })
      const anew = { trip_id, booked_for: null, set_to: null, failures: 0 }
      assert.deepStrictEqual(yield* flights.claim(business, due("14:00:00")), [anew])
    })
  )
})
