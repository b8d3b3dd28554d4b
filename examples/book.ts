/** Books a trip for the business whose id is the argument, on the PostgreSQL of the settings. */
import { Effect, Layer, Schema } from "effect"
import { Livery, Settings } from "@livery/cli"
import { BusinessId, Businesses, TripInput, Trips } from "@livery/domain"

const program = Effect.gen(function* () {
  const businesses = yield* Businesses
  const id = yield* Schema.decodeEffect(BusinessId)(Number(process.argv[2]))
  const business = yield* businesses.acting(id)
  const input = yield* Schema.decodeEffect(TripInput)({
    trip_date: "2030-12-24T17:30:00",
    pickup_address: "Airport",
    dropoff_address: "Grand Hotel",
    customer_name: "Charles Babbage",
    total_amount: 129.5
  })
  const trips = yield* Trips
  const trip = yield* trips.create(business, input)
  yield* Effect.log(`${trip.reference} of ${business.business_name}: ${trip.total_amount} ${trip.currency}`)
})

await Effect.runPromise(program.pipe(Effect.provide(Livery.pipe(Layer.provide(Settings.layer)))))
