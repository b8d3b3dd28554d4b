/** Asks a routing server that speaks OSRM's HTTP API, version 1, with a limit of size. */
import { Data, Result, Schema } from "effect"

/** Where a way goes through, in degrees. */
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

const readBody = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > maximumBytes) throw new RoutingUnavailable({ reason: "the response is too large" })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

const NotNegative = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

const Found = Schema.Struct({
  code: Schema.Literal("Ok"),
  routes: Schema.NonEmptyArray(Schema.Struct({ distance: NotNegative, duration: NotNegative }))
})

/** The server works, and has no way for these points. */
const NotFound = Schema.Struct({
  code: Schema.Literals(["NoRoute", "NoSegment", "TooBig", "InvalidValue", "InvalidQuery"])
})

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Union([Found, NotFound])))

/** A way on roads: metres and seconds. */
export interface RoadWay {
  readonly metres: number
  readonly seconds: number
}

/** The address of a request for the way through the points. */
export const routeAddress = (base: URL, profile: string, points: ReadonlyArray<Point>): URL => {
  const through = points.map(({ lat, lng }) => `${lng.toFixed(6)},${lat.toFixed(6)}`).join(";")
  const folder = base.pathname.replace(/\/+$/u, "")
  return new URL(`${folder}/route/v1/${profile}/${through}?overview=false&steps=false`, base)
}

/**
 * The way at an address; null where the server has none for its points. Redirects are not followed. Everything else is
 * `RoutingUnavailable`, an abort of `signal` included.
 */
export const fetchWay = async (address: URL, signal: AbortSignal): Promise<RoadWay | null> => {
  try {
    const response = await fetch(address, {
      signal,
      redirect: "manual",
      headers: { accept: "application/json" }
    })
    // OSRM responds with 400 where it has no way.
    if (response.status !== 200 && response.status !== 400) {
      await response.body?.cancel()
      throw new RoutingUnavailable({ reason: `it responded with ${response.status}` })
    }
    const body = decode(await readBody(response))
    if (Result.isFailure(body)) throw new RoutingUnavailable({ reason: "the response is not one of OSRM" })
    if (body.success.code !== "Ok") return null
    const [{ distance, duration }] = body.success.routes
    return { metres: distance, seconds: duration }
  } catch (cause) {
    if (cause instanceof RoutingUnavailable) throw cause
    const reason = signal.aborted ? "it took too long" : "it could not be reached"
    throw new RoutingUnavailable({ reason, cause })
  }
}
