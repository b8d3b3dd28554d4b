/** An invoice (docs/api/invoices.md). */
import { type DateTime, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { described, orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, CustomerId, InvoiceId, TripId } from "../../kernel/Ids.ts"
import { EmailStatus } from "../../mail/EmailStatus.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { localDay } from "../../kernel/time/WallClock.ts"
import { InvoiceLine, invoiceLineRecord, InvoiceLineRecord, lineList } from "./InvoiceLine.ts"
import { type TaxOfRate, taxesOf } from "./InvoiceSums.ts"
import { taxInput } from "./LineTaxes.ts"
import { invoiceMachine, InvoiceStatus, isOpenInvoice } from "./InvoiceStatus.ts"
import { untaxedFields } from "./Untaxed.ts"

/** The most trips that one request names. */
export const maxTripsPerRequest = 100

const amount = Field.computed(Value.amount.wire)

/** A tax in a response: its amount, and the amount without tax that it is charged on. */
export const TaxRecord = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  rate: Schema.Finite,
  taxable_amount: Schema.Finite,
  tax_amount: Schema.Finite
})

/** The record of a tax. */
export const taxRecord = (
  { name, rate, tax_minor, taxable_minor }: TaxOfRate,
  currency: Currency
): typeof TaxRecord.Type => ({
  name: name ?? null,
  rate,
  taxable_amount: toMajor({ minor: taxable_minor, currency }),
  tax_amount: toMajor({ minor: tax_minor, currency })
})

/**
 * The fields of an invoice. Amounts are in major units of `currency`, and stored in minor units. `issued_on` and `due_date` are
 * days on the business's clock; the invoice is issued today unless the request names an earlier day. `service_from` and
 * `service_to` are the days of its trips, each on the clock of its pickup, and otherwise those of the request.
 * `buyer_reference` is the reference that the buyer asks for, such as a Leitweg-ID; without one, it is the customer's. `amount_credited` is the sum of its credit notes. `amount_to_refund` is the
 * received amount that does not count towards it. `number` is null in a draft, and stored as an empty text. `corrects_invoice_id` and
 * `corrected_by_invoice_id` are the invoice that this one replaces and the one that replaces it. `fee_of_invoice_id` is the invoice whose reminder
 * this one is the fee of. `reminder_level` is the level of its last reminder, and `reminder_fees` the sum of the fees of its reminders that were not voided. `email_status` is what became of
 * its latest email. `payment_hash` is the capability to see and pay the invoice without a
 * credential. `sealed_at` is when it was issued, sent, viewed or paid for the first time: it does not change from then on. `tax_rate`, `taxes` and `tax_included` of a request are those of the lines that do not say how they are taxed. `tax_breakdown` has the sum of each tax. `untaxed_as` and
 * `untaxed_reason` say why lines at a rate of zero carry no tax.
 */
