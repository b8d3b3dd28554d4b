/** Requesting refunds of card payments at the provider, each exactly once (docs/billing/payment-provider.md). */
import { Effect, Option } from "effect"
import { CurrentRequestParts } from "../kernel/idempotency/CurrentRequestParts.ts"
import { CardIntentRepository } from "./CardIntentRepository.ts"
import type { Payment } from "./Payment.ts"
import { PaymentProvider, PaymentProviderUnavailable } from "./PaymentProvider.ts"
import { hasFailed, type ProviderRefund } from "./PaymentProviderRecords.ts"

/** How many keys a request tries, if the provider fails and keeps each failure. */
const maxAttempts = 5

/**
 * Makes the function that requests the refund of a payment, or finds the refund that an earlier request of it has made.
 * `amounts` gives the amount, and what is left of the payment before it, in minor units.
 *
 * The name of a refund consists of the payment and the request's idempotency key, or of what was left before and the amount:
 * a request that is repeated because its answer was lost makes no second refund. Each attempt has a key of its own.
 * All requests of a refund use the same keys in the same order, and the next key only after the one before can make no
 * refund any more.
 */
export const makeProviderRefunds = Effect.gen(function* () {
  const provider = yield* PaymentProvider
  const intents = yield* CardIntentRepository

  const requested = Effect.fnUntraced(function* (
    { business_id, currency, invoice_id }: Payment,
    intent_id: string,
    name: string,
    minor: number,
    known: ReadonlyArray<ProviderRefund>
  ) {
    const failed = new Set(known.filter(hasFailed).map(({ key }) => key))
    let attempt = yield* intents.spent(business_id, invoice_id, name)
    for (let round = 0; round < maxAttempts; round++) {
      // For such a key, the provider would answer with the failed refund.
      while (failed.has(`${name}/${attempt}`)) attempt++
      const made = yield* provider
        .refund({ intent_id, amount: { minor, currency }, key: `${name}/${attempt}` })
        .pipe(
          Effect.asSome,
          Effect.catchTag("AttemptSpent", () => Effect.succeed(Option.none<ProviderRefund>()))
        )
      if (Option.isSome(made)) return made.value
      yield* intents.spend(business_id, invoice_id, name, attempt)
      attempt++
    }
    return yield* new PaymentProviderUnavailable({ reason: "it failed several times; try again" })
  })

  return Effect.fnUntraced(function* <E>(
    payment: Payment,
    intentId: string,
    amounts: Effect.Effect<{ readonly amount_minor: number; readonly left: number }, E>
  ) {
    const request = yield* CurrentRequestParts
    const known = yield* provider.refundsOf(intentId)
    const nameOf = (own: string) => `${payment.business_id}/${payment.payment_id}/${own}`
    const made = (name: string) =>
      known.find((refund) => !hasFailed(refund) && refund.key?.startsWith(`${name}/`) === true)
    // A repeated request may have used the amount up already, so that it comes before the amounts.
    const before = request === undefined ? undefined : made(nameOf(request.id))
    if (before !== undefined) return before
    const { amount_minor, left } = yield* amounts
    const name = nameOf(request?.id ?? `${left}/${amount_minor}`)
    return made(name) ?? (yield* requested(payment, intentId, name, amount_minor, known))
  })
})
