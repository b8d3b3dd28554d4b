/** An absence of a driver: a time at which the driver cannot be given trips (docs/api/fleet.md). */
import { DateTime, Schema } from "effect"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { yesOrNo } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { AbsenceId, BusinessId, DriverId } from "../../kernel/Ids.ts"
import { dayCount, millisADay } from "../../kernel/time/Day.ts"
import { CalendarDay, instantOf, isExpressible, Timestamp, wallClock } from "../../kernel/time/WallClock.ts"
import { TripWarning } from "../../trips/trip/TripWarning.ts"
import { overlaps, type TripWindow } from "../../trips/trip/TripWindow.ts"
import type { BusyWindow } from "../drivers/BusyWindow.ts"

/** The reasons of an absence. `off_shift` is the time between two shifts. */
export const AbsenceKind = Schema.Literals(["day_off", "vacation", "sick", "off_shift", "other"])
export type AbsenceKind = typeof AbsenceKind.Type

/** The longest absence, in days. */
export const maxAbsenceDays = 366

/** One request adds at most this many absences. */
export const maxAbsencesPerRequest = 366

/** The fields of an absence. `starts_at` is inclusive, `ends_at` exclusive. */
export const absenceFields = {
  absence_id: Field.assigned(Value.id(AbsenceId)),
  business_id: Field.internal(Value.id(BusinessId)),
  driver_id: Field.assigned(Value.id(DriverId)),
  kind: Field.withDefault(Value.oneOf(AbsenceKind), "day_off"),
  starts_at: Field.required(Value.instant),
  ends_at: Field.required(Value.instant),
  note: Field.says({ person: "driver" }, Field.optional(Value.text(500))),
  created_at: Field.assigned(Value.instant)
}

/** An absence as stored. */
export const Absence = Field.storedOf(absenceFields)
export type Absence = typeof Absence.Type

/** An absence in a response. */
export const AbsenceRecord = Field.recordOf(absenceFields)
export type AbsenceRecord = typeof AbsenceRecord.Type

/** The record of an absence. */
export const absenceRecord = Field.encoderOf(absenceFields)

/** A day of the week. */
export const Weekday = Schema.Literals([
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday"
])
export type Weekday = typeof Weekday.Type

/**
 * Repeats an absence on other days: on each of these weekdays after the first day, up to the day `until`, at the same
 * times on the business's clock.
 */
const Repetition = Schema.Struct({
  weekdays: listOf(oneOf(Weekday), { least: 1, most: 7 }),
  until: CalendarDay
})

/** The body that adds an absence. `force` confirms that the driver has trips at that time. */
export const AbsenceInput = Schema.Struct({
  ...Field.inputOf(absenceFields).fields,
  repeat: Schema.optionalKey(Schema.NullOr(Repetition)),
  force: yesOrNo(false)
})
export type AbsenceInput = typeof AbsenceInput.Type

/** The absences that a request added, and the driver's trips at these times. */
export const AddedAbsences = Schema.Struct({
  absences: Schema.Array(AbsenceRecord),
  warnings: Schema.Array(TripWarning)
})
export type AddedAbsences = typeof AddedAbsences.Type

/** The body that removes absences of a driver. */
export const AbsenceRemoval = Schema.Struct({
  absence_ids: listOf(AbsenceId, { least: 1, most: maxAbsencesPerRequest })
})
export type AbsenceRemoval = typeof AbsenceRemoval.Type

/** Absences that end after `from` and start before `to`; all without them. */
export const AbsenceFilter = Schema.Struct({
  from: Schema.optionalKey(Timestamp),
  to: Schema.optionalKey(Timestamp)
})
export type AbsenceFilter = typeof AbsenceFilter.Type

/** The time for which the absences of all drivers are listed: those that end after `from` and start before `to`. */
export const AbsencesQuery = Schema.Struct({ from: Timestamp, to: Timestamp })
export type AbsencesQuery = typeof AbsencesQuery.Type

/** The window of an absence. */
export const windowOfAbsence = ({
  ends_at,
  starts_at
}: Pick<Absence, "starts_at" | "ends_at">): TripWindow => ({
  starts: starts_at,
  ends: ends_at
})

/** The day that is `days` days after `day`. */
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * millisADay).toISOString().slice(0, 10)

const weekdayOf = (day: string): Weekday =>
  Weekday.literals[(new Date(Date.parse(day)).getUTCDay() + 6) % 7] ?? "monday"

/** The times of an absence on the business's clock, and the fields that are wrong. */
export const windowsOfInput = (
  { ends_at, repeat, starts_at }: AbsenceInput,
  timezone: string
): { readonly windows: ReadonlyArray<TripWindow>; readonly issues: ReadonlyArray<FieldIssue> } => {
  const first = { starts: instantOf(starts_at, timezone), ends: instantOf(ends_at, timezone) }
  const latest = DateTime.add(first.starts, { days: maxAbsenceDays })
  if (!DateTime.isLessThan(first.starts, first.ends) || DateTime.isGreaterThan(first.ends, latest))
    return { windows: [], issues: [{ field: "ends_at", issue: "out_of_range" }] }
  if (repeat === undefined || repeat === null) return { windows: [first], issues: [] }
  const [start, end] = [wallClock(first.starts, timezone), wallClock(first.ends, timezone)]
  const firstDay = start.slice(0, 10)
  const span = dayCount(firstDay, repeat.until) - 1
  if (span < 0 || span >= maxAbsencesPerRequest)
    return { windows: [], issues: [{ field: "repeat.until", issue: "out_of_range" }] }
  const wanted = new Set(repeat.weekdays)
  const others = Array.from({ length: span }, (_, index) => index + 1)
    .filter((after) => wanted.has(weekdayOf(dayAfter(firstDay, after))))
    .map((after) => {
      const shifted = (local: string) =>
        instantOf(`${dayAfter(local.slice(0, 10), after)}T${local.slice(11)}`, timezone)
      return { starts: shifted(start), ends: shifted(end) }
    })
    // When clocks go forward, a window in the night may be empty.
    .filter(({ ends, starts }) => DateTime.isLessThan(starts, ends))
  if (!others.every(({ ends }) => isExpressible(ends)))
    return { windows: [], issues: [{ field: "repeat.until", issue: "out_of_range" }] }
  return { windows: [first, ...others], issues: [] }
}

/** The warnings about a driver's trips at the times of absences, by absence. */
export const absenceWarnings = (
  absences: ReadonlyArray<Absence>,
  busy: ReadonlyArray<BusyWindow>
): ReadonlyArray<TripWarning> =>
  absences.flatMap((absence) =>
    busy
      .filter(({ from, to }) => overlaps(windowOfAbsence(absence), { starts: from, ends: to }))
      .map(({ trip_id }) => ({
        type: "driver_absent" as const,
        driver_id: absence.driver_id,
        absence_id: absence.absence_id,
        trip_id
      }))
  )
