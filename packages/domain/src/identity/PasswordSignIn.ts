/** Signing in with email and password (docs/api/authentication.md). */
import { Data, Effect, Option, Redacted } from "effect"
import { makeBoundedQueue } from "../kernel/concurrency/BoundedQueue.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { EmailUnverified, InvalidCredentials } from "../kernel/Errors.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { comparisonBy } from "./users/PasswordComparison.ts"
import { PasswordHasher } from "./users/PasswordHasher.ts"
import { opaqueString } from "./users/PasswordFields.ts"
import type { LoginInput } from "./sessions/Session.ts"
import { makeSessionOpening } from "./sessions/SessionOpening.ts"
import type { User } from "./users/User.ts"
import { UserRepository } from "./users/UserRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The stored hash changed between the comparison and the opening of the session. */
class PasswordReplaced extends Data.TaggedError("PasswordReplaced") {}

/**
 * The bounds of concurrent and waiting logins. A flood of logins is refused before it takes the database connections that
 * other requests need.
 */
const loginBounds = { concurrency: 4, waiting: 60 }

/** Builds `Sessions.login`. */
export const makePasswordSignIn = Effect.gen(function* () {
  const transaction = yield* Transaction
  const users = yield* UserRepository
  const hasher = yield* PasswordHasher
  const { compare, compareDummy } = comparisonBy(hasher)
  const cryptography = yield* Cryptography
  const opening = yield* makeSessionOpening
  const writeAudit = yield* makeAuditTrail
  const queued = yield* makeBoundedQueue(loginBounds)

  /** Writes the same row and log line whether or not the account exists, so that the response time reveals nothing. */
  const logRefusal = Effect.fnUntraced(function* (email: string, user: User | null, reason: string) {
    const address = yield* cryptography.sha256(email)
    yield* writeAudit(
      {
        actor: "anonymous",
        action: "session.refused",
        subject: `email:${address.slice(0, 16)}`,
        after: { user_id: user?.user_id ?? null },
        reason
      },
      "warning"
    )
  })

  /** The user whose password matches, and the hash that was compared. */
  const checkPassword = Effect.fnUntraced(function* (input: LoginInput) {
    const account = yield* users.findByEmail(input.email)
    if (Option.isNone(account)) {
      yield* compareDummy(input.password)
      yield* logRefusal(input.email, null, "unknown email")
      return yield* new InvalidCredentials()
    }
    const { passwordHash, user } = account.value
    const { matches, outdated } = yield* compare(input.password, passwordHash)
    if (!matches) {
      yield* logRefusal(input.email, user, "wrong password")
      return yield* new InvalidCredentials()
    }
    if (!user.email_verified) {
      yield* logRefusal(input.email, user, "unverified email")
      return yield* new EmailUnverified()
    }
    return { user, passwordHash, outdated }
  })

  const attempt = Effect.fnUntraced(function* (input: LoginInput) {
    const { outdated, passwordHash, user } = yield* checkPassword(input)
    // A busy hasher must not refuse a correct password: the next login can replace the hash.
    const stronger = outdated
      ? yield* hasher
          .hash(Redacted.make(opaqueString(Redacted.value(input.password))))
          .pipe(Effect.catchTag("TooManyRequests", () => Effect.undefined))
      : undefined
    const opened = yield* atomically(transaction, function* () {
      // The old password must not open a session after it was changed.
      const locked = yield* users.lock(user.user_id)
      if (Option.isNone(locked) || locked.value.passwordHash !== passwordHash)
        return yield* new PasswordReplaced()
      if (stronger !== undefined) yield* users.replacePasswordHash(user.user_id, stronger)
      const opened = yield* opening.open(user, input.device_name)
      const actor = `user:${user.user_id}`
      yield* writeAudit({
        actor,
        action: "session.opened",
        subject: actor,
        after: { session_id: opened.sessionId, by: "password" }
      })
      return opened
    })
    return { user, opened }
  })

  return traced("Sessions.login")(function* (input: LoginInput) {
    const { opened, user } = yield* attempt(input).pipe(
      Effect.retry({ times: 2, while: ({ _tag }) => _tag === "PasswordReplaced" }),
      Effect.catchTag("PasswordReplaced", () => Effect.fail(new InvalidCredentials())),
      queued
    )
    return yield* opening.result(user, opened)
  })
})
