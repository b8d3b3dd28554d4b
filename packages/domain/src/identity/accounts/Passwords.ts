/** Changing a password, and resetting a forgotten one (docs/api/accounts.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { invalidField, Unauthorized } from "../../kernel/Errors.ts"
import type { SessionId, UserId } from "../../kernel/Ids.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { makeMailLimits } from "../../mail/MailLimits.ts"
import { noRecipient } from "../../mail/MailMessage.ts"
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import { comparisonBy } from "../users/PasswordComparison.ts"
import { PasswordHasher } from "../users/PasswordHasher.ts"
import { makeReplacePassword } from "./PasswordReplacement.ts"
import { ResetLink } from "./ResetLink.ts"
import type { User } from "../users/User.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { codeHash, newCode, resetCodeLifetime } from "../users/VerificationCode.ts"
import { VerificationCodeRepository } from "../users/VerificationCodeRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { PasswordChange, ResetConfirmation } from "./PasswordChange.ts"

const resetText = (name: string | undefined, code: string, link: string | undefined) =>
  [
    name === undefined ? "Hello," : `Hello ${name},`,
    "",
    "someone, probably you, asked for a new password for your Livery account. The code to set it is:",
    "",
    `    ${code}`,
    "",
    ...(link === undefined ? [] : ["or follow this link:", "", link, ""]),
    "The code is valid for one hour and can be used once. If you did not ask for it, ignore this message.",
    ""
  ].join("\n")

const wrong = (field: string) => invalidField(field, "invalid")

export class Passwords extends Context.Service<Passwords>()("@livery/domain/Passwords", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const users = yield* UserRepository
    const codes = yield* VerificationCodeRepository
    const hasher = yield* PasswordHasher
    const { compare } = comparisonBy(hasher)
    const outbox = yield* MailOutbox
    const cryptography = yield* Cryptography
    const replacePassword = yield* makeReplacePassword
    const linkTo = yield* ResetLink
    const writeAudit = yield* makeAuditTrail
    const limits = yield* makeMailLimits
    const withCryptography = Effect.provideService(Cryptography, cryptography)

    const refusedChange = Effect.fnUntraced(function* (userId: UserId) {
      const actor = `user:${userId}`
      yield* writeAudit({ actor, action: "password.change_refused", subject: actor }, "warning")
      return yield* wrong("current_password")
    })

    return {
      /**
       * Sets a new password and ends the user's other sessions. `InvalidInput` (`current_password`, `invalid`) if the
       * current password is wrong; `Unauthorized` if the calling session has ended meanwhile.
       */
      change: traced("Passwords.change")(function* (
        { sessionId, user }: { readonly user: User; readonly sessionId: SessionId },
        input: PasswordChange
      ) {
        const account = yield* users.findByEmail(user.email)
        if (Option.isNone(account)) return yield* new Unauthorized()
        const { passwordHash } = account.value
        const { matches } = yield* compare(input.current_password, passwordHash)
        if (!matches) return yield* refusedChange(user.user_id)
        const newHash = yield* hasher.hash(input.new_password)
        yield* atomically(transaction, function* () {
          const locked = yield* users.lock(user.user_id)
          // A concurrent change has replaced the password that was compared.
          if (Option.isNone(locked) || locked.value.passwordHash !== passwordHash)
            return yield* wrong("current_password")
          const kept = yield* replacePassword({
            userId: user.user_id,
            passwordHash: newHash,
            keep: sessionId,
            action: "password.changed"
          })
          if (!kept) return yield* new Unauthorized()
        })
        return { updated: true, other_sessions_revoked: true }
      }),

      /**
       * Mails a code to the account with that email; its older codes stay valid for their time. The result and the
       * work are the same for an unknown email, and for one beyond the limit of emails, to which nothing is mailed.
       */
      requestReset: traced("Passwords.requestReset")(function* (email: string) {
        const code = yield* withCryptography(newCode)
        const hashedCode = yield* withCryptography(codeHash(code))
        const expiresAt = DateTime.addDuration(yield* DateTime.now, resetCodeLifetime)
        return yield* atomically(transaction, function* () {
          const isRefused = (yield* limits.countRecipient("reset", email)) > 0
          const account = yield* users.findByEmail(email)
          const user = Option.isNone(account) || isRefused ? undefined : account.value.user
          // An unverified user's name may have been typed by a stranger to the address.
          const name = user?.email_verified === true ? user.name : undefined
          yield* codes.issue({
            codeHash: hashedCode,
            userId: user?.user_id ?? null,
            purpose: "reset_password",
            expiresAt
          })
          yield* outbox.post({
            to: user?.email ?? noRecipient,
            subject: "A new password for Livery",
            text: resetText(name, code, linkTo?.(code))
          })
          return { sent: true }
        })
      }),

      /**
       * Sets a new password, verifies the email and ends all sessions of the user. `InvalidInput` (`code`, `invalid`)
       * if the code is unknown, used, void or expired.
       */
      confirmReset: traced("Passwords.confirmReset")(function* (input: ResetConfirmation) {
        const hashedCode = yield* withCryptography(codeHash(input.code))
        const owner = yield* codes.ownerOf(hashedCode, "reset_password", yield* DateTime.now)
        if (Option.isNone(owner)) return yield* wrong("code")
        const passwordHash = yield* hasher.hash(input.password)
        yield* atomically(transaction, function* () {
          const account = yield* users.lock(owner.value)
          const now = yield* DateTime.now
          const redeemed = yield* codes.redeem(hashedCode, "reset_password", now)
          if (Option.isNone(redeemed)) return yield* wrong("code")
          yield* users.markVerified(redeemed.value, now)
          const subject = `user:${redeemed.value}`
          if (Option.isSome(account) && !account.value.user.email_verified)
            yield* writeAudit({
              actor: subject,
              action: "user.email_verified",
              subject,
              reason: "The code of a password reset verified the address"
            })
          yield* replacePassword({ userId: redeemed.value, passwordHash, action: "password.reset" })
        })
        return { reset: true }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Passwords, Passwords.make)
}
