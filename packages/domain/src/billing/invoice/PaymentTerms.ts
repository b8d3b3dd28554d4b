/** When an invoice is due, and when its customer is reminded (docs/api/invoices.md). */
import { Array, DateTime, Schema, SchemaTransformation } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { between, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { wallClock } from "../../kernel/time/WallClock.ts"

/** The most reminders of one invoice. */
const maxReminders = 5

const reminderDays = Value.listOf(Schema.Int.check(between(0, 365)), Schema.Int, maxReminders)

/** The written days of reminders, each once. */
const distinctReminderDays = reminderDays.required.pipe(
  Schema.decodeTo(
    Schema.Array(Schema.Int),
    SchemaTransformation.transform<ReadonlyArray<number>, ReadonlyArray<number>>({
      decode: Array.dedupe,
      encode: (days) => days
    })
  )
)

/**
 * The payment terms of a business. An invoice is due `payment_terms_days` after the day on which it is raised, unless it
 * has a due date of its own; with null, it has none. Its customer is reminded `reminder_days` after the due date. With
 * `part_payments_allowed`, the holder of its link may pay a part of it by card.
 */
export const paymentTermsFields = Field.ofNobody({
  payment_terms_days: Field.optional(Value.wholeNumber(0, 365)),
  part_payments_allowed: Field.required(Value.boolean),
  reminder_days: Field.emptyByDefault(
    { ...reminderDays, required: distinctReminderDays, optional: distinctReminderDays },
    []
  )
})

/** The payment terms of a new business. */
export const unspecifiedTerms = { payment_terms_days: null, part_payments_allowed: false, reminder_days: [] }

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

/**
 * The step of the reminder that is due for an invoice: the greatest one that has been reached; undefined if none has. After
 * a pause, the customer gets one reminder and not all that were missed.
 */
export const reminderDue = (
  dueDate: string,
  now: DateTime.Utc,
  timezone: string,
  steps: ReadonlyArray<number>
): number | undefined =>
  steps.toSorted((one, other) => other - one).find((days) => dueDate <= remindedUpTo(now, timezone, days))
