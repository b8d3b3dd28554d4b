/**
 * Spending the email credits of a business. Each email that a business sends to its customers costs one credit; a
 * super-admin adds credits.
 */
import { Effect } from "effect"
import { UsageLimitReached } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { BusinessRepository } from "./BusinessRepository.ts"

/** The error of an email without a credit left. The message ends with `remedy`. */
export const noEmailCredits = (remedy = "") =>
  new UsageLimitReached({
    resource: "email credits",
    limit: 0,
    current: 0,
    reason: `The business has no email credits left${remedy}`
  })

/**
 * Spends one credit in the open transaction, and returns how many are left. `UsageLimitReached` with none left. The same
 * transaction posts the email to the outbox, so that each credit that is spent sends one email. It locks the business:
 * call it first (docs/lock-order.md).
 */
export const makeSpendEmailCredit: Effect.Effect<
  (businessId: BusinessId) => Effect.Effect<number, UsageLimitReached>,
  never,
  BusinessRepository
> = Effect.map(
  BusinessRepository,
  (businesses) => (businessId) =>
    Effect.flatMap(businesses.takeEmailCredit(businessId), (left) =>
      Effect.mapError(Effect.fromOption(left), () => noEmailCredits())
    )
)
