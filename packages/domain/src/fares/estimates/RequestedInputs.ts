/** The fare inputs that a request for a fare is resolved to. */
import { Effect, Option } from "effect"
import { instantOf, wallClock } from "../../kernel/time/WallClock.ts"
import { isTimed } from "../engine/BasePrice.ts"
import type { CompiledTariff } from "../compiled/CompiledTariff.ts"
import type { FareInputs } from "../engine/FareInputs.ts"
import type { Point } from "../../routing/Geometry.ts"
import { InvalidInput } from "../../kernel/Errors.ts"
import * as Money from "../../kernel/money/Money.ts"
import type { ArrivalKind } from "../../trips/trip/RideInputs.ts"
import { longestDistance } from "../../trips/trip/TripDetails.ts"
import { Routing } from "../../routing/Routing.ts"
import type { Route, RoutingSettings } from "../../routing/Route.ts"
import type { Place } from "../compiled/ZoneIndex.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { FareRequest } from "./FareRequest.ts"

const pickupOf = (request: FareRequest): Place => ({
  postal_code: request.pickup_postal_code,
  lat: request.pickup_lat,
  lng: request.pickup_lng,
  airport: request.pickup_airport
})

const dropoffOf = (request: FareRequest): Place => ({
  postal_code: request.dropoff_postal_code,
  lat: request.dropoff_lat,
  lng: request.dropoff_lng,
  airport: request.dropoff_airport
})

/** The points of the route in order, or null if one of them is unknown. */
const routePoints = ({ zones }: CompiledTariff, request: FareRequest): ReadonlyArray<Point> | null => {
  const stops = request.stops.map((stop) => ({ ...stop, postal_code: null, airport: null }))
  const points = [pickupOf(request), ...stops, dropoffOf(request)].map(zones.locate)
  return points.every((point) => point !== null) ? points : null
}

const isAirport = ({ zones }: CompiledTariff, place: Place) =>
  place.airport !== null || zones.find(place).some(zones.isAirport)

const arrivalOf = (tariff: CompiledTariff, request: FareRequest): ArrivalKind => {
  if (request.arrival !== null) return request.arrival
  return request.trip_type === "airport_arrival" || isAirport(tariff, pickupOf(request))
    ? "flight"
    : "address"
}

/** The tolls of a request in minor units of the tariff's currency; `InvalidInput` if they have more decimals or are too large. */
const tollsOf = ({ currency }: CompiledTariff, { tolls_amount }: FareRequest) =>
  Option.match(Money.fromMajor(tolls_amount ?? 0, currency), {
    onNone: () =>
      Effect.fail(
        new InvalidInput({
          issues: [{ field: "tolls_amount", ...Money.issueOfRefused(tolls_amount ?? 0, currency) }]
        })
      ),
    onSome: ({ minor }) => Effect.succeed(minor)
  })

/**
 * The inputs of a request. `route` is the estimated route, null if there is none; distance and duration in the request
 * take precedence over it. A trip that is priced by time has no separate waiting.
 */
const inputsOf = (
  tariff: CompiledTariff,
  request: FareRequest,
  timezone: string,
  route: Route | null,
  tolls: number
): FareInputs => ({
  pickup_local: wallClock(instantOf(request.trip_date, timezone), timezone),
  trip_type: request.trip_type,
  arrival: arrivalOf(tariff, request),
  pickup: pickupOf(request),
  dropoff: dropoffOf(request),
  stop_minutes: request.stops.map(({ minutes }) => minutes),
  distance_m: request.distance_m ?? route?.distance_m ?? null,
  duration_minutes: request.duration_minutes ?? route?.duration_minutes ?? null,
  route_source: route?.source ?? null,
  passengers: request.participants_count ?? 1,
  luggage: request.luggage_count ?? 0,
  child_seats: request.child_seats,
  meet_and_greet: request.meet_and_greet ?? false,
  waiting_minutes: isTimed(request.trip_type) ? 0 : (request.waiting_minutes ?? 0),
  tolls_minor: tolls,
  outcome: "ride",
  notice: null
})

/**
 * The settings of the business that a request depends on besides the tariff: its IANA time zone and how it estimates
 * routes.
 */
export interface FareSettings {
  readonly timezone: string
  readonly routing: RoutingSettings
}

/**
 * Resolves a request to fare inputs. The route is estimated only if the distance or the duration was not sent and all
 * points are known. It is not estimated for trips that are priced by time, because their duration is the booked one.
 */
export const fareInputs = traced("fareInputs")(function* (
  tariff: CompiledTariff,
  request: FareRequest,
  { routing, timezone }: FareSettings
) {
  const tolls = yield* tollsOf(tariff, request)
  const isRouteKnown = request.distance_m !== null && request.duration_minutes !== null
  const points = isRouteKnown || isTimed(request.trip_type) ? null : routePoints(tariff, request)
  if (points === null) return inputsOf(tariff, request, timezone, null, tolls)
  const { route } = yield* Routing
  const bounded = yield* Effect.map(route(points, routing), (estimated) => ({
    ...estimated,
    distance_m: Math.min(estimated.distance_m, longestDistance)
  }))
  return inputsOf(tariff, request, timezone, bounded, tolls)
})
