/** The port that gives committed events their position in the feed of their business. */
import { Context, type Effect } from "effect"

/** Committed events that have no position yet. */
export interface FeedLag {
  /** Counted to {@link maxCountedLag}. */
  readonly events: number
  readonly oldestSeconds: number
}

/** The limit of counting the lag, so that counting a long one stays cheap. */
export const maxCountedLag = 100_000

/**
 * An event has no position when it commits, so that writers never wait for each other. One process at a time assigns
 * positions afterwards, so that an event that commits later gets a later position, however long its transaction took.
 *
 * - `assign`: gives a batch of committed events their positions. Returns `"all"` if none is left, `"some"` if there may
 *   be more, and `"busy"` if another process is assigning positions.
 * - `lag`: the number of committed events without a position.
 */
export class EventPositions extends Context.Service<
  EventPositions,
  {
    readonly assign: Effect.Effect<"all" | "some" | "busy">
    readonly lag: Effect.Effect<FeedLag>
  }
>()("@livery/domain/EventPositions") {}
