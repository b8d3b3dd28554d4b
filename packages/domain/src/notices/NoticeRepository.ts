/** The port that stores notices, and finds the trips that are due for them. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, NoticeId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { NoticeOutcome } from "../mail/MessageChannels.ts"
import type { ToldTrip } from "../trips/changes/ToldTrip.ts"
import type { NewNotice, Notice } from "./Notice.ts"
import type { NoticeKind } from "./rules/NoticeKind.ts"

/** A trip that is due for notices. */
export interface DueTrip {
  readonly business_id: BusinessId
  readonly trip_id: TripId
}

/** The state of a trip before a burst of changes; null if the burst began with its booking. */
export interface TakenMark {
  readonly before: ToldTrip | null
}

/**
 * - `due`: the trips whose mark is due, the longest first; at most `limit`. It locks nothing.
 * - `claim`: hides a due mark from other nodes for a minute, and returns whether it was still due.
 * - `take`: removes the mark of a locked trip if it is due; `None` if it is not, because a change came or another node was faster.
 * - `dueReminders`: the trips of active businesses whose reminder is due: confirmed, before their pickup, without a recent reminder
 *   (`reminderReach`). The business, or its customer, wants reminders.
 * - `hasNotice`: whether the trip has a notice of that kind since then; to that address, if one is given.
 * - `insert`: stores a notice at `now`, and returns it.
 * - `note`: stores what became of a notice, enters that in the timeline of its trip, and returns the notice; `None` if it is absent.
 * - `receipt`: stores that the text message with that reference of the gateway was delivered, or failed; whether there is one that
 *   was sent.
 * - `ofTrip`: a page of a trip's notices, the oldest first.
 * - `isStopped`: whether the owner of a number (the SHA-256 of its canonical form) wants no text messages of the business.
 * - `setStopped`: stores or removes that wish.
 */
export class NoticeRepository extends Context.Service<
  NoticeRepository,
  {
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueTrip>>
    readonly claim: (trip: DueTrip, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly take: (trip: DueTrip, now: DateTime.Utc) => Effect.Effect<Option.Option<TakenMark>>
    readonly dueReminders: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueTrip>>
    readonly hasNotice: (
      trip: DueTrip,
      kind: NoticeKind,
      since: DateTime.Utc,
      address?: string
    ) => Effect.Effect<boolean>
    readonly insert: (businessId: BusinessId, notice: NewNotice, now: DateTime.Utc) => Effect.Effect<Notice>
    readonly note: (
      businessId: BusinessId,
      noticeId: NoticeId,
      outcome: NoticeOutcome
    ) => Effect.Effect<Option.Option<Notice>>
    readonly receipt: (
      businessId: BusinessId,
      reference: string,
      status: "delivered" | "failed",
      reason: string | null,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly ofTrip: (
      businessId: BusinessId,
      tripId: TripId,
      page: PageRequest
    ) => Effect.Effect<Page<Notice>>
    readonly isStopped: (businessId: BusinessId, phoneHash: string) => Effect.Effect<boolean>
    readonly setStopped: (
      businessId: BusinessId,
      phoneHash: string,
      isStopped: boolean,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@livery/domain/NoticeRepository") {}
