/** When a rule applies: windows of time and dates. They are compared with the pickup time on the business's clock. */
import { Schema } from "effect"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { DateRange, isOrderedRange, withinRange } from "../../kernel/time/DateRange.ts"
import { millisADay } from "../../kernel/time/Day.ts"
import { ClockTime, listOf } from "./TariffFields.ts"

/** A day of the week. */
export const Weekday = Schema.Literals(["sun", "mon", "tue", "wed", "thu", "fri", "sat"])
type Weekday = typeof Weekday.Type

const localWindow = Schema.Struct({
  from: orNull(ClockTime),
  to: orNull(ClockTime),
  weekdays: listOf(oneOf(Weekday), 7),
  dates: listOf(DateRange, 366)
})

/**
 * A window: from one time of day to another (exclusive), on given weekdays, within given dates. All given conditions
 * must hold. A window from 22:00 to 06:00 spans midnight and belongs to the day on which it begins.
 */
export interface LocalWindow extends Schema.Schema.Type<typeof localWindow> {}

/** A window as callers write it. Both have names, so that the declarations of the schemas that hold windows do not repeat their fields. */
export interface LocalWindowInput extends Schema.Codec.Encoded<typeof localWindow> {}

/** The schema of a {@link LocalWindow}. */
export const LocalWindow: Schema.Codec<LocalWindow, LocalWindowInput> = localWindow

/** Windows of which at least one must match; an empty list matches always. */
export const When = listOf(LocalWindow, 20)

/** The parts of a local time. `minute` is the minute of the day. */
export interface LocalTime {
  readonly minute: number
  readonly today: LocalDay
  readonly yesterday: LocalDay
}

/** The parts of a local day. */
export interface LocalDay {
  readonly date: string
  readonly weekday: number
}

const localDay = (millis: number): LocalDay => {
  const at = new Date(millis)
  return { date: at.toISOString().slice(0, 10), weekday: at.getUTCDay() }
}

/** Parses a local time that is written as `YYYY-MM-DD HH:MM:SS`. */
export const localTime = (wallClock: string): LocalTime => {
  const millis = Date.parse(`${wallClock.slice(0, 10)}T00:00:00Z`)
  return {
    minute: Number(wallClock.slice(11, 13)) * 60 + Number(wallClock.slice(14, 16)),
    today: localDay(millis),
    yesterday: localDay(millis - millisADay)
  }
}

/** Whether a window contains a local time. */
export type Holds = (at: LocalTime) => boolean

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const matchesDay = ({ dates, weekdays }: LocalWindow) => {
  const days = new Set(weekdays.map((weekday) => Weekday.literals.indexOf(weekday)))
  const ranges = dates.map(withinRange)
  return ({ date, weekday }: LocalDay) =>
    (days.size === 0 || days.has(weekday)) && (ranges.length === 0 || ranges.some((within) => within(date)))
}

const compileWindow = (window: LocalWindow): Holds => {
  const from = minuteOf(window.from ?? "00:00")
  const to = minuteOf(window.to ?? "24:00")
  const on = matchesDay(window)
  if (from < to) return ({ minute, today }) => minute >= from && minute < to && on(today)
  return ({ minute, today, yesterday }) => (minute >= from && on(today)) || (minute < to && on(yesterday))
}

/** Makes the check whether any of the windows matches; `null` if there are none, since the rule then always applies. */
export const compileWhen = (when: ReadonlyArray<LocalWindow>): Holds | null => {
  if (when.length === 0) return null
  const windows = when.map(compileWindow)
  return (at) => windows.some((includes) => includes(at))
}

/** The semantic errors of a well-formed window, with the field's path within it. */
export const windowIssues = ({ dates, from, to }: LocalWindow): ReadonlyArray<string> => {
  const wrongDates = dates.flatMap((range, index) => (isOrderedRange(range) ? [] : [`dates.${index}.to`]))
  const opens = minuteOf(from ?? "00:00")
  const closes = minuteOf(to ?? "24:00")
  return opens === closes || opens === 1440 ? ["to", ...wrongDates] : wrongDates
}
