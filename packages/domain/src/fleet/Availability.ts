/** When a driver is taken: the times of the trips that it is to drive. */
import { type DateTime, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { DriverId, TripId } from "../kernel/Ids.ts"
import { CalendarDay, endOfDay, rfc3339, startOfDay, wallClock } from "../kernel/time/WallClock.ts"

/** So many days may be asked for at once. */
export const availabilityDaysAtMost = 31

/** The days that `GET /drivers/{id}/availability` is asked for, on the business's clock, both included. */
export const AvailabilityQuery = Schema.Struct({
  date_from: Schema.optionalKey(CalendarDay),
  date_to: Schema.optionalKey(CalendarDay)
})
export type AvailabilityQuery = typeof AvailabilityQuery.Type

/** The time of a trip that a driver has a live assignment to. */
export interface BusyWindow {
  readonly trip_id: TripId
  readonly reference: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** When a driver is taken within some days; `from` and `to` in UTC, the earliest first. */
export const AvailabilityRecord = Schema.Struct({
  driver_id: Schema.Int,
  date_from: Schema.String,
  date_to: Schema.String,
  busy: Schema.Array(
    Schema.Struct({
      trip_id: Schema.Int,
      reference: Schema.String,
      from: Schema.String,
      to: Schema.String
    })
  )
})
export type AvailabilityRecord = typeof AvailabilityRecord.Type

/** The days that are meant: today unless told, a single one where only the first is told. */
export const daysOf = ({ date_from, date_to }: AvailabilityQuery, now: DateTime.Utc, timezone: string) => {
  const from = date_from ?? wallClock(now, timezone).slice(0, 10)
  return { from, to: date_to ?? from }
}

/** What is wrong with days that end before they begin, or that are too many. */
export const daysIssues = ({ from, to }: ReturnType<typeof daysOf>): ReadonlyArray<FieldIssue> => {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return days < 1 || days > availabilityDaysAtMost ? [{ field: "date_to", issue: "out_of_range" }] : []
}

/** The instants that the days lie between, on the business's clock. */
export const spanOf = ({ from, to }: ReturnType<typeof daysOf>, { timezone }: ActingBusiness) => ({
  from: startOfDay(from, timezone),
  before: endOfDay(to, timezone)
})

/** The record of a driver's busy windows. */
export const availabilityRecord = (
  driverId: DriverId,
  days: ReturnType<typeof daysOf>,
  busy: ReadonlyArray<BusyWindow>
): AvailabilityRecord => ({
  driver_id: driverId,
  date_from: days.from,
  date_to: days.to,
  busy: busy.map(({ from, to, ...trip }) => ({ ...trip, from: rfc3339(from), to: rfc3339(to) }))
})
