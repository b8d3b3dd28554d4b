/** An invoice. Invoices are only read so far; use cases that change them come with billing. */
import { type DateTime, Schema } from "effect"
import type { Currency } from "../kernel/money/Currency.ts"
import type { BusinessId, CustomerId, InvoiceId, TripId } from "../kernel/Ids.ts"
import { toMajor } from "../kernel/money/Money.ts"
import { rfc3339, wallClock } from "../kernel/time/WallClock.ts"

/** What has been paid of an invoice. */
export const InvoiceStatus = Schema.Literals(["unpaid", "partial", "paid", "void"])
export type InvoiceStatus = typeof InvoiceStatus.Type

/** An invoice as stored; amounts in minor units of `currency`, `due_date` a day on the business's clock. */
export interface Invoice {
  readonly invoice_id: InvoiceId
  readonly business_id: BusinessId
  readonly number: string
  readonly customer_id: CustomerId | null
  readonly status: InvoiceStatus
  readonly currency: Currency
  readonly subtotal_minor: number
  readonly tax_minor: number
  readonly total_minor: number
  readonly paid_minor: number
  readonly due_date: string | null
  readonly notes: string | null
  readonly trip_ids: ReadonlyArray<TripId>
  readonly sent_at: DateTime.Utc | null
  readonly viewed_at: DateTime.Utc | null
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** An invoice in a response; amounts in major units of `currency`. */
export const InvoiceRecord = Schema.Struct({
  invoice_id: Schema.Int,
  number: Schema.String,
  customer_id: Schema.NullOr(Schema.Int),
  status: InvoiceStatus,
  currency: Schema.String,
  subtotal: Schema.Finite,
  tax_total: Schema.Finite,
  total_amount: Schema.Finite,
  amount_paid: Schema.Finite,
  amount_due: Schema.Finite,
  due_date: Schema.NullOr(Schema.String),
  overdue: Schema.Boolean,
  notes: Schema.NullOr(Schema.String),
  trip_ids: Schema.Array(Schema.Int),
  sent_at: Schema.NullOr(Schema.String),
  viewed_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type InvoiceRecord = typeof InvoiceRecord.Type

const isOpen = ({ status }: Invoice) => status === "unpaid" || status === "partial"

const instant = (at: DateTime.Utc | null) => (at === null ? null : rfc3339(at))

/** The record of an invoice at `now`, on the clock of `timezone`. It is overdue from the day after `due_date`. */
export const invoiceRecord = (invoice: Invoice, now: DateTime.Utc, timezone: string): InvoiceRecord => {
  const major = (minor: number) => toMajor({ minor, currency: invoice.currency })
  const open = isOpen(invoice)
  return {
    invoice_id: invoice.invoice_id,
    number: invoice.number,
    customer_id: invoice.customer_id,
    status: invoice.status,
    currency: invoice.currency,
    subtotal: major(invoice.subtotal_minor),
    tax_total: major(invoice.tax_minor),
    total_amount: major(invoice.total_minor),
    amount_paid: major(invoice.paid_minor),
    amount_due: major(open ? invoice.total_minor - invoice.paid_minor : 0),
    due_date: invoice.due_date,
    overdue: open && invoice.due_date !== null && invoice.due_date < wallClock(now, timezone).slice(0, 10),
    notes: invoice.notes,
    trip_ids: invoice.trip_ids,
    sent_at: instant(invoice.sent_at),
    viewed_at: instant(invoice.viewed_at),
    created_at: rfc3339(invoice.created_at),
    updated_at: rfc3339(invoice.updated_at)
  }
}
