/** A route between places, and the estimate of one without a map. */
import { Schema } from "effect"
import { decimals } from "../kernel/fields/Decimals.ts"
import { between } from "../kernel/fields/FieldIssue.ts"
import { metresBetween, type Point } from "./Geometry.ts"

/**
 * How a business estimates a route without a map: the great-circle distance times `detour_factor`, at `speed_kmh`
 * kilometres an hour.
 */
export const RoutingSettings = Schema.Struct({
  detour_factor: Schema.Finite.check(between(1, 5), decimals(3)),
  speed_kmh: Schema.Finite.check(between(1, 200), decimals(3))
})
export type RoutingSettings = typeof RoutingSettings.Type

/** The settings of a business that has not set any. */
export const defaultRoutingSettings: RoutingSettings = { detour_factor: 1.3, speed_kmh: 50 }

/** Whether a route was estimated from great circles or found on roads. */
export const RouteSource = Schema.Literals(["great_circle", "road"])
export type RouteSource = typeof RouteSource.Type

/** A route: whole metres, and whole minutes, rounded up. */
export interface Route {
  readonly distance_m: number
  readonly duration_minutes: number
  readonly source: RouteSource
}

/** The default: the great circles between consecutive points, times the detour factor, at the speed of the settings. */
export const greatCircleRoute = (
  points: ReadonlyArray<Point>,
  { detour_factor, speed_kmh }: RoutingSettings
): Route => {
  const direct = points.reduce((sum, point, index) => {
    const before = points[index - 1]
    return before === undefined ? sum : sum + metresBetween(before, point)
  }, 0)
  const distance_m = Math.round(direct * detour_factor)
  return {
    distance_m,
    duration_minutes: Math.ceil((distance_m * 60) / (speed_kmh * 1000)),
    source: "great_circle"
  }
}
