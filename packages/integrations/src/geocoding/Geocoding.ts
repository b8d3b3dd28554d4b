/**
 * The domain's `PlaceFinder` over a server with the HTTP API of Photon or Nominatim. While the server is unavailable, no place is
 * found, and visitors type the address.
 */
import { monotonicMillis, PlaceFinder, type PlaceQuery } from "@livery/domain"
import { Data, Duration, Effect, Layer, Ref } from "effect"
import { fetchLimited } from "../outgoing/LimitedFetch.ts"
import type { GeocodingKind } from "./GeocodingAddress.ts"
import { placesIn, searchAddress } from "./GeocodingResponses.ts"

class GeocodingUnavailable extends Data.TaggedError("GeocodingUnavailable")<{ readonly reason: string }> {}

/** How to reach the server. */
export interface GeocodingOptions {
  /** The address of its search. */
  readonly url: URL
  readonly kind: GeocodingKind
}

const timeout = Duration.seconds(3)
const cooldown = Duration.toMillis(Duration.seconds(10))
const maximumBytes = 256 * 1024

/** After a failure no request is sent for 10 seconds, so that only one visitor waits for the timeout of 3 seconds. */
export const layer = ({ kind, url }: GeocodingOptions): Layer.Layer<never> =>
  Layer.effect(
    PlaceFinder,
    Effect.gen(function* () {
      const askAgainAt = yield* Ref.make(Number.NEGATIVE_INFINITY)

      const fetchPlaces = async (query: PlaceQuery, signal: AbortSignal) => {
        const body = await fetchLimited(searchAddress(url, kind, query), signal, {
          maximumBytes,
          statuses: [200],
          failure: (reason) => new GeocodingUnavailable({ reason })
        })
        return placesIn(kind, body.toString("utf8"))
      }

      return Effect.fnUntraced(function* (query: PlaceQuery) {
        const now = yield* monotonicMillis
        if (now < (yield* Ref.get(askAgainAt))) return []
        return yield* Effect.tryPromise({
          try: (signal) => fetchPlaces(query, signal),
          catch: (cause) =>
            cause instanceof GeocodingUnavailable
              ? cause
              : new GeocodingUnavailable({ reason: "the response is not one of its kind" })
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new GeocodingUnavailable({ reason: "it took too long" }))
          }),
          Effect.catch(({ reason }) =>
            Effect.as(
              Effect.andThen(
                Ref.set(askAgainAt, now + cooldown),
                Effect.logWarning("geocoding server unavailable, no places are found", { reason })
              ),
              []
            )
          )
        )
      })
    })
  )
