/** A link with which a customer pays, and the body of a request for one. */
import { Schema } from "effect"
import * as Value from "../../kernel/fields/Value.ts"
import { InvoiceId } from "../../kernel/Ids.ts"
import { taxInput } from "./LineTaxes.ts"

/** The body of a request for a link: how the line is taxed, if an invoice has to be raised. */
export const PaymentLinkInput = Schema.Struct(taxInput)
export type PaymentLinkInput = typeof PaymentLinkInput.Type

/**
 * A link. `url` is null if the installation has no page where customers pay; the caller then builds its own link
 * with `payment_hash`.
 */
export const PaymentLinkRecord = Schema.Struct({
  url: Schema.NullOr(Schema.String),
  payment_hash: Schema.String,
  invoice_id: Value.id(InvoiceId).wire,
  number: Schema.String,
  amount_due: Value.amount.wire,
  currency: Value.currency.wire
})
export type PaymentLinkRecord = typeof PaymentLinkRecord.Type
