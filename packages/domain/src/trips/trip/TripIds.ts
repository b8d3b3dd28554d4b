/** The port that gives new trips their ids. */
import { Context, type Effect } from "effect"
import type { TripId } from "../../kernel/Ids.ts"

/**
 * - `next`: an id that no trip has and that is given only once. Ids may be left out, and a trip that is made later may have
 *   a lower one.
 */
export class TripIds extends Context.Service<TripIds, { readonly next: Effect.Effect<TripId> }>()(
  "@livery/domain/TripIds"
) {}
