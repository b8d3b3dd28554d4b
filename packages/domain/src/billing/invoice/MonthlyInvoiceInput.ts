/** The body that invoices a customer's trips of a month. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { check } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { invoiceFields } from "./Invoice.ts"
import { taxRate } from "./InvoiceLine.ts"

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
  tax_rate: Field.withDefault(taxRate, 0).input,
  currency: invoiceFields.currency.input,
  due_date: invoiceFields.due_date.input,
  notes: invoiceFields.notes.input,
  untaxed_as: invoiceFields.untaxed_as.input,
  untaxed_reason: invoiceFields.untaxed_reason.input
})
export type MonthlyInvoiceInput = typeof MonthlyInvoiceInput.Type
