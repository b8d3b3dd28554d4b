/** New passwords: for who knows the old one, and for who forgot it (specification, `/me/password`, `/auth`). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { InvalidInput, type TooManyRequests, Unauthorized } from "../kernel/Errors.ts"
import type { SessionId, UserId } from "../kernel/Ids.ts"
import { text } from "../kernel/fields/Text.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { nobody } from "../mail/Mail.ts"
import { MailOutbox } from "../mail/MailOutbox.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import { GivenPassword, NewPassword, PasswordHasher } from "./PasswordHasher.ts"
import { passwordReplacement } from "./PasswordReplacement.ts"
import type { SendingResult } from "./Registration.ts"
import type { User } from "./User.ts"
import { UserRepository } from "./UserRepository.ts"
import { codeHash, newCode, resetCodeLifetime } from "./VerificationCode.ts"
import { VerificationCodeRepository } from "./VerificationCodeRepository.ts"

/** What `POST /me/password` takes. */
export const PasswordChange = Schema.Struct({ current_password: GivenPassword, new_password: NewPassword })
export type PasswordChange = typeof PasswordChange.Type

/** What a change answers: both are true, also where this session was the only one. */
export const PasswordChangeResult = Schema.Struct({
  updated: Schema.Boolean,
  other_sessions_revoked: Schema.Boolean
})
export type PasswordChangeResult = typeof PasswordChangeResult.Type

/** What `POST /auth/password-reset/confirm` takes. */
export const ResetConfirmation = Schema.Struct({ code: text(100), password: NewPassword })
export type ResetConfirmation = typeof ResetConfirmation.Type

/** What a reset answers. */
export const ResetResult = Schema.Struct({ reset: Schema.Boolean })
export type ResetResult = typeof ResetResult.Type

/** Where the link in a reset letter leads, for a code; undefined where people have no page to be led to. */
export const ResetLink = Context.Reference<((code: string) => string) | undefined>(
  "@livery/domain/ResetLink",
  { defaultValue: () => undefined }
)

const letter = (name: string, code: string, link: string | undefined) =>
  [
    `Hello ${name},`,
    "",
    "somebody, probably you, wants to set a new password for your Livery account. The code for it is:",
    "",
    `    ${code}`,
    "",
    ...(link === undefined ? [] : ["or follow this link:", "", link, ""]),
    "It is good for an hour and for one use. If it was not you, there is nothing to do.",
    ""
  ].join("\n")

const wrong = (field: string) => new InvalidInput({ issues: [{ field, issue: "invalid" }] })

/**
 * - `change`: a new password for who knows the current one; else `InvalidInput` (`current_password`, `invalid`).
 *   Every other session of the user ends; the one that asks stays. `Unauthorized` if that one has ended meanwhile.
 * - `requestReset`: mails a code to the account of that email; the older codes are void then. The answer and the
 *   work are the same for every address.
 * - `confirmReset`: a new password for who holds the code, whose address is proved by that; every session ends.
 *   `InvalidInput` (`code`, `invalid`) for a code that is unknown, used, void or expired.
 */
export class Passwords extends Context.Service<
  Passwords,
  {
    readonly change: (
      by: { readonly user: User; readonly sessionId: SessionId },
      input: PasswordChange
    ) => Effect.Effect<PasswordChangeResult, InvalidInput | Unauthorized | TooManyRequests>
    readonly requestReset: (email: string) => Effect.Effect<SendingResult>
    readonly confirmReset: (
      input: ResetConfirmation
    ) => Effect.Effect<ResetResult, InvalidInput | TooManyRequests>
  }
>()("@livery/domain/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const users = yield* UserRepository
      const codes = yield* VerificationCodeRepository
      const hasher = yield* PasswordHasher
      const outbox = yield* MailOutbox
      const cryptography = yield* Cryptography
      const replace = yield* passwordReplacement
      const linkTo = yield* ResetLink
      const trail = yield* auditTrail
      const withCryptography = Effect.provideService(Cryptography, cryptography)

      const refusedChange = Effect.fnUntraced(function* (userId: UserId) {
        const actor = `user:${userId}`
        yield* trail({ actor, action: "password.change_refused", subject: actor }, "alarming")
        return yield* wrong("current_password")
      })

      const change = Effect.fn("Passwords.change")(function* (
        { sessionId, user }: { readonly user: User; readonly sessionId: SessionId },
        input: PasswordChange
      ) {
        const account = yield* users.findByEmail(user.email)
        if (Option.isNone(account)) return yield* new Unauthorized()
        const { passwordHash } = account.value
        const { matches } = yield* hasher.verify(input.current_password, passwordHash)
        if (!matches) return yield* refusedChange(user.user_id)
        const newHash = yield* hasher.hash(input.new_password)
        yield* transaction.run(
          Effect.gen(function* () {
            const held = yield* users.hold(user.user_id)
            // Another change was quicker: what was compared is the current password no more.
            if (Option.isNone(held) || held.value.passwordHash !== passwordHash)
              return yield* wrong("current_password")
            const kept = yield* replace({
              userId: user.user_id,
              passwordHash: newHash,
              keep: sessionId,
              action: "password.changed"
            })
            if (!kept) return yield* new Unauthorized()
          })
        )
        return { updated: true, other_sessions_revoked: true }
      })

      const requestReset = Effect.fn("Passwords.requestReset")(function* (email: string) {
        const code = yield* withCryptography(newCode)
        const hashedCode = yield* withCryptography(codeHash(code))
        const expiresAt = DateTime.addDuration(yield* DateTime.now, resetCodeLifetime)
        return yield* transaction.run(
          Effect.gen(function* () {
            const account = yield* users.findByEmail(email)
            const user = Option.isSome(account) ? account.value.user : undefined
            yield* codes.issue({
              codeHash: hashedCode,
              userId: user?.user_id ?? null,
              purpose: "reset_password",
              expiresAt
            })
            yield* outbox.post({
              to: user?.email ?? nobody,
              subject: "A new password for Livery",
              text: letter(user?.name ?? email, code, linkTo?.(code))
            })
            return { sent: true }
          })
        )
      })

      const confirmReset = Effect.fn("Passwords.confirmReset")(function* (input: ResetConfirmation) {
        const hashedCode = yield* withCryptography(codeHash(input.code))
        const owner = yield* codes.ownerOf(hashedCode, "reset_password", yield* DateTime.now)
        if (Option.isNone(owner)) return yield* wrong("code")
        const passwordHash = yield* hasher.hash(input.password)
        yield* transaction.run(
          Effect.gen(function* () {
            yield* users.hold(owner.value)
            const now = yield* DateTime.now
            const redeemed = yield* codes.redeem(hashedCode, "reset_password", now)
            if (Option.isNone(redeemed)) return yield* wrong("code")
            yield* users.markVerified(redeemed.value, now)
            yield* replace({ userId: redeemed.value, passwordHash, action: "password.reset" })
          })
        )
        return { reset: true }
      })

      return Passwords.of({ change, requestReset, confirmReset })
    })
  )
}
