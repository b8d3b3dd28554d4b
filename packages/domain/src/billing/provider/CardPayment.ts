/** A payment by card, and the error if nothing is due. */
import { Schema } from "effect"
import { orNull } from "../../kernel/fields/Optional.ts"
import * as Money from "../../kernel/money/Money.ts"
import * as Value from "../../kernel/fields/Value.ts"

/** Nothing is due. */
export class NothingOutstanding extends Schema.TaggedError<NothingOutstanding>()("NothingOutstanding", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/**
 * The body of a card payment. Without an `amount`, all that is due is paid; a part of it only if the business allows part
 * payments.
 */
export const CardPaymentInput = Schema.Struct({ amount: orNull(Money.PositiveAmount) })
export type CardPaymentInput = typeof CardPaymentInput.Type

/** The secret with which the customer's browser pays, and the amount that it pays. */
export const CardPaymentRecord = Schema.Struct({
  client_secret: Schema.String,
  amount: Value.amount.wire,
  currency: Value.currency.wire
})
export type CardPaymentRecord = typeof CardPaymentRecord.Type
