import {
  CurrentActor,
  type DueTrip,
  isSuspended,
  Notice,
  NoticeId,
  NoticeRepository,
  reminderReach
} from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { only } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import { inMemory, pair } from "../store/Store.ts"

const isBefore = (one: DateTime.Utc, other: DateTime.Utc) => DateTime.Order(one, other) < 0

export const layer = inMemory(NoticeRepository, (store) => {
  const { businesses, noticeMarks, notices, noticeSettings, step, stoppedNumbers, timeline, trips } = store
  const markOf = ({ business_id, trip_id }: DueTrip) =>
    noticeMarks.find((mark) => mark.business_id === business_id && mark.trip_id === trip_id)

  return {
    due: (now, limit) =>
      step(() =>
        noticeMarks
          .where(
            ({ claimed_until, due_at }) =>
              !isBefore(now, due_at) && (claimed_until === null || isBefore(claimed_until, now))
          )
          .toSorted(ascending(({ due_at }) => [DateTime.toEpochMillis(due_at)]))
          .slice(0, limit)
          .map(({ business_id, trip_id }) => ({ business_id, trip_id }))
      ),
    claim: (trip, now) =>
      step(() => {
        const mark = markOf(trip)
        if (mark === undefined || isBefore(now, mark.due_at)) return false
        if (mark.claimed_until !== null && !isBefore(mark.claimed_until, now)) return false
        noticeMarks.change(mark.trip_id, { claimed_until: DateTime.add(now, { minutes: 1 }) })
        return true
      }),
    take: (trip, now) =>
      step(() => {
        const mark = markOf(trip)
        if (mark === undefined || isBefore(now, mark.due_at)) return Option.none()
        noticeMarks.remove(mark.trip_id)
        return Option.some({ before: mark.before })
      }),
    dueReminders: (now, limit) =>
      step(() =>
        trips
          .where((trip) => {
            const row = noticeSettings.get(trip.business_id)
            const business = businesses.get(trip.business_id)
            if (row?.reminds !== true || business === undefined || isSuspended(business)) return false
            const minutes = row.settings?.reminder_minutes ?? 1440
            const since = DateTime.subtract(trip.trip_date, { minutes })
            const recent = DateTime.subtract(trip.trip_date, { minutes: minutes * reminderReach })
            return (
              trip.status === "confirmed" &&
              trip.deleted_at === undefined &&
              isBefore(now, trip.trip_date) &&
              !isBefore(now, since) &&
              notices.find(
                (notice) =>
                  notice.trip_id === trip.trip_id &&
                  notice.kind === "reminder" &&
                  !isBefore(notice.created_at, recent)
              ) === undefined
            )
          })
          .toSorted(ascending((trip) => [DateTime.toEpochMillis(trip.trip_date), trip.trip_id]))
          .slice(0, limit)
          .map(({ business_id, trip_id }) => ({ business_id, trip_id }))
      ),
    hasNotice: ({ business_id, trip_id }, kind, since, address) =>
      step(
        () =>
          notices.find(
            (notice) =>
              notice.business_id === business_id &&
              notice.trip_id === trip_id &&
              notice.kind === kind &&
              (address === undefined || notice.address === address) &&
              !isBefore(notice.created_at, since)
          ) !== undefined
      ),
    insert: (business_id, notice, now) =>
      step(() => {
        const notice_id = NoticeId.make(notices.next())
        const row = { ...notice, notice_id, business_id, reference: null, created_at: now, updated_at: now }
        return only(Notice, notices.set(notice_id, row))
      }),
    note: (businessId, noticeId, outcome) =>
      Effect.flatMap(CurrentActor, (actor) =>
        step(() => {
          if (notices.get(noticeId)?.business_id !== businessId) return Option.none()
          const changed = notices.change(
            noticeId,
            outcome.status === "sent"
              ? {
                  status: "sent",
                  segments: outcome.segments,
                  reference: outcome.reference,
                  updated_at: outcome.at
                }
              : { status: "failed", reason: outcome.reason, updated_at: outcome.at }
          )
          if (changed === undefined) return Option.none()
          const { channel, driver_id, kind, party, reason, status, trip_id } = changed
          if (trip_id !== null) {
            const change_id = timeline.next()
            const told = { notice_id: noticeId, kind, channel, party, status }
            timeline.set(change_id, {
              change_id,
              business_id: businessId,
              trip_id,
              at: outcome.at,
              actor,
              change: "notice",
              driver_id,
              before: null,
              after: reason === null ? told : { ...told, reason }
            })
          }
          return Option.some(only(Notice, changed))
        })
      ),
    receipt: (businessId, reference, status, reason, now) =>
      step(() => {
        const notice = notices.find(
          (row) => row.business_id === businessId && row.reference === reference && row.status === "sent"
        )
        if (notice === undefined) return false
        notices.change(notice.notice_id, { status, reason, updated_at: now })
        return true
      }),
    ofTrip: (businessId, tripId, page) =>
      step(() =>
        pageOf(
          notices
            .where(({ business_id, trip_id }) => business_id === businessId && trip_id === tripId)
            .toSorted(ascending(({ notice_id }) => [notice_id]))
            .map((row) => only(Notice, row)),
          page
        )
      ),
    isStopped: (businessId, hash) => step(() => stoppedNumbers.get(pair(businessId, hash)) !== undefined),
    setStopped: (businessId, hash, isStopped, now) =>
      step(() => {
        const key = pair(businessId, hash)
        if (isStopped) stoppedNumbers.set(key, { stopped_at: now })
        else stoppedNumbers.remove(key)
      })
  }
})
