/** The contract of `TripFareRepository`. */
import { type ComputedFare, Currency, Tariff, TariffRepository, TripFareRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newTrip, now } from "./Given.ts"

/** A fare of one line. */
export const computedFare = (total_amount: number): ComputedFare => ({
  engine_version: 1,
  inputs: {
    pickup_local: "2026-12-24 18:00:00",
    trip_type: "transfer",
    arrival: "address",
    pickup: { postal_code: null, lat: 47.4, lng: 8.5, airport: null },
    dropoff: { postal_code: "8001", lat: null, lng: null, airport: "ZRH" },
    stop_minutes: [],
    distance_m: 1000,
    duration_minutes: null,
    route_source: null,
    passengers: 1,
    luggage: 0,
    child_seats: [],
    meet_and_greet: false,
    waiting_minutes: 0,
    tolls_minor: 0,
    outcome: "ride",
    notice: null
  },
  fare: {
    vehicle_class: "sedan",
    lines: [{ step: "base", rule: "base", name: null, inputs: {}, of_amount: null, amount: total_amount }],
    total_amount,
    tax_amount: 0
  }
})

/** The fare of a trip of a business by a new tariff, not stored yet. */
export const newTripFare = Effect.fnUntraced(function* (
  business_id: Effect.Success<typeof newBusiness>,
  trip_id: Effect.Success<ReturnType<typeof newTrip>>["trip_id"]
) {
  const tariffs = yield* TariffRepository
  const currency = Currency.make("USD")
  const content = Tariff.make({ name: "Prices", currency, distance_unit: "km", classes: [] })
  const { tariff_id } = yield* tariffs.insert(business_id, { content, valid_from: null }, now)
  return {
    business_id,
    trip_id,
    tariff_id,
    tariff_version: 1,
    currency,
    quoted: computedFare(45),
    final: null
  }
})

export const tripFareRepository = contract("the fare of a trip", (it) => {
  it.effect("is returned as stored, to its own business alone, and replaced as a whole", () =>
    Effect.gen(function* () {
      const fares = yield* TripFareRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const { trip_id } = yield* newTrip(business)
      assert.deepStrictEqual(yield* fares.find(business, trip_id), Option.none())
      const fare = yield* newTripFare(business, trip_id)
      for (const stored of [fare, { ...fare, final: computedFare(55.5) }, fare]) {
        yield* fares.store(stored)
        assert.deepStrictEqual(yield* fares.find(business, trip_id), Option.some(stored))
      }
      assert.deepStrictEqual(yield* fares.find(other, trip_id), Option.none())
    })
  )

  it.effect("is found among those of several trips of its business", () =>
    Effect.gen(function* () {
      const fares = yield* TripFareRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const [first, second, unpriced] = [
        yield* newTrip(business),
        yield* newTrip(business),
        yield* newTrip(business)
      ]
      const stored = [
        yield* newTripFare(business, first.trip_id),
        yield* newTripFare(business, second.trip_id)
      ]
      for (const fare of stored) yield* fares.store(fare)
      const ids = [second.trip_id, unpriced.trip_id, first.trip_id]
      assert.deepStrictEqual(yield* fares.ofTrips(business, ids), stored)
      assert.deepStrictEqual(yield* fares.ofTrips(business, []), [])
      assert.deepStrictEqual(yield* fares.ofTrips(other, ids), [])
    })
  )
})
