/** Requesting refunds of card payments at the provider, each exactly once (docs/billing/payment-provider.md). */
import { DateTime, Effect, Option } from "effect"
import { CurrentRequestParts } from "../../kernel/idempotency/CurrentRequestParts.ts"
import { ResponseRetention } from "../../kernel/idempotency/ResponseRetention.ts"
import { CardIntentRepository } from "./CardIntentRepository.ts"
import type { Payment } from "../ledger/Payment.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { PaymentProviderUnavailable } from "./PaymentProviderErrors.ts"
import { hasFailed, type ProviderRefund } from "./PaymentProviderRecords.ts"

/** The most keys that a request tries, if the provider fails and keeps each failure. */
const maxAttempts = 5

/** The name of a refund of this installation, from the key of one of its attempts. */
export const refundNameOf = (key: string): string => key.slice(0, key.lastIndexOf("/"))

/**
 * The amount of a refund and the rest of the payment before it, in minor units, and the number of refunds of the payment that
 * the ledger has.
 */
export interface RefundTerms {
  readonly amount_minor: number
  readonly left: number
  readonly earlier: number
}

/**
 * Builds the function that requests the refund of a payment, or returns the refund that an earlier request of it has made.
 * `entries` is the ledger of the invoice, and `amounts` gives the terms of the refund. The reference is stored before the
 * request, because the provider's notice may enter the refund.
 *
 * The name of a refund consists of the payment and the request's idempotency key; without a key, of the rest, the amount and
 * the number of earlier refunds. So a request that is repeated because its response was lost makes no second refund. The
 * number tells it from another refund of that amount, when a refund between them has failed and raised the rest again. A
 * refund that is in the ledger is another request's, once the key of its request is free again. Each attempt has a key of its
 * own. All requests of a refund use the same keys in the same order, and a next key only when the one before can make no
 * refund any more.
 */
export const makeProviderRefunds = Effect.gen(function* () {
  const provider = yield* PaymentProvider
  const intents = yield* CardIntentRepository
  const retention = yield* ResponseRetention

  const requestRefund = Effect.fnUntraced(function* (
    { business_id, currency, invoice_id }: Payment,
    intent_id: string,
    name: string,
    minor: number,
    reference: string | null,
    others: ReadonlyArray<ProviderRefund>
  ) {
    if (reference !== null) yield* intents.keepReference(business_id, invoice_id, name, reference)
    const used = new Set(others.map(({ key }) => key))
    let attempt = yield* intents.spentAttempts(business_id, invoice_id, name)
    for (let round = 0; round < maxAttempts; round++) {
      // For the key of another refund, the provider would return that refund again.
      while (used.has(`${name}/${attempt}`)) attempt++
      const refund = yield* provider
        .refund({ intent_id, amount: { minor, currency }, key: `${name}/${attempt}` })
        .pipe(
          Effect.asSome,
          Effect.catchTag("AttemptSpent", () => Effect.succeed(Option.none<ProviderRefund>()))
        )
      if (Option.isSome(refund)) return refund.value
      yield* intents.spendAttempt(business_id, invoice_id, name, attempt)
      attempt++
    }
    return yield* new PaymentProviderUnavailable({ reason: "it failed several times; try again" })
  })

  return Effect.fnUntraced(function* <E>(
    payment: Payment,
    entries: ReadonlyArray<Payment>,
    intentId: string,
    reference: string | null,
    amounts: Effect.Effect<RefundTerms, E>
  ) {
    const request = yield* CurrentRequestParts
    const refunds = yield* provider.refundsOf(intentId)
    const forgotten = DateTime.subtractDuration(yield* DateTime.now, retention())
    /** Whether a refund failed, or was made for an earlier request, whose idempotency key is free again. */
    const isOther = ({ created_at, refund_id, status }: ProviderRefund) =>
      hasFailed({ status }) ||
      (DateTime.isLessThanOrEqualTo(created_at, forgotten) &&
        entries.some(({ provider_id }) => provider_id === refund_id))
    const nameOf = (own: string) => `${payment.business_id}/${payment.payment_id}/${own}`
    const earlierRefund = (name: string) =>
      refunds.find((refund) => !isOther(refund) && refund.key?.startsWith(`${name}/`) === true)
    // A repeated request may have used the amount up already, so that it comes before the amounts.
    const before = request === undefined ? undefined : earlierRefund(nameOf(request.id))
    if (before !== undefined) return before
    const { amount_minor, earlier, left } = yield* amounts
    const name = nameOf(request?.id ?? `${left}/${amount_minor}/${earlier}`)
    const others = refunds.filter(isOther)
    return (
      earlierRefund(name) ?? (yield* requestRefund(payment, intentId, name, amount_minor, reference, others))
    )
  })
})
