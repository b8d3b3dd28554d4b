/** Amounts that Stripe can charge or refund. */
import { type Money, PaymentRefused } from "@livery/domain"
import { Effect } from "effect"
import { remainderOf, stepOf, toApiAmount } from "./StripeAmounts.ts"

const notChargeable = (reason: string) =>
  Effect.fail(
    new PaymentRefused({ code: "amount_not_chargeable", reason: `${reason} (amount_not_chargeable)` })
  )

/** The amount in the API's unit. `advice` ends the error about an amount between two of Stripe's steps. */
export const chargeable = (amount: Money.Money, advice: string) => {
  const apiAmount = toApiAmount(amount)
  if (remainderOf(amount) !== 0)
    return notChargeable(
      `it charges ${amount.currency} in steps of ${stepOf(amount.currency)}, and the amount is between two of them: ${advice}`
    )
  return apiAmount === undefined || apiAmount <= 0
    ? notChargeable("it does not charge that amount in that currency")
    : Effect.succeed(apiAmount)
}
