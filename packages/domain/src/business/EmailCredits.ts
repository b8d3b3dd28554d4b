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
 * Builds the function that spends one credit in the open transaction and returns how many are left; `UsageLimitReached` if
 * none is left. Post the email to the outbox in the same transaction, so that each spent credit sends one email. The
 * function locks the business: call it first (docs/lock-order.md).
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
