/** A payment by card, and the error if nothing is due. */
import { Schema } from "effect"
import * as Value from "../../kernel/fields/Value.ts"

/** Nothing is due. */
export class NothingOutstanding extends Schema.TaggedError<NothingOutstanding>()("NothingOutstanding", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The secret with which the customer's browser pays, and the amount that it pays. */
export const CardPaymentRecord = Schema.Struct({
  client_secret: Schema.String,
  amount: Value.amount.wire,
  currency: Value.currency.wire
})
export type CardPaymentRecord = typeof CardPaymentRecord.Type
