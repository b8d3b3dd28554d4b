/** The days of a list: `date_from` and `date_to`, both inclusive, on the business's clock. */
import { type DateTime, Schema } from "effect"
import type { FieldIssue } from "../fields/FieldIssue.ts"
import { dayCount } from "./Day.ts"
import { CalendarDay, endOfDay, startOfDay } from "./WallClock.ts"

/** The filters as callers write them. */
export const dayRangeFields = {
  date_from: Schema.optionalKey(CalendarDay),
  date_to: Schema.optionalKey(CalendarDay)
}

/** An issue of `field` if the days are in the wrong order, or more than `most`. */
export const dayCountIssues = (
  { from, to }: { readonly from: string; readonly to: string },
  most: number,
  field: string
): ReadonlyArray<FieldIssue> => {
  const days = dayCount(from, to)
  return days < 1 || days > most ? [{ field, issue: "out_of_range", accepted: `1 to ${most} days` }] : []
}

interface DayRange {
  readonly date_from?: string
  readonly date_to?: string
}

/** An issue if the first day is after the last one. */
export const dayRangeIssues = ({ date_from, date_to }: DayRange): ReadonlyArray<FieldIssue> =>
  date_from !== undefined && date_to !== undefined && date_from > date_to
    ? [{ field: "date_to", issue: "out_of_range" }]
    : []

/** The first instant of the days in `timezone`, and the first one after them; undefined where the range is open. */
export const dayRangeOf = (
  { date_from, date_to }: DayRange,
  timezone: string
): { readonly from: DateTime.Utc | undefined; readonly before: DateTime.Utc | undefined } => ({
  from: date_from === undefined ? undefined : startOfDay(date_from, timezone),
  before: date_to === undefined ? undefined : endOfDay(date_to, timezone)
})
