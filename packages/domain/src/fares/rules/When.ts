/** When a rule applies: windows of time and dates. They are compared with the pickup time on the business's clock. */
import { Schema } from "effect"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { check } from "../../kernel/fields/FieldIssue.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { millisADay } from "../../kernel/time/Day.ts"
import { trimming } from "../../kernel/fields/Text.ts"
import { ClockTime, listOf } from "./TariffFields.ts"

/** A day of the week. */
export const Weekday = Schema.Literals(["sun", "mon", "tue", "wed", "thu", "fri", "sat"])
type Weekday = typeof Weekday.Type

const dayOfYear = /^(\d{2})-(\d{2})$/u
const day = /^(\d{4})-(\d{2})-(\d{2})$/u

const isRealDate = (year: number, month: number, date: number) => {
  const normalized = new Date(Date.UTC(year, month - 1, date))
  return normalized.getUTCMonth() === month - 1 && normalized.getUTCDate() === date
}

/** 29 February is valid. It does not match any day in years without it. */
const isDay = (text: string) => {
  const yearly = dayOfYear.exec(text)
  if (yearly !== null) return isRealDate(2000, Number(yearly[1]), Number(yearly[2]))
  const dated = day.exec(text)
  return (
    dated !== null &&
    Number(dated[1]) >= 1970 &&
    isRealDate(Number(dated[1]), Number(dated[2]), Number(dated[3]))
  )
}

/** One day, `YYYY-MM-DD`, or the same day of every year, `MM-DD`. */
const CalendarDate = Schema.String.check(
  check<string>("invalid", (text) => isDay(text.trim()), { pattern: "^(\\d{4}-)?\\d{2}-\\d{2}$" })
).pipe(Schema.decodeTo(Schema.String, trimming))

/** A range of days, both inclusive; a single day if `to` is null. A range of `MM-DD` may span the new year. */
export const DateRange = Schema.Struct({ from: CalendarDate, to: orNull(CalendarDate) })
export type DateRange = typeof DateRange.Type

const isYearly = (date: string) => date.length === 5

/** Whether the days of a range have the same form and are in order. Days of every year are in any order. */
export const isOrderedRange = ({ from, to }: DateRange): boolean =>
  to === null || (to.length === from.length && (isYearly(from) || from <= to))

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

const withinRange = ({ from, to }: DateRange) => {
  const last = to ?? from
  const comparable = (date: string) => (isYearly(from) ? date.slice(5) : date)
  const spansNewYear = isYearly(from) && isYearly(last) && from > last
  return (date: string) => {
    const given = comparable(date)
    return spansNewYear ? given >= from || given <= last : given >= from && given <= last
  }
}

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
