/** What the contracts of notices share. */
import { defaultNoticeSettings, NoticeSettingsRepository, type TripId } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { newBusiness, now } from "./Given.ts"

/** A time so many minutes after the time of the tests. */
export const later = (minutes: number) => DateTime.add(now, { minutes })

/** A business that tells its customers of bookings and reminds them. */
export const tellingBusiness = Effect.gen(function* () {
  const business = yield* newBusiness
  const { channels } = defaultNoticeSettings
  const told = {
    ...defaultNoticeSettings,
    channels: { ...channels, booked: ["mail" as const], reminder: ["mail" as const] }
  }
  yield* (yield* NoticeSettingsRepository).put(business, told, now)
  return business
})

/** A notice that is not stored yet. */
export const notice = (trip_id: TripId) =>
  ({
    trip_id,
    kind: "booked",
    party: "passenger",
    driver_id: null,
    channel: "text",
    address: "+41446681800",
    status: "queued",
    reason: null,
    segments: null
  }) as const
