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
 * - `excess`: an amount, or the part of one, that the invoice did not need when it arrived, for example after
 *   it was voided. It is kept, does not count towards the invoice, and is to be refunded; `excess_refund`: the
 *   refund of such an amount;
 * - `credit`: the part of a payment that the invoice does not need, because more than was due was paid or because a credit
 *   note credited it. It does not count towards the invoice, and is to be refunded as an excess is;
 * - `reversal`: a refund failed at the provider after it was entered, or was a typing error, and the amount counts towards
 *   the invoice again; `excess_reversal`: the same of an amount that the invoice does not need, which is to be refunded again;
 * - `correction`: a payment was a typing error, and its amount counts no longer; `excess_correction`: the same of the part
 *   that did not count;
 * - `credit_used`: an amount that was to be refunded pays another invoice, where it is `from_credit` and counts;
 *   `credit_returned`: that use was reversed, and the amount is to be refunded again.
 */
export const PaymentKind = Schema.Literals([
  "payment",
  "refund",
  "reversal",
  "credit",
  "excess",
  "excess_refund",
  "excess_reversal",
  "correction",
  "excess_correction",
  "credit_used",
  "credit_returned",
  "from_credit"
])
export type PaymentKind = typeof PaymentKind.Type

/**
 * The fields of an entry. `amount` is positive in each kind. `refund_of` is the entry that is refunded or credited,
 * the refund that a reversal undoes, the payment that a correction undoes, or the use of a credit. A request may name the currency; it must be that of the invoice. `provider_id` is the provider's identifier of a card payment or refund.
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

/** The body of a reversal: the reason, which becomes the reference of the new entries. */
export const ReversalInput = Schema.Struct({ reason: Value.text(200).required })
export type ReversalInput = typeof ReversalInput.Type

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

const totalOf = (entries: ReadonlyArray<Payment>) => ({
  minor: entries.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
})

/** A payment in a response to the request that entered it; `excess_amount` is the part that the invoice did not need. */
export const ReceivedPaymentRecord = Schema.Struct({
  ...PaymentRecord.fields,
  excess_amount: Value.amount.wire
})
export type ReceivedPaymentRecord = typeof ReceivedPaymentRecord.Type

/** The record of a payment that was just entered. */
export const receivedPaymentRecord = (payment: Payment, excessMinor: number): ReceivedPaymentRecord => ({
  ...paymentRecord(payment, undefined),
  excess_amount: toMajor({ minor: excessMinor, currency: payment.currency })
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

/** A reversal in a response: as a {@link RefundRecord}, with `reversed_amount` instead. */
export const ReversalRecord = Schema.Struct({
  ...PaymentRecord.fields,
  reversed_amount: Value.amount.wire,
  entries: Schema.Array(PaymentRecord)
})
export type ReversalRecord = typeof ReversalRecord.Type

const withEntries = (first: Payment, entries: ReadonlyArray<Payment>) => ({
  ...paymentRecord(first, undefined),
  entries: entries.map((entry) => paymentRecord(entry, undefined))
})

/** The record of the entries of a refund, which have one currency; `None` without entries. */
export const refundRecord = (entries: ReadonlyArray<Payment>): Option.Option<RefundRecord> =>
  Option.map(Option.fromUndefinedOr(entries[0]), (first) => ({
    ...withEntries(first, entries),
    refunded_amount: toMajor({ ...totalOf(entries), currency: first.currency })
  }))

/** The record of the entries of a reversal, of which there is at least one. */
export const reversalRecord = (entries: readonly [Payment, ...Array<Payment>]): ReversalRecord => ({
  ...withEntries(entries[0], entries),
  reversed_amount: toMajor({ ...totalOf(entries), currency: entries[0].currency })
})
