/**
 * The domain's `Routing` over a server with OSRM's HTTP API. While the server is unavailable, routes are the domain's own
 * estimates, so that a business still gets prices.
 */
import { greatCircleRoute, monotonicMillis, Routing, traced } from "@livery/domain"
import { Duration, Effect, Layer, Ref } from "effect"
import { fetchRoute, routeAddress, RoutingUnavailable } from "./OsrmResponse.ts"

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
 * Routes are on roads, in whole metres and in minutes rounded up. While the server is unavailable, or if it finds no
 * route, the route is the estimate of `greatCircleRoute`. After a failure no request is sent during the cooldown, so that
 * only one caller waits for the timeout.
 */
export const layer = (options: OsrmOptions): Layer.Layer<Routing> =>
  Layer.effect(
    Routing,
    Effect.gen(function* () {
      const timeout = options.timeout ?? "2 seconds"
      const cooldown = Duration.toMillis(options.cooldown ?? "10 seconds")
      const profile = options.profile ?? "driving"
      const requestAgainAt = yield* Ref.make(Number.NEGATIVE_INFINITY)

      const startCooldown = Effect.fnUntraced(function* ({ reason }: RoutingUnavailable) {
        const now = yield* monotonicMillis
        yield* Ref.set(requestAgainAt, now + cooldown)
        yield* Effect.logWarning("routing server unavailable, distances are estimated", { reason })
        return null
      })

      const ask = (address: URL) =>
        Effect.tryPromise({
          try: (signal) => fetchRoute(address, signal),
          catch: (cause) =>
            cause instanceof RoutingUnavailable
              ? cause
              : new RoutingUnavailable({ reason: "it could not be reached", cause })
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new RoutingUnavailable({ reason: "it took too long" }))
          }),
          Effect.catch(startCooldown)
        )

      const route = traced("Routing.route")(function* (
        ...[points, settings]: Parameters<(typeof Routing.Service)["route"]>
      ) {
        const estimate = greatCircleRoute(points, settings)
        const now = yield* monotonicMillis
        if (points.length < 2 || now < (yield* Ref.get(requestAgainAt))) return estimate
        const road = yield* ask(routeAddress(options.url, profile, points))
        return road === null
          ? estimate
          : {
              distance_m: Math.round(road.metres),
              duration_minutes: Math.ceil(road.seconds / 60),
              source: "road" as const
            }
      })

      return Routing.of({ route })
    })
  )
