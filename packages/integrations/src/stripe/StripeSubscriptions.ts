/** The subscriptions of businesses to the platform, at Stripe. */
import { AttemptSpent, PaymentRefused, type QuantityChange, subscriptionEndedCode } from "@livery/domain"
import { Effect, Option } from "effect"
import type { StripeCall } from "./StripeCalls.ts"
import { orNone } from "./StripeFailures.ts"
import { readItem, readItemOf, readSubscription } from "./StripeRecords.ts"

/** The statuses in which Stripe changes nothing of a subscription any more. */
const endedStatuses: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"])

const ended = new PaymentRefused({
  code: subscriptionEndedCode,
  reason:
    "the subscription has ended or does not exist; the operator of the platform can assign another one " +
    `(${subscriptionEndedCode})`
})

/** The methods of `PaymentProvider` about subscriptions. */
export const stripeSubscriptions = (call: StripeCall, installation: string) => {
  const subscription = Effect.fn("PaymentProvider.subscription")((id: string) =>
    orNone(call((stripe) => stripe.subscriptions.retrieve(id), readSubscription))
  )

  const itemOf = <A>(itemId: string, read: (answer: unknown) => Option.Option<A>) =>
    call((stripe) => stripe.subscriptionItems.retrieve(itemId), read)

  /** Whether no change of an item can succeed any more. */
  const hasEnded = Effect.fnUntraced(function* (itemId: string) {
    const item = yield* orNone(itemOf(itemId, readItemOf))
    if (Option.isNone(item)) return true
    const current = yield* subscription(item.value.subscription_id)
    return !Option.exists(current, ({ status }) => !endedStatuses.has(status))
  })

  const changeQuantity = Effect.fn("PaymentProvider.changeQuantity")(function* (change: QuantityChange) {
    return yield* call(
      (stripe) =>
        stripe.subscriptionItems.update(
          change.item_id,
          { quantity: change.quantity },
          { idempotencyKey: `${installation}/quantity/${change.key}` }
        ),
      readItem
    ).pipe(
      Effect.map(({ value }) => value),
      // The failure that Stripe keeps does not show whether the quantity has changed, so the item is read.
      Effect.catchIf(
        ({ kept }) => kept,
        () =>
          Effect.flatMap(itemOf(change.item_id, readItem), ({ value }) =>
            value.quantity === change.quantity ? Effect.succeed(value) : Effect.fail(new AttemptSpent())
          )
      ),
      Effect.catchTag("StripeCallFailed", ({ meaning }) => Effect.fail(meaning)),
      Effect.catchTag("PaymentRefused", (refusal) =>
        Effect.flatMap(hasEnded(change.item_id), (isEnded) => Effect.fail(isEnded ? ended : refusal))
      )
    )
  })

  return { changeQuantity, subscription }
}
