/** The body that corrects an issued invoice. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { CreditReason } from "./CreditNote.ts"
import { InvoiceChanges } from "../invoice/Invoice.ts"

const invoiceCorrectionStruct = Schema.Struct({
  ...InvoiceChanges.fields,
  reason: Field.withDefault(Value.oneOf(CreditReason), "other").input
})
type InvoiceCorrectionStruct = typeof invoiceCorrectionStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface InvoiceCorrectionSchema extends InvoiceCorrectionStruct {}

/**
 * The body of `POST /invoices/{id}/correct`: why the invoice is credited, and the fields in which the new invoice differs.
 * Without a field, the new invoice has the same content, and the parties as they are now.
 */
export const InvoiceCorrection: InvoiceCorrectionSchema = invoiceCorrectionStruct
export type InvoiceCorrection = typeof InvoiceCorrection.Type
