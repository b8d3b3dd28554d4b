/** The port that stores the timelines of trips. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, TripId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { NewTimelineEntry, TimelineEntry } from "./Timeline.ts"

/** Entries that are not stored yet, and the trip that they are about. */
export interface NewTimelineEntries {
  readonly tripId: TripId
  readonly entries: ReadonlyArray<NewTimelineEntry>
}

/**
 * - `append`: adds entries to the timelines of locked trips, in the transaction of the change. The `CurrentActor` is
 *   their author; entries change afterwards only when a person is erased.
 * - `erase`: removes these fields from the entries of the locked trips.
 * - `list`: a page of a trip's entries, the oldest first; `None` if the business has no such trip or deleted it.
 */
export class TimelineRepository extends Context.Service<
  TimelineRepository,
  {
    readonly append: (
      businessId: BusinessId,
      entries: ReadonlyArray<NewTimelineEntries>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly erase: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>,
      fields: ReadonlyArray<string>
    ) => Effect.Effect<void>
    readonly list: (
      businessId: BusinessId,
      tripId: TripId,
      page: PageRequest
    ) => Effect.Effect<Option.Option<Page<TimelineEntry>>>
  }
>()("@livery/domain/TimelineRepository") {}
