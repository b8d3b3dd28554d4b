/** The request for the fare of a trip. */
import { Effect, Schema } from "effect"
import { FareRequest } from "../estimates/FareRequest.ts"

/** The fields of a trip that its fare depends on, besides its stops. */
const fareFields = [
  "trip_date",
  "trip_type",
  "pickup_postal_code",
  "pickup_lat",
  "pickup_lng",
  "dropoff_postal_code",
  "dropoff_lat",
  "dropoff_lng",
  "distance_m",
  "duration_minutes",
  "participants_count",
  "luggage_count",
  "child_seats"
] as const

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
      const fields = Object.fromEntries(fareFields.map((name) => [name, trip[name] ?? null]))
      return yield* Schema.decodeUnknownEffect(FareRequest)({ ...fields, stops })
    })
  )
