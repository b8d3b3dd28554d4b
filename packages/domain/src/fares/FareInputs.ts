/**
 * What a fare is computed from: plain data that is stored with it, so that it can be computed again to the cent.
 *
 * It holds results, not questions: the wall clock instead of the instant and its zone, the distance instead of the
 * route. A fare therefore depends on no time-zone database and no map of its day.
 */
import { Schema } from "effect"
import { Latitude, Longitude } from "../kernel/fields/Coordinates.ts"
import { TripType } from "../trips/TripStatus.ts"
import { ArrivalKind } from "./Modifiers.ts"
import { RouteSource } from "../routing/Routing.ts"

const StoredPlace = Schema.Struct({
  postal_code: Schema.NullOr(Schema.String),
  lat: Schema.NullOr(Latitude),
  lng: Schema.NullOr(Longitude),
  airport: Schema.NullOr(Schema.String)
})

/** How a ride ended: driven, cancelled by the customer, not shown up for, or cancelled at no cost to the customer. */
export const FareOutcome = Schema.Literals(["ride", "cancelled", "no_show", "waived"])
export type FareOutcome = typeof FareOutcome.Type

/** How long before the pickup a trip was cancelled: minutes (negative: after it) and calendar days of the business. */
export const CancellationNotice = Schema.Struct({ minutes: Schema.Int, days: Schema.Int })
export type CancellationNotice = typeof CancellationNotice.Type

/**
 * `pickup_local` is the business's wall clock, `YYYY-MM-DD HH:MM:SS`. `distance_m` and `duration_minutes` are of one way
 * of a round trip and include the stops; null is unknown. `route_source` is null unless a way was estimated for them.
 * `tolls_minor` are tolls at cost, in minor units.
 */
export const FareInputs = Schema.Struct({
  pickup_local: Schema.String,
  trip_type: TripType,
  arrival: ArrivalKind,
  pickup: StoredPlace,
  dropoff: StoredPlace,
  stop_minutes: Schema.Array(Schema.Int),
  distance_m: Schema.NullOr(Schema.Int),
  duration_minutes: Schema.NullOr(Schema.Int),
  route_source: Schema.NullOr(RouteSource),
  passengers: Schema.Int,
  luggage: Schema.Int,
  child_seats: Schema.Array(Schema.Struct({ type: Schema.String, count: Schema.Int })),
  meet_and_greet: Schema.Boolean,
  waiting_minutes: Schema.Int,
  tolls_minor: Schema.Int,
  outcome: FareOutcome,
  notice: Schema.NullOr(CancellationNotice)
})
export type FareInputs = typeof FareInputs.Type
