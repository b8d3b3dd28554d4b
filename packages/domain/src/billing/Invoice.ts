/** An invoice. Invoices are only read so far; use cases that change them come with billing. */
import { type DateTime, Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId, CustomerId, InvoiceId, TripId } from "../kernel/Ids.ts"
import { toMajor } from "../kernel/money/Money.ts"
import { wallClock } from "../kernel/time/WallClock.ts"

/** Whether an invoice is paid. */
export const InvoiceStatus = Schema.Literals(["unpaid", "partial", "paid", "void"])
export type InvoiceStatus = typeof InvoiceStatus.Type

const amount = Field.computed(Value.amount.wire)

/**
 * The fields of an invoice. Amounts are in major units of `currency`, and stored in minor units. `due_date` is a day on
 * the business's clock.
 */
const invoiceFields = {
  invoice_id: Field.assigned(Value.id(InvoiceId)),
  business_id: Field.internal(Value.id(BusinessId)),
  number: Field.assigned(Value.plainText),
  customer_id: Field.assignedOrNull(Value.id(CustomerId)),
  status: Field.assigned(Value.oneOf(InvoiceStatus)),
  currency: Field.assigned(Value.currency),
  subtotal: amount,
  subtotal_minor: Field.internal(Value.minorAmount),
  tax_total: amount,
  tax_minor: Field.internal(Value.minorAmount),
  total_amount: amount,
  total_minor: Field.internal(Value.minorAmount),
  amount_paid: amount,
  paid_minor: Field.internal(Value.minorAmount),
  amount_due: Field.computed(Schema.Finite),
  due_date: Field.assignedOrNull(Value.day),
  overdue: Field.computed(Schema.Boolean),
  notes: Field.assignedOrNull(Value.text(5000)),
  trip_ids: { stored: Schema.Array(TripId), wire: Schema.Array(Value.id(TripId).wire) },
  sent_at: Field.assignedOrNull(Value.instant),
  viewed_at: Field.assignedOrNull(Value.instant),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** An invoice as stored. */
export const Invoice = Field.storedOf(invoiceFields)
export type Invoice = typeof Invoice.Type

/** An invoice in a response. */
export const InvoiceRecord = Field.recordOf(invoiceFields)
export type InvoiceRecord = typeof InvoiceRecord.Type

/** Whether the invoice is still to be paid. */
const isOpen = ({ status }: Invoice) => status === "unpaid" || status === "partial"

const toMajorUnits = (minor: number, { currency }: Invoice) => toMajor({ minor, currency })

/** The record of an invoice at `now`, in `timezone`. It is overdue from the day after `due_date`. */
export const invoiceRecord = Field.encoderOf<
  typeof invoiceFields,
  { readonly now: DateTime.Utc; readonly timezone: string }
>(invoiceFields, {
  subtotal: (invoice) => toMajorUnits(invoice.subtotal_minor, invoice),
  tax_total: (invoice) => toMajorUnits(invoice.tax_minor, invoice),
  total_amount: (invoice) => toMajorUnits(invoice.total_minor, invoice),
  amount_paid: (invoice) => toMajorUnits(invoice.paid_minor, invoice),
  amount_due: (invoice) =>
    toMajorUnits(isOpen(invoice) ? invoice.total_minor - invoice.paid_minor : 0, invoice),
  overdue: (invoice, { now, timezone }) =>
    isOpen(invoice) && invoice.due_date !== null && invoice.due_date < wallClock(now, timezone).slice(0, 10)
})
