/** Books a trip in memory, without a database. */
import { Effect, Layer, Schema } from "effect"
import { ActingBusiness, TripInput, Trips } from "@livery/domain"
import { Memory, Store } from "@livery/memory"

const program = Effect.gen(function* () {
  const business = yield* Schema.decodeUnknownEffect(ActingBusiness)({
    business_id: 1,
    business_name: "Lovelace Limousines",
    status: "A",
    currency: "CHF",
    timezone: "Europe/Zurich"
  })
  const input = yield* Schema.decodeEffect(TripInput)({
    trip_date: "2026-12-24T17:30:00",
    pickup_address: "Airport",
    dropoff_address: "Grand Hotel",
    customer_name: "Charles Babbage",
    total_amount: 129.5
  })
  const trips = yield* Trips
  const trip = yield* trips.create(business, input)
  yield* Effect.log(
    `${trip.reference} is ${trip.status}; it may become ${trip.allowed_transitions.join(", ")}`
  )
  const { events } = yield* Store
  for (const { type } of events.where()) yield* Effect.log(`${type} was recorded`)
})

await Effect.runPromise(program.pipe(Effect.provide(Trips.layer.pipe(Layer.provideMerge(Memory.layer)))))
