/** The account of a person whose address was proved by the code of an invitation. */
import { Data, type DateTime, Effect, Option } from "effect"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import type { UserId } from "../../kernel/Ids.ts"
import { makeReplacePassword } from "./PasswordReplacement.ts"
import type { AccountType } from "../users/User.ts"
import { UserRepository } from "../users/UserRepository.ts"

/** A concurrent request created the account first; a retry of the transaction finds it. */
export class AccountExists extends Data.TaggedError("AccountExists") {}

const isAccountExists = (error: unknown): error is AccountExists => error instanceof AccountExists

/**
 * Repeats a transaction that failed with {@link AccountExists}. The concurrent request has committed by then, so the
 * repetition finds its account.
 */
export const retryIfAccountExists = <A, E, R>(transaction: Effect.Effect<A, E | AccountExists, R>) =>
  transaction.pipe(
    Effect.retry({ while: isAccountExists, times: 3 }),
    Effect.catchIf(isAccountExists, Effect.die)
  )

/**
 * Builds the function that returns the account with an address that a code has proved, locked; it creates the account if
 * there is none. A verified account keeps its password. An unverified one becomes verified and takes the given password,
 * because its earlier password was set without proof of the address. Call it in a transaction.
 */
export const makeInvitedAccount = Effect.gen(function* () {
  const users = yield* UserRepository
  const writeAudit = yield* makeAuditTrail
  const replacePassword = yield* makeReplacePassword

  return Effect.fnUntraced(function* (
    account: {
      readonly email: string
      readonly name: string
      readonly passwordHash: string
      readonly accountType: AccountType
    },
    now: DateTime.Utc
  ): Effect.fn.Return<UserId, AccountExists> {
    const { accountType, email, name, passwordHash } = account
    const existing = yield* users.lockByEmail(email)
    if (Option.isSome(existing)) {
      const { email_verified, user_id } = existing.value.user
      if (email_verified) return user_id
      yield* users.markVerified(user_id, now)
      const actor = `user:${user_id}`
      yield* writeAudit({
        actor,
        action: "user.email_verified",
        subject: actor,
        reason: "An invitation verified the address"
      })
      yield* replacePassword({
        userId: user_id,
        passwordHash,
        action: "password.reset",
        reason: "An invitation verified the address; the password was set before that"
      })
      return user_id
    }
    const userId = yield* users
      .insert({ email, name, mobilePhone: null, accountType, passwordHash, verifiedAt: now })
      .pipe(Effect.mapError(() => new AccountExists()))
    const subject = `user:${userId}`
    yield* writeAudit({ actor: subject, action: "user.created", subject, after: { by: "invitation" } })
    return userId
  })
})
