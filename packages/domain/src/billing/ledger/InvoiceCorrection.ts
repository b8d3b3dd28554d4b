/** The body that corrects an issued invoice. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { CreditReason } from "./CreditNote.ts"
import { InvoiceChanges } from "../invoice/Invoice.ts"

/**
 * The body of `POST /invoices/{id}/correct`: why the invoice is credited, and the fields in which the new invoice differs.
 * Without a field, the new invoice has the same content, and the parties as they are now.
 */
export const InvoiceCorrection = Schema.Struct({
  ...InvoiceChanges.fields,
  reason: Field.withDefault(Value.oneOf(CreditReason), "other").input
})
export type InvoiceCorrection = typeof InvoiceCorrection.Type
