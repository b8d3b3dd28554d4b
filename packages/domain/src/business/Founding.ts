/** Founding a business as somebody who has an account (specification, Current user; `POST /me/businesses`). */
import { Context, Effect, Layer, Schema } from "effect"
import type { UserPrincipal } from "../identity/Principal.ts"
import { SessionRepository } from "../identity/Session.ts"
import { CredentialCache } from "../identity/CredentialCache.ts"
import { UserRepository } from "../identity/User.ts"
import { Conflict } from "../kernel/Errors.ts"
import { text } from "../kernel/Text.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import { type BusinessRecord, businessRecord, BusinessRepository } from "./Business.ts"
import { Businesses } from "./Businesses.ts"

/** Who acts for this many businesses founds no more: each one has its own allowances and its own rate limit. */
export const businessesPerFounder = 20

/** What founding takes. */
export const FoundingInput = Schema.Struct({ business_name: text(200) })
export type FoundingInput = typeof FoundingInput.Type

/**
 * - `found`: a new business on the free plan, of which the caller is the first member; its address is the caller's
 *   until told otherwise. Who has businesses already may found another, up to {@link businessesPerFounder}
 *   in all; then `Conflict`. The session that founds it can act for it
 *   at once, every other one within a second.
 */
export class Founding extends Context.Service<
  Founding,
  {
    readonly found: (founder: UserPrincipal, input: FoundingInput) => Effect.Effect<BusinessRecord, Conflict>
  }
>()("@livery/domain/Founding") {
  static readonly layer = Layer.effect(
    Founding,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const repository = yield* BusinessRepository
      const businesses = yield* Businesses
      const users = yield* UserRepository
      const sessions = yield* SessionRepository
      const credentials = yield* CredentialCache
      const trail = yield* auditTrail

      const found = Effect.fn("Founding.found")(function* (
        { sessionId, user }: UserPrincipal,
        input: FoundingInput
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            // Held, so that of several at once each counts those before it.
            yield* users.hold(user.user_id)
            const { length } = yield* sessions.businessesOf(user.user_id)
            if (length >= businessesPerFounder)
              return yield* new Conflict({ reason: `You act for ${length} businesses and can found no more` })
            const businessId = yield* businesses.found({
              name: input.business_name,
              email: user.email,
              owner: user.user_id
            })
            const business = yield* Effect.orDie(
              Effect.flatMap(repository.find(businessId), Effect.fromOption)
            )
            const record = businessRecord(business)
            yield* trail({
              actor: `user:${user.user_id}`,
              action: "business.founded",
              subject: `business:${businessId}`,
              businessId,
              after: { business_name: record.business_name, vendor_slug: record.vendor_slug }
            })
            yield* transaction.afterCommit(credentials.invalidateSession(sessionId))
            return record
          })
        )
      })

      return Founding.of({ found })
    })
  )
}
