/** Distance and time between places: the port, and its default, which needs no map. */
import { Context, Effect, Layer } from "effect"
import type { Point } from "./Geometry.ts"
import type { RoutingSettings } from "./Route.ts"
import { type Route, greatCircleRoute } from "./Route.ts"

/**
 * The port to a routing service. `route` returns the route through the points in order. It does not fail: an adapter
 * that gets no result in time returns the default for the settings.
 */
export class Routing extends Context.Service<
  Routing,
  {
    readonly route: (points: ReadonlyArray<Point>, settings: RoutingSettings) => Effect.Effect<Route>
  }
>()("@livery/domain/Routing") {
  /** The default, {@link greatCircleRoute}. */
  static readonly layerGreatCircle = Layer.succeed(
    Routing,
    Routing.of({ route: (points, settings) => Effect.sync(() => greatCircleRoute(points, settings)) })
  )
}
