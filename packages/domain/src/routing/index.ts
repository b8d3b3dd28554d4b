/** The public exports of this module. */
export type { Point } from "./Geometry.ts"
export * from "./PlaceFinder.ts"
export * from "./Route.ts"
export * from "./Routing.ts"