export const invoiceFields = {
  invoice_id: Field.assigned(Value.id(InvoiceId)),
  business_id: Field.internal(Value.id(BusinessId)),
  number: Field.says(
    { person: "nobody" },
    {
      stored: Schema.String,
      wire: Schema.NullOr(Schema.String),
      toWire: (number: string) => (number === "" ? null : number)
    }
  ),
  draft: {
    input: Schema.optionalKey(
      Schema.Boolean.pipe(
        described("A draft has no number, and can be neither sent nor paid, until it is issued.")
      )
    )
  },
  customer_id: Field.optional(Value.id(CustomerId)),
  status: Field.assigned(Value.oneOf(InvoiceStatus)),
  allowed_transitions: Field.says({ person: "nobody" }, Field.computed(Schema.Array(InvoiceStatus))),
  currency: Field.says(
    { person: "nobody" },
    { input: orNull(Value.currency.required), ...Field.assigned(Value.currency) }
  ),
  items: {
    input: Field.withDefault(
      {
        ...lineList,
        required: lineList.required.pipe(
          described("Required unless `trip_ids` is sent; each trip then gets a line.")
        )
      },
      []
    ).input,
    change: Schema.optionalKey(lineList.required),
    wire: Schema.Array(InvoiceLineRecord),
    person: "customer" as const
  },
  lines: Field.says({ person: "customer" }, Field.internal({ stored: Schema.Array(InvoiceLine) })),
  subtotal: Field.says({ person: "nobody" }, amount),
  subtotal_minor: Field.internal(Value.minorAmount),
  // A deduction at a higher rate than that of the rest makes the tax negative.
  tax_total: Field.says({ person: "nobody" }, Field.computed(Schema.Finite)),
  tax_minor: Field.internal(Value.minorAmount),
  tax_breakdown: Field.says({ person: "nobody" }, Field.computed(Schema.Array(TaxRecord))),
  total_amount: Field.says({ person: "nobody" }, amount),
  total_minor: Field.internal(Value.minorAmount),
  amount_paid: Field.says({ person: "nobody" }, amount),
  paid_minor: Field.internal(Value.minorAmount),
  amount_credited: Field.says({ person: "nobody" }, amount),
  credited_minor: Field.internal(Value.minorAmount),
  amount_due: Field.says({ person: "nobody" }, amount),
  amount_to_refund: Field.says({ person: "nobody" }, amount),
  excess_minor: Field.internal(Value.minorAmount),
  issued_on: Field.says({ person: "nobody" }, Field.determined(Value.day)),
  due_date: Field.says({ person: "nobody" }, Field.optional(Value.day)),
  service_from: Field.says({ person: "nobody" }, Field.optional(Value.day)),
  service_to: Field.says({ person: "nobody" }, Field.optional(Value.day)),
  buyer_reference: Field.says({ person: "customer" }, Field.optional(Value.text(100))),
  overdue: Field.computed(Schema.Boolean),
  notes: Field.says({ person: "customer" }, Field.optional(Value.text(5000))),
  trip_ids: {
    input: Field.withDefault(Value.listOf(TripId, TripId, maxTripsPerRequest), []).input,
    stored: Schema.Array(TripId),
    wire: Schema.Array(Value.id(TripId).wire),
    person: "nobody" as const
  },
  tax_rate: { input: taxInput.tax_rate, person: "nobody" as const },
  taxes: { input: taxInput.taxes, person: "nobody" as const },
  tax_included: { input: taxInput.tax_included, person: "nobody" as const },
  ...untaxedFields,
  corrects_invoice_id: Field.assignedOrNull(Value.id(InvoiceId)),
  corrected_by_invoice_id: Field.assignedOrNull(Value.id(InvoiceId)),
  fee_of_invoice_id: Field.assignedOrNull(Value.id(InvoiceId)),
  reminder_level: Field.assigned(Value.wholeNumber(0, 5)),
  last_reminder_at: Field.assignedOrNull(Value.instant),
  reminder_fees: Field.says({ person: "nobody" }, amount),
  reminder_fees_minor: Field.internal(Value.minorAmount),
  payment_hash: Field.says({ person: "nobody" }, Field.assigned(Value.unboundedText)),
  sent_at: Field.assignedOrNull(Value.instant),
  email_status: Field.assignedOrNull(Value.oneOf(EmailStatus)),
  email_failed_at: Field.assignedOrNull(Value.instant),
  viewed_at: Field.assignedOrNull(Value.instant),
  sealed_at: Field.assignedOrNull(Value.instant),
  voided_at: Field.assignedOrNull(Value.instant),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

const invoiceInputStruct = Field.inputOf(invoiceFields)
type InvoiceInputStruct = typeof invoiceInputStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface InvoiceInputSchema extends InvoiceInputStruct {}

/** The body of `POST /invoices`. */
export const InvoiceInput: InvoiceInputSchema = invoiceInputStruct
export type InvoiceInput = typeof InvoiceInput.Type

const invoiceChangesStruct = Field.changesOf(invoiceFields)
type InvoiceChangesStruct = typeof invoiceChangesStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface InvoiceChangesSchema extends InvoiceChangesStruct {}

/** The body of `PATCH /invoices/{id}`: at least one field. `items` replaces all lines. */
export const InvoiceChanges: InvoiceChangesSchema = invoiceChangesStruct
export type InvoiceChanges = typeof InvoiceChanges.Type

/** An invoice as stored. */
export const StoredInvoice = Field.storedOf(invoiceFields)

/** An invoice as stored. `deleted_at` is set only to delete the invoice: no repository returns a deleted one. */
export interface Invoice extends Schema.Schema.Type<typeof StoredInvoice> {
  readonly deleted_at?: DateTime.Utc
}

/** An invoice that is not stored yet. Storing it gives it its id and, unless it is a draft, its number. */
export type NewInvoice = Omit<Invoice, "invoice_id" | "number" | "trip_ids" | "created_at" | "updated_at">

/** The invoice at the beginning of a sentence. */
export const nameOfInvoice = ({ number }: Pick<Invoice, "number">): string =>
  number === "" ? "The draft" : `Invoice ${number}`

/** Whether the invoice is a draft: it has no number, and was neither sent nor paid. */
export const isDraft = ({ status }: Pick<Invoice, "status">): boolean => status === "draft"

const invoiceRecordStruct = Field.recordOf(invoiceFields)
type InvoiceRecordStruct = typeof invoiceRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface InvoiceRecordSchema extends InvoiceRecordStruct {}

/** An invoice in responses and events. */
export const InvoiceRecord: InvoiceRecordSchema = invoiceRecordStruct
export type InvoiceRecord = typeof InvoiceRecord.Type

const toMajorUnits = (minor: number, { currency }: Pick<Invoice, "currency">) => toMajor({ minor, currency })

/** The invoice, which is sealed at `now` unless it was sealed before. */
export const sealedAt = (invoice: Invoice, now: DateTime.Utc): Invoice => ({
  ...invoice,
  sealed_at: invoice.sealed_at ?? now
})

/** The total less the sum of the credit notes, in minor units. */
export const restMinorOf = ({
  credited_minor,
  total_minor
}: Pick<Invoice, "credited_minor" | "total_minor">) => total_minor - credited_minor

/** Whether the invoice charges for what it lists: it is neither void nor credited in full. */
export const isInForce = ({
  credited_minor,
  status,
  total_minor
}: Pick<Invoice, "credited_minor" | "status" | "total_minor">) =>
  status !== "void" && (credited_minor === 0 || credited_minor < total_minor)

/** The amount that is still to be paid, in minor units. */
export const dueMinorOf = (
  invoice: Pick<Invoice, "credited_minor" | "paid_minor" | "status" | "total_minor">
) => (isOpenInvoice(invoice.status) ? restMinorOf(invoice) - invoice.paid_minor : 0)

/** The time and the time zone that decide whether an invoice is overdue. */
export interface InvoiceClock {
  readonly now: DateTime.Utc
  readonly timezone: string
}

/** The record of an invoice at `now`, in `timezone`. It is overdue from the day after `due_date`. */
export const invoiceRecord = Field.encoderOf<typeof invoiceFields, InvoiceClock>(invoiceFields, {
  // An invoice with credit notes is credited in full instead of being voided.
  allowed_transitions: ({ credited_minor, status }) =>
    credited_minor > 0 ? [] : invoiceMachine.next(status, "operator"),
  items: ({ currency, lines }) => lines.map((line) => invoiceLineRecord(line, currency)),
  subtotal: (invoice) => toMajorUnits(invoice.subtotal_minor, invoice),
  tax_breakdown: ({ currency, lines }) => taxesOf(lines, currency).map((tax) => taxRecord(tax, currency)),
  tax_total: (invoice) => toMajorUnits(invoice.tax_minor, invoice),
  total_amount: (invoice) => toMajorUnits(invoice.total_minor, invoice),
  amount_paid: (invoice) => toMajorUnits(invoice.paid_minor, invoice),
  amount_credited: (invoice) => toMajorUnits(invoice.credited_minor, invoice),
  amount_to_refund: (invoice) => toMajorUnits(invoice.excess_minor, invoice),
  reminder_fees: (invoice) => toMajorUnits(invoice.reminder_fees_minor, invoice),
  amount_due: (invoice) => toMajorUnits(dueMinorOf(invoice), invoice),
  overdue: (invoice, { now, timezone }) =>
    isOpenInvoice(invoice.status) &&
    dueMinorOf(invoice) > 0 &&
    invoice.due_date !== null &&
    invoice.due_date < localDay(now, timezone)
})
