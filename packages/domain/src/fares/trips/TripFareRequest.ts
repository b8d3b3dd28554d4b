/** The request for the fare of a trip. */
import { Effect, Schema } from "effect"
import { rideInputs } from "../../trips/trip/RideInputs.ts"
import { FareRequest } from "../estimates/FareRequest.ts"

const StopsOfTrip = Schema.Array(
  Schema.Struct({
    lat: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
    lng: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
    minutes: Schema.optionalKey(Schema.NullOr(Schema.Int))
  })
)

/**
 * The request for the fare of a trip, given by its fields as in requests or responses. They were checked as fields
 * of a trip, so they are valid in a fare request too.
 */
export const fareRequestOfTrip = (trip: Readonly<Record<string, unknown>>): Effect.Effect<FareRequest> =>
  Effect.orDie(
    Effect.gen(function* () {
      const stops = yield* Schema.decodeUnknownEffect(StopsOfTrip)(trip["stops"] ?? [])
      const fields = Object.fromEntries(rideInputs.map((name) => [name, trip[name] ?? null]))
      return yield* Schema.decodeUnknownEffect(FareRequest)({ ...fields, stops })
    })
  )
