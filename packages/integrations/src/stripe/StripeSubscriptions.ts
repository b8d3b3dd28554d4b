/** The subscriptions of businesses to the platform, at Stripe. */
import {
  AttemptSpent,
  PaymentRefused,
  type QuantityChange,
  subscriptionEndedCode,
  traced
} from "@livery/domain"
import { Effect, Option } from "effect"
import type { StripeCall } from "./StripeCalls.ts"
import { orNone } from "./StripeFailures.ts"
import { readItem, readSubscriptionOfItem, readSubscription } from "./StripeRecords.ts"

/** The statuses of subscriptions that Stripe does not change any more. */
const endedStatuses: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"])

const ended = new PaymentRefused({
  code: subscriptionEndedCode,
  reason:
    "the subscription has ended or does not exist; the operator of the platform can assign another one " +
    `(${subscriptionEndedCode})`
})

/** The methods of `PaymentProvider` about subscriptions. */
export const stripeSubscriptions = (call: StripeCall, installation: string) => {
  const subscription = traced("PaymentProvider.subscription")((id: string) =>
    orNone(call((stripe) => stripe.subscriptions.retrieve(id), readSubscription))
  )

  const retrieveItem = <A>(itemId: string, read: (answer: unknown) => Option.Option<A>) =>
    call((stripe) => stripe.subscriptionItems.retrieve(itemId), read)

  /** Whether the subscription of an item has ended or does not exist. */
  const hasEnded = Effect.fnUntraced(function* (itemId: string) {
    const item = yield* orNone(retrieveItem(itemId, readSubscriptionOfItem))
    if (Option.isNone(item)) return true
    const current = yield* subscription(item.value.subscription_id)
    return !Option.exists(current, ({ status }) => !endedStatuses.has(status))
  })

  const changeQuantity = traced("PaymentProvider.changeQuantity")(function* (change: QuantityChange) {
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
      // The failure that Stripe saved does not show whether the quantity has changed, so the item is read.
      Effect.catchIf(
        ({ kept }) => kept,
        () =>
          Effect.flatMap(retrieveItem(change.item_id, readItem), ({ value }) =>
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
