/** Ranges of calendar days: dates, and days of every year. */
import { Schema } from "effect"
import { check } from "../fields/FieldIssue.ts"
import { orNull } from "../fields/Optional.ts"
import { trimming } from "../fields/Text.ts"

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

/** A range whose days are in order. */
export const OrderedDateRange = DateRange.check(check<DateRange>("invalid", isOrderedRange))

/** Makes the check whether a range has a day, written as `YYYY-MM-DD`. */
export const withinRange = ({ from, to }: DateRange) => {
  const last = to ?? from
  const comparable = (date: string) => (isYearly(from) ? date.slice(5) : date)
  const spansNewYear = isYearly(from) && isYearly(last) && from > last
  return (date: string) => {
    const given = comparable(date)
    return spansNewYear ? given >= from || given <= last : given >= from && given <= last
  }
}
