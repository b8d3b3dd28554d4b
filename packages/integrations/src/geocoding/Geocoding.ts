/**
 * The domain's `PlaceFinder` over a server with the HTTP API of Photon or Nominatim. While the server is unavailable, no place is
 * found, and visitors type the address.
 */
import { monotonicMillis, PlaceFinder, type PlaceQuery } from "@livery/domain"
import { Data, Duration, Effect, Layer, Ref } from "effect"
import { sendLimited } from "../outgoing/LimitedFetch.ts"
import type { GeocodingKind } from "./GeocodingAddress.ts"
import { placesIn, searchAddress } from "./GeocodingResponses.ts"

/** `isPassing`: the server is away or overloaded, so that other requests would fail as well. */
class GeocodingFailed extends Data.TaggedError("GeocodingFailed")<{
  readonly reason: string
  readonly isPassing: boolean
}> {}

/** How to reach the server. */
export interface GeocodingOptions {
  /** The address of its search. */
  readonly url: URL
  readonly kind: GeocodingKind
}

const timeout = Duration.seconds(3)
const cooldown = Duration.toMillis(Duration.seconds(10))
const maximumBytes = 256 * 1024
/** Success, and the statuses of a server that is overloaded or broken. */
const statuses = [200, 429, ...Array.from({ length: 100 }, (_, index) => 500 + index)]

/** After the server could not be reached, was too slow, overloaded or broken, no request is sent for 10 seconds, so that only one visitor waits for the timeout of 3 seconds. */
export const layer = ({ kind, url }: GeocodingOptions): Layer.Layer<never> =>
  Layer.effect(
    PlaceFinder,
    Effect.gen(function* () {
      const askAgainAt = yield* Ref.make(Number.NEGATIVE_INFINITY)

      const fetchPlaces = async (query: PlaceQuery, signal: AbortSignal) => {
        const { body, status } = await sendLimited(
          searchAddress(url, kind, query),
          { signal },
          {
            maximumBytes,
            statuses,
            // Any other status is about this query. A cause is a connection that failed; without one, the response was refused.
            failure: (reason, cause) => new GeocodingFailed({ reason, isPassing: cause !== undefined })
          }
        )
        if (status !== 200)
          throw new GeocodingFailed({
            reason: `it responded with ${status}`,
            isPassing: true
          })
        return placesIn(kind, body.toString("utf8"))
      }

      return Effect.fnUntraced(function* (query: PlaceQuery) {
        const now = yield* monotonicMillis
        if (now < (yield* Ref.get(askAgainAt))) return []
        return yield* Effect.tryPromise({
          try: (signal) => fetchPlaces(query, signal),
          catch: (cause) =>
            cause instanceof GeocodingFailed
              ? cause
              : new GeocodingFailed({ reason: "the response is not one of its kind", isPassing: false })
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new GeocodingFailed({ reason: "it took too long", isPassing: true }))
          }),
          Effect.catch(({ isPassing, reason }) =>
            Effect.gen(function* () {
              if (isPassing) yield* Ref.set(askAgainAt, now + cooldown)
              yield* Effect.logWarning("the geocoding server failed, no places are found", { reason })
              return []
            })
          )
        )
      })
    })
  )
