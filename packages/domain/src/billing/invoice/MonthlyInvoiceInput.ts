/** The body that invoices a customer's trips of a month, and the response. */
import { Schema } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId } from "../../kernel/Ids.ts"
import { invoiceFields, InvoiceRecord } from "./Invoice.ts"
import { taxInput } from "./LineTaxes.ts"

/** The fields of a trip by which the lines of an invoice are grouped. */
export const InvoiceGrouping = Schema.Literals(["cost_center", "po_number"])

const monthPattern = "^(?:19|20|21)[0-9]{2}-(?:0[1-9]|1[0-2])$"

const Month = Schema.String.check(
  check<string>("invalid", (text) => new RegExp(monthPattern, "u").test(text), { pattern: monthPattern })
)

/** The body: the month on the business's clock, and the terms of the invoice. */
export const MonthlyInvoiceInput = Schema.Struct({
  month: Month,
  group_by: orNull(oneOf(InvoiceGrouping)),
  ...taxInput,
  currency: invoiceFields.currency.input,
  issued_on: invoiceFields.issued_on.input,
  due_date: invoiceFields.due_date.input,
  buyer_reference: invoiceFields.buyer_reference.input,
  notes: invoiceFields.notes.input,
  untaxed_as: invoiceFields.untaxed_as.input,
  untaxed_reason: invoiceFields.untaxed_reason.input
})
export type MonthlyInvoiceInput = typeof MonthlyInvoiceInput.Type

/** Why a trip of the month is not on its invoice: it has not ended, is in another currency, or has no price. */
export const LeftOutReason = Schema.Literals(["not_completed", "other_currency", "no_price"])
export type LeftOutReason = typeof LeftOutReason.Type

/** The invoice of a month. `left_out` are the customer's other trips of the month that are on no invoice. */
export const MonthlyInvoiceRecord = Schema.Struct({
  ...InvoiceRecord.fields,
  left_out: Schema.Array(Schema.Struct({ trip_id: Value.id(TripId).wire, reason: LeftOutReason }))
})
