/** A driver's availability: the windows of the driver's live assignments, and the driver's absences. */
import { type DateTime, Schema } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { AbsenceId, type DriverId } from "../../kernel/Ids.ts"
import { dayCountIssues } from "../../kernel/time/DayRange.ts"
import { CalendarDay, endOfDay, localDay, startOfDay } from "../../kernel/time/WallClock.ts"
import type { TripWindow } from "../../trips/trip/TripWindow.ts"
import { type Absence, AbsenceKind } from "./Absence.ts"
import { type BusyWindow, busyWindowRecord, BusyWindowRecord } from "../drivers/BusyWindow.ts"

/** One request covers at most this many days. */
export const maxAvailabilityDays = 31

/** The days to check: days on the business's clock, both inclusive. */
export const AvailabilityQuery = Schema.Struct({
  date_from: Schema.optionalKey(
    CalendarDay.pipe(
      Schema.annotateEncoded({ description: "The first day, on the business's clock; today by default." })
    )
  ),
  date_to: Schema.optionalKey(
    CalendarDay.pipe(
      Schema.annotateEncoded({ description: "The last day, included; `date_from` by default." })
    )
  )
})
export type AvailabilityQuery = typeof AvailabilityQuery.Type

const absentFields = {
  absence_id: Field.assigned(Value.id(AbsenceId)),
  kind: Field.assigned(Value.oneOf(AbsenceKind)),
  from: Field.assigned(Value.instant),
  to: Field.assigned(Value.instant)
}

const absentRecord = Field.encoderOf(absentFields)

/** A driver's busy windows and absences within some days, the earliest first; `from` and `to` are in UTC. */
export const AvailabilityRecord = Schema.Struct({
  driver_id: Schema.Int,
  date_from: Value.day.wire,
  date_to: Value.day.wire,
  busy: Schema.Array(BusyWindowRecord),
  absent: Schema.Array(Field.recordOf(absentFields))
})
export type AvailabilityRecord = typeof AvailabilityRecord.Type

/** The days of a query. `date_from` defaults to today, `date_to` to `date_from`. */
export const daysOf = ({ date_from, date_to }: AvailabilityQuery, now: DateTime.Utc, timezone: string) => {
  const from = date_from ?? localDay(now, timezone)
  return { from, to: date_to ?? from }
}

/** An issue if the days are in the wrong order or too many. */
export const daysIssues = (days: ReturnType<typeof daysOf>): ReadonlyArray<FieldIssue> =>
  dayCountIssues(days, maxAvailabilityDays, "date_to")

/** The days as a window, on the business's clock. */
export const windowOfDays = (
  { from, to }: ReturnType<typeof daysOf>,
  { timezone }: ActingBusiness
): TripWindow => ({
  starts: startOfDay(from, timezone),
  ends: endOfDay(to, timezone)
})

/** The record of a driver's busy windows and absences. */
export const availabilityRecord = (
  driverId: DriverId,
  days: ReturnType<typeof daysOf>,
  busy: ReadonlyArray<BusyWindow>,
  absent: ReadonlyArray<Absence>
): AvailabilityRecord => ({
  driver_id: driverId,
  date_from: days.from,
  date_to: days.to,
  busy: busy.map(busyWindowRecord),
  absent: absent.map(({ absence_id, ends_at, kind, starts_at }) =>
    absentRecord({ absence_id, kind, from: starts_at, to: ends_at })
  )
})
