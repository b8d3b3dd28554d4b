/** The contract of `DriverPayRepository`. */
import {
  Currency,
  DatedPayScheme,
  DriverPayRepository,
  DriverRepository,
  TripFareRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { at, contract } from "./Contract.ts"
import { assign, changeTrip, newBusiness, newDriver, newTrip, now, setStatus } from "./Given.ts"
import { computedFare, newTripFare } from "./TripFareRepository.ts"

const scheme = (name: string) =>
  Schema.decodeSync(DatedPayScheme)({ valid_from: "2026-01-01", name, currency: "USD", flat: 20 })

export const driverPayRepository = contract("the pay of a driver", (it) => {
  it.effect("is no scheme at first, and is replaced as a whole, for the driver's business alone", () =>
    Effect.gen(function* () {
      const pay = yield* DriverPayRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const driver_id = yield* newDriver(business)
      const terms = { driver_id, name: "Dan" }
      assert.deepStrictEqual(yield* pay.find(business, driver_id), Option.some({ ...terms, schemes: [] }))
      for (const schemes of [[scheme("One"), scheme("Two")], [scheme("Three")], []]) {
        yield* pay.store(business, driver_id, schemes, now)
        assert.deepStrictEqual(yield* pay.find(business, driver_id), Option.some({ ...terms, schemes }))
      }
      assert.deepStrictEqual(yield* pay.find(other, driver_id), Option.none())
    })
  )

  it.effect("is found for a deleted driver who has had trips, and is no obstacle to deleting one", () =>
    Effect.gen(function* () {
      const pay = yield* DriverPayRepository
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      const [busy, idle] = [yield* newDriver(business), yield* newDriver(business)]
      yield* assign(yield* newTrip(business), busy, "completed")
      for (const driver of [busy, idle]) {
        yield* pay.store(business, driver, [scheme("One")], now)
        yield* drivers.remove(business, driver, now)
      }
      assert.isTrue(Option.isSome(yield* pay.find(business, busy)))
      assert.isTrue(Option.isNone(yield* pay.find(business, idle)))
    })
  )

  it.effect(
    "is for the completed trips of a time, with the drivers who completed them and the last fare",
    () =>
      Effect.gen(function* () {
        const pay = yield* DriverPayRepository
        const fares = yield* TripFareRepository
        const business = yield* newBusiness
        const [driver, colleague] = [yield* newDriver(business), yield* newDriver(business)]
        const done = { status: "completed" } as const
        const priced = { currency: Currency.make("USD"), total_minor: 5550, duration_minutes: 30 }
        const trip = yield* newTrip(business, { trip_date: at("11:00:00"), ...priced })
        yield* assign(trip, colleague, "completed")
        yield* assign(trip, colleague, "completed")
        const { assignment_id } = yield* assign(trip, driver)
        yield* setStatus(business, assignment_id, "en_route", at("10:45:00"))
        yield* setStatus(business, assignment_id, "completed", at("11:40:00"))
        yield* changeTrip(business, trip.trip_id, done)
        yield* fares.store({
          ...(yield* newTripFare(business, trip.trip_id)),
          final: computedFare(55.5)
        })
        const plain = yield* newTrip(business, { trip_date: at("10:00:00") })
        yield* assign(plain, driver, "completed")
        yield* changeTrip(business, plain.trip_id, done)
        for (const [trip_date, status, change] of [
          ["09:59:59", "completed", done],
          ["12:00:00", "completed", done],
          ["11:00:00", "cancelled", done],
          ["11:00:00", "completed", { status: "cancelled" }],
          ["11:00:00", "completed", { ...done, deleted_at: now }]
        ] as const) {
          const other = yield* newTrip(business, { trip_date: at(trip_date) })
          yield* assign(other, driver, status)
          yield* changeTrip(business, other.trip_id, change)
        }
        const reopened = yield* newTrip(business, { trip_date: at("11:00:00") })
        const { assignment_id: earlier } = yield* assign(reopened, driver, "completed")
        yield* changeTrip(business, reopened.trip_id, { ...done, reopened_after: earlier })
        const within = { from: at("10:00:00"), before: at("12:00:00") }
        const [first, second, ...others] = yield* pay.completedTrips(business, driver, within)
        assert.deepInclude(first, {
          trip_id: plain.trip_id,
          fare: null,
          fare_currency: null,
          total_minor: null,
          en_route_at: null
        })
        assert.deepStrictEqual(second, {
          trip_id: trip.trip_id,
          reference: trip.reference,
          trip_date: at("11:00:00"),
          duration_minutes: 30,
          pickup_address: "Here",
          dropoff_address: "There",
          currency: priced.currency,
          total_minor: 5550,
          drivers: [colleague, driver],
          en_route_at: at("10:45:00"),
          done_at: at("11:40:00"),
          fare: computedFare(55.5),
          fare_currency: priced.currency
        })
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual(yield* pay.completedTrips(yield* newBusiness, driver, within), [])
      })
  )
})
