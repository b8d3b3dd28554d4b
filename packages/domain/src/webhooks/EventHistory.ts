/** The port that reads the events of a business in their order. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"

/** A page of stored events. */
export interface StoredEventPage {
  /** The events' bodies, as they were sent. */
  readonly bodies: ReadonlyArray<string>
  /** The cursor after the last of them; if there are none, the reader's cursor. */
  readonly cursor: string
  readonly hasMore: boolean
}

/**
 * The order of a business's events: an event that was committed before another one was written comes before it. So the
 * changes of one record are in order. Events of concurrent changes have any order, which never changes afterwards.
 *
 * - `after`: up to `limit` events after the cursor, or from the first event without one; `None` for a text that is not
 *   a cursor. A reader that continues from its cursor gets each committed event once. If `hasMore` is false, it has
 *   received every event that was committed before its request; only a read-only database may lag behind (see
 *   `EventPositions`).
 * - `end`: the cursor after every event that was committed before the request, without reading them; only that of a
 *   read-only database may lie before some of them.
 */
export class EventHistory extends Context.Service<
  EventHistory,
  {
    readonly after: (
      businessId: BusinessId,
      cursor: string | undefined,
      limit: number
    ) => Effect.Effect<Option.Option<StoredEventPage>>
    readonly end: (businessId: BusinessId) => Effect.Effect<string>
  }
>()("@livery/domain/EventHistory") {}
