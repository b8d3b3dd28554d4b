/** The port that gives committed events their position in the feed of their business. */
import { Context, type Effect } from "effect"

/** Committed events that have no position yet. */
export interface FeedLag {
  /** Counted to {@link lagCountedAtMost}. */
  readonly events: number
  readonly oldestSeconds: number
}

/** The lag is counted up to this, so that counting a long one costs little. */
export const lagCountedAtMost = 100_000

/**
 * An event has no position when it commits, so that writers never wait for each other. Positions are assigned afterwards,
 * by one process at a time: whatever commits later gets a later position, however long its transaction took.
 *
 * - `assign`: gives a batch of committed events their positions. Returns `"all"` when none is left, `"some"` when there
 *   may be more, and `"busy"` when another process is assigning positions right now.
 * - `lag`: how far the positions are behind the commits.
 */
export class EventPositions extends Context.Service<
  EventPositions,
  {
    readonly assign: Effect.Effect<"all" | "some" | "busy">
    readonly lag: Effect.Effect<FeedLag>
  }
>()("@livery/domain/EventPositions") {}
