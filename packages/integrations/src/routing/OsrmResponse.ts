/** Requests routes from a server with OSRM's HTTP API, version 1. */
import { Data, Result, Schema } from "effect"
import { fetchLimited } from "../outgoing/LimitedFetch.ts"

/** A point of a route, in degrees. */
interface Point {
  readonly lat: number
  readonly lng: number
}

/** The server cannot be reached, or does not respond as a routing server does. */
export class RoutingUnavailable extends Data.TaggedError("RoutingUnavailable")<{
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `The routing server is not available: ${this.reason}`
  }
}

/** The largest response, in bytes. Without geometry it has a few hundred for each point. */
const maximumBytes = 64 * 1024

const NotNegative = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

const Found = Schema.Struct({
  code: Schema.Literal("Ok"),
  routes: Schema.NonEmptyArray(Schema.Struct({ distance: NotNegative, duration: NotNegative }))
})

/** The server works, and has no route for these points. */
const NotFound = Schema.Struct({
  code: Schema.Literals(["NoRoute", "NoSegment", "TooBig", "InvalidValue", "InvalidQuery"])
})

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Union([Found, NotFound])))

/** A route on roads. */
export interface RoadRoute {
  readonly metres: number
  readonly seconds: number
}

/** The address of a request for the route through the points. */
export const routeAddress = (base: URL, profile: string, points: ReadonlyArray<Point>): URL => {
  const through = points.map(({ lat, lng }) => `${lng.toFixed(6)},${lat.toFixed(6)}`).join(";")
  const folder = base.pathname.replace(/\/+$/u, "")
  return new URL(`${folder}/route/v1/${profile}/${through}?overview=false&steps=false`, base)
}

/**
 * The route at an address; null if the server has none for its points. Redirects are not followed. Everything else is
 * `RoutingUnavailable`, also an abort of `signal`.
 */
export const fetchRoute = async (address: URL, signal: AbortSignal): Promise<RoadRoute | null> => {
  const body = await fetchLimited(address, signal, {
    maximumBytes,
    // OSRM responds with 400 if it has no route.
    statuses: [200, 400],
    failure: (reason, cause) => new RoutingUnavailable({ reason, cause })
  })
  const decoded = decode(body.toString("utf8"))
  if (Result.isFailure(decoded)) throw new RoutingUnavailable({ reason: "the response is not one of OSRM" })
  if (decoded.success.code !== "Ok") return null
  const [{ distance, duration }] = decoded.success.routes
  return { metres: distance, seconds: duration }
}
