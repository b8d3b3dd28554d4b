/** The port that marks changed trips for the notices about them. */
import { Context, type DateTime, type Effect } from "effect"
import type { BusinessId, TripId } from "../../kernel/Ids.ts"
import type { ToldTrip } from "./ToldTrip.ts"

/**
 * A change that may have to be told. `isUrgent` changes have no quiet time. `hasDriver` is whether the trip has or had a driver:
 * other changes are marked only if the business tells its customers.
 */
export interface NoticeMark {
  readonly before: ToldTrip
  readonly isUrgent: boolean
  readonly hasDriver: boolean
}

/**
 * `TripRepository.insert` marks a new trip in the same way if the business tells its customers; its mark has no state before.
 *
 * - `mark`: marks locked trips in the transaction of the change. Each is due after the quiet time of the business, an urgent one at
 *   once. A trip that is marked already keeps its earlier state before the burst, and is due at the latest after `maxQuietTimes`
 *   quiet times. A mark that is due already stays due.
 * - `forget`: removes the marks of trips whose person is erased, and the addresses from the notices about them.
 */
export class NoticeMarks extends Context.Service<
  NoticeMarks,
  {
    readonly mark: (
      businessId: BusinessId,
      marks: ReadonlyArray<NoticeMark>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly forget: (businessId: BusinessId, tripIds: ReadonlyArray<TripId>) => Effect.Effect<void>
  }
>()("@livery/domain/NoticeMarks") {}
