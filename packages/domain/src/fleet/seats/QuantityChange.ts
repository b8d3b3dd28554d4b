/** Setting the quantity of a business's subscription item at the payment provider. */
import { Effect, Exit, Option } from "effect"
import { PaymentProvider, subscriptionEndedCode } from "../../billing/provider/PaymentProvider.ts"
import {
  PaymentProviderUnavailable,
  type PaymentRefused
} from "../../billing/provider/PaymentProviderErrors.ts"
import type { BusinessId } from "../../kernel/Ids.ts"

/** How many keys a change tries, if the provider fails and keeps each failure. */
const maxAttempts = 5

/** A change of a quantity. Its key consists of the business and the number of the attempt. */
export interface NumberedChange {
  readonly businessId: BusinessId
  readonly item_id: string
  readonly quantity: number
  readonly attempt: number
}

/** Whether a change was refused because the subscription has ended. */
export const hasSubscriptionEnded = (
  exit: Exit.Exit<unknown, PaymentRefused | PaymentProviderUnavailable>
): boolean =>
  Option.exists(
    Exit.findErrorOption(exit),
    (error) => error._tag === "PaymentRefused" && error.code === subscriptionEndedCode
  )

/**
 * Makes the function that sends a change. After each failure that the provider keeps under its key, it sends the change again
 * with the number that `nextAttempt` stores and gives; `undefined` ends it.
 */
export const makeQuantityChange = Effect.map(PaymentProvider, (provider) =>
  Effect.fnUntraced(function* (
    { attempt, businessId, item_id, quantity }: NumberedChange,
    nextAttempt: Effect.Effect<number | undefined>
  ) {
    let current: number | undefined = attempt
    for (let round = 0; round < maxAttempts && current !== undefined; round++) {
      const isSent = yield* provider
        .changeQuantity({ item_id, quantity, key: `${businessId}/${current}` })
        .pipe(
          Effect.as(true),
          Effect.catchTag("AttemptSpent", () => Effect.succeed(false))
        )
      if (isSent) return
      current = yield* nextAttempt
    }
    return yield* new PaymentProviderUnavailable({ reason: "it failed several times; try again" })
  })
)
