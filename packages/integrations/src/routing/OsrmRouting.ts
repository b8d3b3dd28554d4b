/**
 * The domain's `Routing` over a server with OSRM's HTTP API. While the server is unavailable, routes are the domain's own
 * estimates, so that a business still gets prices.
 */
import { greatCircleRoute, Routing } from "@livery/domain"
import { Clock, Duration, Effect, Layer, Ref } from "effect"
import { fetchWay, routeAddress, RoutingUnavailable } from "./OsrmResponse.ts"

/** How to reach the server. */
export interface OsrmOptions {
  /** Its address, to which `/route/v1/…` is added. */
  readonly url: URL
  /** The profile of its map, `driving` by default. */
  readonly profile?: string | undefined
  /** The time for one response; 2 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** How long after a failure no request is sent; 10 seconds by default. */
  readonly cooldown?: Duration.Input | undefined
}

/**
 * Routes on roads: whole metres, and minutes rounded up. While the server is unavailable, and where it finds no route, the
 * estimate of `greatCircleRoute`. After a failure no request is sent during the cooldown, so that estimates wait for the
 * timeout once and not each time.
 */
export const layer = (options: OsrmOptions): Layer.Layer<Routing> =>
  Layer.effect(
    Routing,
    Effect.gen(function* () {
      const timeout = options.timeout ?? "2 seconds"
      const cooldown = Duration.toMillis(options.cooldown ?? "10 seconds")
      const profile = options.profile ?? "driving"
      const requestAgainAt = yield* Ref.make(Number.NEGATIVE_INFINITY)

      const failed = Effect.fnUntraced(function* ({ reason }: RoutingUnavailable) {
        const now = yield* Clock.currentTimeMillis
        yield* Ref.set(requestAgainAt, now + cooldown)
        yield* Effect.logWarning("routing server unavailable, distances are estimated", { reason })
        return null
      })

      const ask = (address: URL) =>
        Effect.tryPromise({
          try: (signal) => fetchWay(address, signal),
          catch: (cause) =>
            cause instanceof RoutingUnavailable
              ? cause
              : new RoutingUnavailable({ reason: "it could not be reached", cause })
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new RoutingUnavailable({ reason: "it took too long" }))
          }),
          Effect.catch(failed)
        )

      const route = Effect.fn("Routing.route")(function* (
        ...[points, settings]: Parameters<(typeof Routing.Service)["route"]>
      ) {
        const estimate = greatCircleRoute(points, settings)
        const now = yield* Clock.currentTimeMillis
        if (points.length < 2 || now < (yield* Ref.get(requestAgainAt))) return estimate
        const way = yield* ask(routeAddress(options.url, profile, points))
        return way === null
          ? estimate
          : {
              distance_m: Math.round(way.metres),
              duration_minutes: Math.ceil(way.seconds / 60),
              source: "road" as const
            }
      })

      return Routing.of({ route })
    })
  )
