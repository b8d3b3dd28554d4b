/** When an invoice is due, and when its customer is reminded (docs/api/invoices.md). */
import { DateTime } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { localDay, wallClock } from "../../kernel/time/WallClock.ts"

/**
 * The payment terms of a business. An invoice is due `payment_terms_days` after the day on which it is raised, unless it
 * has a due date of its own; with null, it has none. With
 * `part_payments_allowed`, the holder of its link may pay a part of it by card.
 */
export const paymentTermsFields = Field.ofNobody({
  payment_terms_days: Field.optional(Value.wholeNumber(0, 365)),
  part_payments_allowed: Field.required(Value.boolean)
})

/** The payment terms of a new business. */
export const unspecifiedTerms = { payment_terms_days: null, part_payments_allowed: false }

/** The hour of the business's day from which reminders are sent. */
const reminderHour = 9

const addDays = (day: string, days: number) =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(`${day}T00:00:00Z`), { days }))

/** The due date of an invoice that is issued on a day without one; null without payment terms. */
export const dueDateOf = (issuedOn: string, termsDays: number | null): string | null =>
  termsDays === null ? null : addDays(issuedOn, termsDays)

/** How many days before today an invoice may be issued. */
const mostDaysBack = 366

/** An issue if an invoice would be issued in the future, or more than a year ago. */
export const issueDayIssues = (issuedOn: string, today: string): ReadonlyArray<FieldIssue> =>
  issuedOn > today || issuedOn < addDays(today, -mostDaysBack)
    ? [
        {
          field: "issued_on",
          issue: "out_of_range",
          accepted: `${addDays(today, -mostDaysBack)} to ${today}`
        }
      ]
    : []

/**
 * The latest due date whose invoices get the reminder of a step now: today on the business's clock minus `days`.
 * Before {@link reminderHour}, it is one day earlier.
 */
export const remindedUpTo = (now: DateTime.Utc, timezone: string, days: number): string => {
  const clock = wallClock(now, timezone)
  return addDays(clock.slice(0, 10), (Number(clock.slice(11, 13)) < reminderHour ? -1 : 0) - days)
}

/** When an invoice climbs a level: so many days after its due date, and so many after its last reminder. */
export interface LevelDays {
  readonly after: number
  readonly wait: number
}

/** The days of the level that follows the `reached` first ones. */
export const levelDays = (levels: ReadonlyArray<{ readonly days: number }>, reached: number): LevelDays => {
  const after = levels[reached]?.days ?? 0
  return { after, wait: reached === 0 ? 0 : after - (levels[reached - 1]?.days ?? 0) }
}

/** Whether an invoice climbs a level now. After a pause, it still waits on each level. */
export const isLevelDue = (
  {
    due_date,
    last_reminder_at
  }: { readonly due_date: string; readonly last_reminder_at: DateTime.Utc | null },
  { after, wait }: LevelDays,
  now: DateTime.Utc,
  timezone: string
): boolean =>
  due_date <= remindedUpTo(now, timezone, after) &&
  (last_reminder_at === null || localDay(last_reminder_at, timezone) <= remindedUpTo(now, timezone, wait))
