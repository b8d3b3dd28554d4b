/** Finding places by their addresses: the port. */
import { Context, type Effect } from "effect"
import type { Point } from "./Geometry.ts"

/** A place that was found. `name` is its address in one line. */
export interface FoundPlace extends Point {
  readonly name: string
  readonly postal_code: string | null
}

/** What is looked for. Places near `near` come first; `language` is a code such as `de`. */
export interface PlaceQuery {
  readonly text: string
  readonly language: string | null
  readonly near: Point | null
}

/**
 * The port to a geocoding service; undefined if the installation has none. It does not fail: an adapter that gets no result in
 * time finds nothing.
 */
export const PlaceFinder = Context.Reference<
  ((query: PlaceQuery) => Effect.Effect<ReadonlyArray<FoundPlace>>) | undefined
>("@livery/domain/PlaceFinder", { defaultValue: () => undefined })
