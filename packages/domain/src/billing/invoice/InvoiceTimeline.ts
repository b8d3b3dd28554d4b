/**
 * An invoice's timeline: each change of the invoice, its time and author. The entries of fields are computed by comparing the
 * invoice before and after, so no change lacks its entry. No entry holds a text that may name a person.
 */
import { Equal, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import type { Invoice } from "./Invoice.ts"

/**
 * The kinds of change. `sealed`: the first email, view or payment of an invoice that was not issued before. `credit_used` on one
 * invoice is `credit_applied` on another. `fee_voided`: the invoice of a reminder's fee was voided.
 */
export const InvoiceChange = Schema.Literals([
  "created",
  "updated",
  "attached",
  "detached",
  "customer_linked",
  "issued",
  "sealed",
  "emailed",
  "viewed",
  "paid",
  "refunded",
  "refund_failed",
  "payment_reversed",
  "credit_used",
  "credit_returned",
  "credit_applied",
  "credited",
  "corrected",
  "reminded",
  "fee_voided",
  "voided"
])
export type InvoiceChange = typeof InvoiceChange.Type

const Fields = Schema.Record(Schema.String, Schema.Unknown)
type Fields = typeof Fields.Type

/**
 * The fields of an entry. `actor` and `actor_name` are those of a trip's timeline. `fields` are the names of the changed fields
 * of an `updated` entry. `before` and `after` hold numbers, amounts, days and ids, but neither lines nor notes.
 */
const invoiceTimelineFields = {
  change_id: Field.assigned(Value.id(Schema.Int)),
  at: Field.assigned(Value.instant),
  actor: Field.assigned(Value.unboundedText),
  actor_name: Field.assignedOrNull(Value.unboundedText),
  change: Field.assigned(Value.oneOf(InvoiceChange)),
  fields: Field.assigned(Value.unchanged(Schema.Array(Schema.String))),
  before: Field.assignedOrNull(Value.unchanged(Fields)),
  after: Field.assignedOrNull(Value.unchanged(Fields))
}

/** An entry as stored. */
export const InvoiceTimelineEntry = Field.storedOf(invoiceTimelineFields)
export type InvoiceTimelineEntry = typeof InvoiceTimelineEntry.Type

/** An entry that is not stored yet. */
export type NewInvoiceTimelineEntry = Omit<InvoiceTimelineEntry, "change_id" | "at" | "actor" | "actor_name">

/** An entry in a response. */
export const InvoiceTimelineRecord = Field.recordOf(invoiceTimelineFields)
export type InvoiceTimelineRecord = typeof InvoiceTimelineRecord.Type

/** The record of an entry. */
export const invoiceTimelineRecord = Field.encoderOf(invoiceTimelineFields)

/** An entry about a change, with the values after it. */
export const invoiceEntry = (
  change: InvoiceChange,
  after: Fields | null = null,
  before: Fields | null = null
): NewInvoiceTimelineEntry => ({ change, fields: [], before, after })

/** The fields of the document that a request changes. */
const documentFields = ["customer_id", "lines", "due_date", "notes", "untaxed_as", "untaxed_reason"] as const

/** The values of an invoice that an entry shows. */
const shown = ({ currency, customer_id, due_date, total_minor, untaxed_as }: Invoice): Fields => ({
  total_amount: toMajor({ minor: total_minor, currency }),
  customer_id,
  due_date,
  untaxed_as
})

const differing = (one: Fields, other: Fields): Fields =>
  Object.fromEntries(Object.entries(one).filter(([name, value]) => value !== other[name]))

const updateEntries = (before: Invoice, after: Invoice): ReadonlyArray<NewInvoiceTimelineEntry> => {
  const isLinked = before.sealed_at !== null && before.customer_id !== after.customer_id
  const fields = documentFields
    .filter((name) => !Equal.equals(before[name], after[name]) && !(isLinked && name === "customer_id"))
    .map((name) => (name === "lines" ? "items" : name))
  const [earlier, later] = [shown(before), shown(after)]
  return [
    ...(isLinked ? [invoiceEntry("customer_linked", { customer_id: after.customer_id })] : []),
    ...(fields.length === 0
      ? []
      : [{ ...invoiceEntry("updated", differing(later, earlier), differing(earlier, later)), fields }])
  ]
}

/** The entries for the difference between an invoice before and after. */
export const invoiceEntriesOf = (before: Invoice, after: Invoice): ReadonlyArray<NewInvoiceTimelineEntry> => {
  const { credited_minor, currency, number } = after
  const isSent = after.sent_at !== before.sent_at
  const isViewed = after.viewed_at !== before.viewed_at
  const isPaid = after.paid_minor !== before.paid_minor || after.excess_minor !== before.excess_minor
  const isSealed = before.sealed_at === null && after.sealed_at !== null
  const entry = (isTrue: boolean, change: InvoiceChange, values: Fields | null = null) =>
    isTrue ? [invoiceEntry(change, values)] : []
  return [
    ...updateEntries(before, after),
    ...entry(isSealed, isSent || isViewed || isPaid ? "sealed" : "issued", { number }),
    ...entry(isSent, "emailed"),
    ...entry(isViewed, "viewed"),
    ...entry(credited_minor !== before.credited_minor, "credited", {
      amount_credited: toMajor({ minor: credited_minor, currency })
    }),
    ...entry(after.corrected_by_invoice_id !== before.corrected_by_invoice_id, "corrected", {
      corrected_by_invoice_id: after.corrected_by_invoice_id
    }),
    ...entry(after.voided_at !== before.voided_at, "voided")
  ]
}
