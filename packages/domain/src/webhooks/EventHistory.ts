/** The port that reads the events of a business in their order. */
import { Context, type Effect, type Option, Schema } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"

/** A page of stored events. */
export interface StoredEventPage {
  /** The events' bodies, as they were sent. */
  readonly bodies: ReadonlyArray<string>
  /** The cursor after the last of them; if there are none, the reader's cursor. */
  readonly cursor: string
  readonly hasMore: boolean
}

/** Events after a cursor were dropped, because their retention period is over. */
export class EventsDropped extends Schema.TaggedError<EventsDropped>()("EventsDropped", {
  /** The cursor after the last of the dropped events. */
  cursor: Schema.String,
  /** The id of the oldest event that is retained, if there is one. */
  oldest: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const place = `after=${this.cursor}`
    return this.oldest === null
      ? `The events after this cursor were dropped, and there are no newer ones: continue with ${place}`
      : `Events after this cursor were dropped: the oldest that is retained is ${this.oldest}, with ${place}`
  }
}

/**
 * The order of a business's events: an event that was committed before another one was written comes before it. So the
 * changes of one record are in order. Events of concurrent changes have any order, which never changes afterwards.
 *
 * - `after`: up to `limit` events after the cursor, or from the first event without one; `None` for a text that is not
 *   a cursor. A reader that continues from its cursor gets each committed event once. If `hasMore` is false, it has
 *   received every event that was committed before its request; only a read-only database may lag behind (see
 *   `EventPositions`). `EventsDropped` if the reader would miss an event that was dropped.
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
    ) => Effect.Effect<Option.Option<StoredEventPage>, EventsDropped>
    readonly end: (businessId: BusinessId) => Effect.Effect<string>
  }
>()("@livery/domain/EventHistory") {}
