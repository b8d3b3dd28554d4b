/** The ledger of payments: entries that are only ever added (docs/api/invoices.md). */
import { Option, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { omittable, orNull } from "../../kernel/fields/Optional.ts"
import { PositiveAmount } from "../../kernel/money/Money.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, InvoiceId, PaymentId } from "../../kernel/Ids.ts"
import { toMajor } from "../../kernel/money/Money.ts"

/** How a customer paid. */
export const PaymentMethod = Schema.Literals(["card", "cash", "bank_transfer", "other"])
export type PaymentMethod = typeof PaymentMethod.Type

/**
 * The kind of an entry:
 * - `payment`, `refund`: count towards the invoice;
 * - `excess`: a card payment, or the part of one, that the invoice did not need when it arrived, for example after
 *   it was voided. It is kept, does not count towards the invoice, and is to be refunded; `excess_refund`: the
 *   refund of such an amount;
 * - `credit`: a credit note credited an amount that had been paid. The amount no longer counts towards the invoice,
 *   and is to be refunded as an excess is;
 * - `reversal`: a refund at the provider failed after it was entered, and the amount counts towards the invoice
 *   again; `excess_reversal`: the same of an amount that the invoice does not need, which is to be refunded again.
 */
export const PaymentKind = Schema.Literals([
  "payment",
  "refund",
  "reversal",
  "credit",
  "excess",
  "excess_refund",
  "excess_reversal"
])
export type PaymentKind = typeof PaymentKind.Type

/**
 * The fields of an entry. `amount` is positive in each kind. `refund_of` is the entry that is refunded or credited,
 * or the refund that a reversal undoes. A request may name the currency; it must be that of the invoice. `provider_id` is the provider's identifier of a card payment or refund.
 */
export const paymentFields = {
  payment_id: Field.assigned(Value.id(PaymentId)),
  business_id: Field.internal(Value.id(BusinessId)),
  invoice_id: Field.assigned(Value.id(InvoiceId)),
  kind: Field.assigned(Value.oneOf(PaymentKind)),
  amount: Field.says({ person: "nobody" }, { input: PositiveAmount, wire: Value.amount.wire }),
  amount_minor: Field.internal(Value.minorAmount),
  currency: Field.says(
    { person: "nobody" },
    { input: omittable(Value.currency.required), ...Field.assigned(Value.currency) }
  ),
  method: Field.required(Value.oneOf(PaymentMethod)),
  received_at: { input: orNull(Value.instant.optional), ...Field.assigned(Value.instant) },
  reference: Field.says({ person: "customer" }, Field.optional(Value.text(200))),
  refund_of: Field.assignedOrNull(Value.id(PaymentId)),
  provider_id: Field.says({ person: "nobody" }, Field.internalOrNull(Value.unboundedText)),
  created_at: Field.assigned(Value.instant)
}

/** The body of `POST /invoices/{id}/payments`. */
export const PaymentInput = Field.inputOf(paymentFields)
export type PaymentInput = typeof PaymentInput.Type

/** The body of a refund: without `amount`, all that is left of the payment. `currency` must be that of the payment. */
export const RefundInput = Schema.Struct({
  amount: omittable(PositiveAmount),
  currency: paymentFields.currency.input,
  reference: paymentFields.reference.input
})
export type RefundInput = typeof RefundInput.Type

/** An entry as stored. */
export const Payment = Field.storedOf(paymentFields)
export type Payment = typeof Payment.Type

/** An entry that is not stored yet. */
export type NewPayment = Omit<Payment, "payment_id" | "created_at">

/** An entry in a response. */
export const PaymentRecord = Field.recordOf(paymentFields)
export type PaymentRecord = typeof PaymentRecord.Type

/** The record of an entry. */
export const paymentRecord = Field.encoderOf<typeof paymentFields, undefined>(paymentFields, {
  amount: ({ amount_minor, currency }) => toMajor({ minor: amount_minor, currency })
})

/**
 * A refund in a response: the first entry that the request made, and `entries`, all of them. The part of a payment that
 * does not count towards the invoice is refunded by an entry of its own. `refunded_amount` is the sum of the entries.
 */
export const RefundRecord = Schema.Struct({
  ...PaymentRecord.fields,
  refunded_amount: Value.amount.wire,
  entries: Schema.Array(PaymentRecord)
})
export type RefundRecord = typeof RefundRecord.Type

/** The record of the entries of a refund, which have one currency; `None` without entries. */
export const refundRecord = (entries: ReadonlyArray<Payment>): Option.Option<RefundRecord> =>
  Option.map(Option.fromUndefinedOr(entries[0]), (first) => {
    const minor = entries.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
    return {
      ...paymentRecord(first, undefined),
      refunded_amount: toMajor({ minor, currency: first.currency }),
      entries: entries.map((entry) => paymentRecord(entry, undefined))
    }
  })
