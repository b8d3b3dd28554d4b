/**
 * The inputs of a fare: plain data that is stored with the fare, so that it can be computed again exactly.
 *
 * The inputs are resolved values: the local time instead of the instant and its zone, the distance instead of the
 * route. So a fare does not depend on later versions of the time-zone database or the map.
 */
import { Schema } from "effect"
import { Latitude, Longitude } from "../../kernel/fields/Coordinates.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { ArrivalKind } from "../../trips/trip/RideInputs.ts"
import { TripType } from "../../trips/trip/TripStatus.ts"
import { RouteSource } from "../../routing/Route.ts"

const StoredPlace = Schema.Struct({
  postal_code: Schema.NullOr(Schema.String),
  lat: Schema.NullOr(Latitude),
  lng: Schema.NullOr(Longitude),
  airport: Schema.NullOr(Schema.String)
})

/** The outcome of a ride: driven, cancelled by the customer, no-show, or cancelled at no cost to the customer. */
export const FareOutcome = Schema.Literals(["ride", "cancelled", "no_show", "waived"])
export type FareOutcome = typeof FareOutcome.Type

/**
 * How long before the pickup a trip was cancelled: in minutes (negative after the pickup), and in calendar days on the
 * business's clock.
 */
export const CancellationNotice = Schema.Struct({ minutes: Schema.Int, days: Schema.Int })
export type CancellationNotice = typeof CancellationNotice.Type

/**
 * `pickup_local` is the pickup time on the business's clock, `YYYY-MM-DD HH:MM:SS`. `distance_m` and `duration_minutes`
 * include the stops, are for one way of a round trip, and are null if unknown. `route_source` is null unless they were
 * estimated. `tolls_minor` are tolls at cost, in minor units.
 */
export const FareInputs = Schema.Struct({
  pickup_local: Value.localTime.wire,
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
