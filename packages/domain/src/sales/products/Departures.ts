/**
 * The departures of a tour (docs/api/sales.md): the times of day at which it starts, on the clock of the business, and the
 * seats of each. Bookings of one departure share one trip.
 */
import { type DateTime, Schema } from "effect"
import { localTime, Weekday } from "../../fares/rules/When.ts"
import { listOf as listOrNone } from "../../fares/rules/TariffFields.ts"
import { check, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { trimming } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { millisADay } from "../../kernel/time/Day.ts"
import { CalendarDay, instantOf, wallClock } from "../../kernel/time/WallClock.ts"

/** A tour has at most this many departures on one weekday: one every half an hour. */
const maxADay = 48

/** A list of departures covers at most this many days. */
export const maxListedDays = 31

const timeOfDay = "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$"
const TimeOfDay = Schema.String.check(
  check<string>("invalid", (time) => new RegExp(timeOfDay, "u").test(time.trim()), { pattern: timeOfDay })
).pipe(Schema.decodeTo(Schema.String, trimming))

const seats = Value.wholeNumber(1, 10_000)

const DeparturesInput = Schema.Struct({
  weekdays: listOrNone(oneOf(Weekday), 7),
  times: listOf(TimeOfDay, { least: 1, most: maxADay }),
  seats: seats.required
})

/** Departures at given times on given weekdays; on every day if none is given. */
export const Departures = Schema.Struct({
  weekdays: Schema.Array(Weekday),
  times: Schema.Array(Schema.String),
  seats: seats.stored
})
export type Departures = typeof Departures.Type

/** The schedule of a tour: all of its departures. Empty if the tour starts at any time. */
export type Schedule = ReadonlyArray<Departures>

/** The field of a product that holds its schedule. */
export const scheduleField = Field.emptyByDefault(Value.listOf(DeparturesInput, Departures, 20), [])

/** The seats by time of day, of each weekday from Sunday on. */
const byWeekday = (schedule: Schedule): ReadonlyArray<ReadonlyMap<string, number>> =>
  Weekday.literals.map(
    (weekday) =>
      new Map(
        schedule
          .filter(({ weekdays }) => weekdays.length === 0 || weekdays.includes(weekday))
          .flatMap((departures) => departures.times.map((time) => [time, departures.seats] as const))
      )
  )

/** An issue if the schedule has two departures at one time, or too many on one day. */
export const scheduleIssues = (schedule: Schedule): ReadonlyArray<FieldIssue> => {
  const days = byWeekday(schedule)
  const listed = Weekday.literals.map((weekday) =>
    schedule
      .filter(({ weekdays }) => weekdays.length === 0 || weekdays.includes(weekday))
      .reduce((sum, { times }) => sum + times.length, 0)
  )
  if (listed.some((count) => count > maxADay)) return [{ field: "departures", issue: "too_long" }]
  return listed.some((count, day) => count !== days[day]?.size)
    ? [{ field: "departures", issue: "invalid" }]
    : []
}

/** The start of a departure, and its seats. */
export interface Departure {
  readonly starts_at: DateTime.Utc
  readonly seats: number
}

/** The first and the last day of a list, `YYYY-MM-DD`. */
export const DepartureDays = Schema.Struct({ date_from: CalendarDay, date_to: CalendarDay })
export type DepartureDays = typeof DepartureDays.Type

/** Whether the clock of `timezone` shows a time, and shows it at this instant: a change of the clock skips and repeats times. */
const isShown = (at: DateTime.Utc, local: string, timezone: string) => wallClock(at, timezone) === local

/** The departures of a schedule on these days of the clock of `timezone`, in order. */
export const departuresOn = (
  schedule: Schedule,
  { date_from, date_to }: DepartureDays,
  timezone: string
): ReadonlyArray<Departure> => {
  const days = byWeekday(schedule)
  const found: Array<Departure> = []
  for (let millis = Date.parse(date_from); millis <= Date.parse(date_to); millis += millisADay) {
    const day = new Date(millis)
    const date = day.toISOString().slice(0, 10)
    for (const [time, seats] of days[day.getUTCDay()] ?? []) {
      const local = `${date} ${time}:00`
      const starts_at = instantOf(local, timezone)
      if (isShown(starts_at, local, timezone)) found.push({ starts_at, seats })
    }
  }
  return found.toSorted((one, other) => one.starts_at.epochMilliseconds - other.starts_at.epochMilliseconds)
}

/** The seats of the departure at an instant; undefined if the schedule has none then. */
export const seatsAt = (schedule: Schedule, at: DateTime.Utc, timezone: string): number | undefined => {
  const local = wallClock(at, timezone)
  const { today } = localTime(local)
  const isDeparture =
    local.endsWith(":00") && instantOf(local, timezone).epochMilliseconds === at.epochMilliseconds
  return isDeparture ? byWeekday(schedule)[today.weekday]?.get(local.slice(11, 16)) : undefined
}
