/** The use cases of users with their own account (docs/api/accounts.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { SessionId, UserId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { SessionRepository } from "../sessions/SessionRepository.ts"
import { CredentialCache } from "../credentials/CredentialCache.ts"
import { type UserChanges, type User, userRecord, type UserRecord } from "../users/User.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

export class Accounts extends Context.Service<Accounts>()("@livery/domain/Accounts", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const users = yield* UserRepository
    const sessions = yield* SessionRepository
    const credentials = yield* CredentialCache

    const recordOf = (user: User) =>
      Effect.map(users.driverOf(user.user_id), (driver) => userRecord(user, Option.getOrNull(driver)))

    const businesses = traced("Accounts.businesses")(function* (userId: UserId) {
      const businesses = yield* sessions.businessesOf(userId)
      return businesses.map(({ business_id, business_name }) => ({ business_id, business_name }))
    })

    return {
      /** The user as stored, read past the credential cache. */
      read: traced("Accounts.read")(function* (userId: UserId) {
        // A signed-in user exists: users are never deleted.
        return yield* recordOf(yield* Effect.orDie(Effect.flatMap(users.find(userId), Effect.fromOption)))
      }),

      /** A new name or phone number; `Conflict` if the precondition does not hold. */
      change: traced("Accounts.change")(function* (
        { sessionId, userId }: { readonly userId: UserId; readonly sessionId: SessionId },
        input: UserChanges,
        precondition: Precondition<UserRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const locked = yield* Effect.orDie(Effect.flatMap(users.lock(userId), Effect.fromOption))
          yield* precondition(yield* recordOf(locked.user))
          const changed = yield* users.change(userId, input, yield* DateTime.now)
          yield* transaction.afterCommit(credentials.invalidateSession(sessionId))
          return yield* recordOf(yield* Effect.orDie(Effect.fromOption(changed)))
        })
      }),

      /** The businesses that the user may act for, suspended ones included, oldest first. */
      businesses
    }
  })
}) {
  static readonly layer = Layer.effect(Accounts, Accounts.make)
}
