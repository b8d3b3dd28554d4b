import { CarId, type Currency, Transaction, TripId, TripRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, TestPersistence, newBusiness, newCar } from "../support/TestPersistence.ts"
import { insert, now, tripOf, insertTrip } from "./StoredTrips.ts"

/** The fields that a new trip does not have yet. */
const fresh = {
  driver_status: "unassigned",
  invoice_id: null,
  cancel_reason: null,
  cancelled_by: null,
  cancellation_fee_minor: null,
  cancelled_at: null,
  completed_at: null,
  drivers: [],
  former_drivers: [],
  reopened_after: null
}

layer(TestPersistence)("a trip", (it) => {
  it.effect("is read as it was stored", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const business = yield* newBusiness()
      const given = tripOf(business, {
        trip_type: "airport_arrival",
        trip_date: at("23:59:59"),
        pickup_postal_code: "8058",
        pickup_lat: -89.999999999999,
        pickup_lng: 8.12345678901234,
        dropoff_postal_code: "",
        dropoff_lat: 0.1 + 0.2,
        dropoff_lng: 180,
        customer_email: "ada@example.com",
        customer_phone: "+44",
        car_id: CarId.make(yield* newCar(business)),
        total_minor: 1_000_000_000_000,
        currency: "KWD" as Currency,
        flight_number: "LX 1611",
        terminal: "2E",
        participants_count: 10_000,
        notes: 'it\'s "quoted"; $1 \\ 🚘\n',
        special_requirements: "車椅子"
      })
      const { trip: stored } = Option.getOrThrow(yield* insertTrip(given))
      const { trip_id } = stored
      assert.deepStrictEqual({ ...stored }, { ...given, ...fresh, trip_id, created_at: now, updated_at: now })
      assert.deepStrictEqual(yield* trips.find(business, trip_id), Option.some(stored))
    })
  )

  it.effect("of a change that was rolled back is absent", () =>
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const business = yield* newBusiness()
      const stored: Array<TripId> = []
      const change = Effect.tap(insert(business), ({ trip_id }) => Effect.sync(() => stored.push(trip_id)))
      yield* Effect.ignore(transaction.run(Effect.andThen(change, Effect.fail("no"))))
      const [tripId = TripId.make(1)] = stored
      const trips = yield* TripRepository
      assert.lengthOf(stored, 1)
      assert.isTrue(Option.isNone(yield* trips.find(business, tripId)))
    })
  )
})
