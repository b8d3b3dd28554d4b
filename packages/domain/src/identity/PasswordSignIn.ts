/** Signing in with email and password (specification, Authentication, rules 4 and 5). */
import { Data, Effect, Option } from "effect"
import { makeBoundedQueue } from "../kernel/concurrency/BoundedQueue.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { EmailUnverified, InvalidCredentials } from "../kernel/Errors.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import { PasswordHasher } from "./PasswordHasher.ts"
import type { LoginInput } from "./Session.ts"
import { sessionOpening } from "./SessionOpening.ts"
import type { User } from "./User.ts"
import { UserRepository } from "./UserRepository.ts"

/** The password was changed or hashed anew between its check and the session that it was to open. */
class PasswordReplaced extends Data.TaggedError("PasswordReplaced") {}

/**
 * How many logins run and may wait. A flood of them is refused before it takes the connections to the database that
 * other requests need.
 */
const loginBounds = { concurrency: 4, waiting: 60 }

/** Opens a session for who knows an account's password; `Sessions` says what it promises. */
export const passwordSignIn = Effect.gen(function* () {
  const transaction = yield* Transaction
  const users = yield* UserRepository
  const hasher = yield* PasswordHasher
  const cryptography = yield* Cryptography
  const opening = yield* sessionOpening
  const trail = yield* auditTrail
  const queued = yield* makeBoundedQueue(loginBounds)

  /** The same row and the same line whether the account exists or not, so that their time tells nothing. */
  const refused = Effect.fnUntraced(function* (email: string, user: User | null, reason: string) {
    const address = yield* cryptography.sha256(email)
    yield* trail(
      {
        actor: "anonymous",
        action: "session.refused",
        subject: `email:${address.slice(0, 16)}`,
        after: { user_id: user?.user_id ?? null },
        reason
      },
      "alarming"
    )
  })

  /** Who knows the password of the account, and the hash that was compared. */
  const proved = Effect.fnUntraced(function* (input: LoginInput) {
    const account = yield* users.findByEmail(input.email)
    if (Option.isNone(account)) {
      yield* hasher.verifyNothing(input.password)
      yield* refused(input.email, null, "unknown email")
      return yield* new InvalidCredentials()
    }
    const { passwordHash, user } = account.value
    const { matches, outdated } = yield* hasher.verify(input.password, passwordHash)
    if (!matches) {
      yield* refused(input.email, user, "wrong password")
      return yield* new InvalidCredentials()
    }
    if (!user.email_verified) {
      yield* refused(input.email, user, "unverified email")
      return yield* new EmailUnverified()
    }
    return { user, passwordHash, outdated }
  })

  const attempt = Effect.fnUntraced(function* (input: LoginInput) {
    const { outdated, passwordHash, user } = yield* proved(input)
    // A busy hasher must not turn a right password away: there is another login to strengthen the hash at.
    const stronger = outdated
      ? yield* hasher.hash(input.password).pipe(Effect.catchTag("TooManyRequests", () => Effect.undefined))
      : undefined
    const opened = yield* transaction.run(
      Effect.gen(function* () {
        // A password that has just been changed must not open one more session for who knew the old one.
        const held = yield* users.hold(user.user_id)
        if (Option.isNone(held) || held.value.passwordHash !== passwordHash)
          return yield* new PasswordReplaced()
        if (stronger !== undefined) yield* users.replacePasswordHash(user.user_id, stronger)
        const opened = yield* opening.open(user, input.device_name)
        const actor = `user:${user.user_id}`
        yield* trail({
          actor,
          action: "session.opened",
          subject: actor,
          after: { session_id: opened.sessionId, by: "password" }
        })
        return opened
      })
    )
    return { user, opened }
  })

  return Effect.fn("Sessions.login")(function* (input: LoginInput) {
    const { opened, user } = yield* attempt(input).pipe(
      Effect.retry({ times: 2, while: ({ _tag }) => _tag === "PasswordReplaced" }),
      Effect.catchTag("PasswordReplaced", () => Effect.fail(new InvalidCredentials())),
      queued
    )
    return yield* opening.result(user, opened)
  })
})
