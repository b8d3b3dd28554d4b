/** The errors of the payment provider that callers see. */
import { Schema } from "effect"

/** The provider understood the request and refused it. `code` is the provider's name of the reason, or one of ours. */
export class PaymentRefused extends Schema.TaggedError<PaymentRefused>()("PaymentRefused", {
  code: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The payment provider refused the request: ${this.reason}`
  }
}

/**
 * The provider is not configured, cannot be reached, or did not answer in time. A request that changes something may
 * have taken effect; repeating it with the same key is safe.
 */
export class PaymentProviderUnavailable extends Schema.TaggedError<PaymentProviderUnavailable>()(
  "PaymentProviderUnavailable",
  { reason: Schema.String }
) {
  override get message() {
    return `The payment provider is not available: ${this.reason}`
  }
}

/** The notice does not come from the provider, was altered on its way, or is too old. */
export class PaymentNoticeRefused extends Schema.TaggedError<PaymentNoticeRefused>()("PaymentNoticeRefused", {
  reason: Schema.String
}) {
  override get message() {
    return `The payment notice was refused: ${this.reason}`
  }
}
