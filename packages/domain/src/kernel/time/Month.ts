/** Months on the clock of a business. */
import { DateTime } from "effect"
import { localDay, startOfDay } from "./WallClock.ts"

/** A month: its first instant, and that of the next month. */
export interface Month {
  readonly from: DateTime.Utc
  readonly before: DateTime.Utc
}

/** The month `YYYY-MM` on the clock of `timezone`. */
export const monthNamed = (month: string, timezone: string): Month => {
  const first = `${month}-01`
  const next = DateTime.add(DateTime.makeUnsafe(`${first}T00:00:00Z`), { months: 1 })
  return {
    from: startOfDay(first, timezone),
    before: startOfDay(DateTime.formatIsoDateUtc(next), timezone)
  }
}

/** The month on the clock of `timezone` that contains an instant. */
export const monthOf = (instant: DateTime.Utc, timezone: string): Month =>
  monthNamed(localDay(instant, timezone).slice(0, 7), timezone)
