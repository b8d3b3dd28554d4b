/** A business that a user with an account creates. */
import { Context, Effect, Layer } from "effect"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import { type BusinessRecord, businessRecord } from "../../business/Business.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { Businesses } from "../../business/Businesses.ts"
import { Conflict } from "../../kernel/Errors.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import type { UserPrincipal } from "../credentials/Principal.ts"
import { SessionRepository } from "../sessions/SessionRepository.ts"
import { CredentialCache } from "../credentials/CredentialCache.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { BusinessCreationInput } from "./BusinessCreationInput.ts"

/** The most businesses that a user may belong to and still create one: each has its own allowances and rate limit. */
export const maxBusinessesPerUser = 20

/**
 * Builds the function that creates a business with its first member, and writes that to the audit log. Call it in a
 * transaction.
 */
export const makeBusinessFounding = Effect.gen(function* () {
  const repository = yield* BusinessRepository
  const businesses = yield* Businesses
  const writeAudit = yield* makeAuditTrail
  return Effect.fnUntraced(function* (
    founded: Parameters<Businesses["Service"]["create"]>[0]
  ): Effect.fn.Return<BusinessRecord> {
    const businessId = yield* businesses.create(founded)
    const business = yield* Effect.orDie(Effect.flatMap(repository.find(businessId), Effect.fromOption))
    const record = businessRecord(business)
    yield* writeAudit({
      actor: `user:${founded.owner}`,
      action: "business.founded",
      subject: `business:${businessId}`,
      businessId,
      after: { business_name: record.business_name, vendor_slug: record.vendor_slug }
    })
    return record
  })
})

export class BusinessCreation extends Context.Service<BusinessCreation>()("@livery/domain/BusinessCreation", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const found = yield* makeBusinessFounding
    const users = yield* UserRepository
    const sessions = yield* SessionRepository
    const credentials = yield* CredentialCache

    return {
      /**
       * A new business on the default plan, with the user as its first member and the user's email as its own.
       * `Conflict` if the user belongs to {@link maxBusinessesPerUser} businesses already. The session that creates it
       * can act for it immediately, the user's other sessions within a second.
       */
      create: traced("BusinessCreation.create")(function* (
        { sessionId, user }: UserPrincipal,
        input: BusinessCreationInput
      ) {
        return yield* atomically(transaction, function* () {
          // The lock makes concurrent requests of one user count one after the other.
          yield* users.lock(user.user_id)
          const { length } = yield* sessions.businessesOf(user.user_id)
          if (length >= maxBusinessesPerUser)
            return yield* new Conflict({
              reason: `A user may belong to at most ${maxBusinessesPerUser} businesses; you belong to ${length}`
            })
          const record = yield* found({
            name: input.business_name,
            email: user.email,
            owner: user.user_id
          })
          yield* transaction.afterCommit(credentials.invalidateSession(sessionId))
          return record
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BusinessCreation, BusinessCreation.make)
}
