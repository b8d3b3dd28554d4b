import {
  type BusinessId,
  defaultQuietMinutes,
  maxQuietTimes,
  type NoticeMark,
  NoticeMarks,
  type ToldTrip,
  type TripId
} from "@livery/domain"
import { DateTime } from "effect"
import { inMemory, type Store } from "../store/Store.ts"

type Tables = Store["Service"]

const earliest = (one: DateTime.Utc, other: DateTime.Utc) => (DateTime.Order(one, other) < 0 ? one : other)
const latest = (one: DateTime.Utc, other: DateTime.Utc) => (DateTime.Order(one, other) < 0 ? other : one)

/** Marks a trip; `before` is null for a new one. */
export const markTrip = (
  { noticeMarks, noticeSettings }: Tables,
  businessId: BusinessId,
  tripId: TripId,
  { before, hasDriver, isUrgent }: Omit<NoticeMark, "before"> & { readonly before: ToldTrip | null },
  now: DateTime.Utc
): void => {
  const settings = noticeSettings.get(businessId)
  if (!hasDriver && settings?.tells_customers !== true) return
  const minutes = settings?.settings?.quiet_minutes ?? defaultQuietMinutes
  const due_at = isUrgent ? now : DateTime.add(now, { minutes })
  const marked = noticeMarks.get(tripId)
  if (marked === undefined) {
    const latest_at = DateTime.add(now, { minutes: minutes * maxQuietTimes })
    noticeMarks.set(tripId, {
      business_id: businessId,
      trip_id: tripId,
      due_at,
      latest_at,
      claimed_until: null,
      before
    })
    return
  }
  const isDue = DateTime.Order(marked.due_at, now) <= 0
  noticeMarks.change(tripId, {
    due_at: isDue ? marked.due_at : earliest(due_at, latest(marked.latest_at, now)),
    claimed_until: null
  })
}

export const layer = inMemory(NoticeMarks, (store) => ({
  mark: (businessId, marks, now) =>
    store.step(() => {
      for (const mark of marks) markTrip(store, businessId, mark.before.trip_id, mark, now)
    }),
  forget: (businessId, tripIds) =>
    store.step(() => {
      for (const notice of store.notices.where(
        ({ business_id, trip_id }) =>
          business_id === businessId && trip_id !== null && tripIds.includes(trip_id)
      ))
        store.notices.change(notice.notice_id, { address: null })
      for (const tripId of tripIds)
        if (store.noticeMarks.get(tripId)?.business_id === businessId) store.noticeMarks.remove(tripId)
    })
}))
