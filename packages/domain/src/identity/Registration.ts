/** How a business comes to Livery: sign up, prove the email (specification, Public authentication). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Businesses } from "../business/Businesses.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import type { EmailExists, TooManyRequests } from "../kernel/Errors.ts"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { optionalText, text } from "../kernel/fields/Text.ts"
import { optionalWebAddress } from "../kernel/fields/WebAddress.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { nobody } from "../mail/Mail.ts"
import { MailOutbox } from "../mail/MailOutbox.ts"
import { NewPassword, PasswordHasher } from "./PasswordHasher.ts"
import { UserRepository } from "./UserRepository.ts"
import { codeHash, newCode, verificationCodeLifetime } from "./VerificationCode.ts"
import { VerificationCodeRepository } from "./VerificationCodeRepository.ts"

/** What `POST /auth/register` takes. */
export const RegistrationInput = Schema.Struct({
  name: text(200),
  email: EmailAddress,
  password: NewPassword,
  business_name: text(200),
  mobile_phone: optionalText(40),
  website_url: optionalWebAddress
})
export type RegistrationInput = typeof RegistrationInput.Type

/** What a registration answers. */
export const RegistrationResult = Schema.Struct({
  user_id: Schema.Int,
  business_id: Schema.Int,
  verification_required: Schema.Boolean,
  message: Schema.String
})
export type RegistrationResult = typeof RegistrationResult.Type

/** What `POST /auth/verify-email` takes. */
export const VerificationInput = Schema.Struct({ code: text(100) })

/** What a verification answers: the email that is now verified, or null if the code proves nothing. */
export const VerificationResult = Schema.Struct({
  verified: Schema.Boolean,
  email: Schema.NullOr(Schema.String)
})
export type VerificationResult = typeof VerificationResult.Type

/** What `POST /auth/verify-email/resend` and `POST /auth/password-reset` take. */
export const SendingInput = Schema.Struct({ email: EmailAddress })

/** What they answer, always the same: whether there is such an account is nobody's business. */
export const SendingResult = Schema.Struct({ sent: Schema.Boolean })
export type SendingResult = typeof SendingResult.Type

const welcome = (name: string, code: string) =>
  [
    `Hello ${name},`,
    "",
    "your Livery account is made. To prove that this address is yours, enter this code:",
    "",
    `    ${code}`,
    "",
    "It is good for 24 hours and for one use. If you did not sign up, there is nothing to do.",
    ""
  ].join("\n")

/**
 * - `register`: an unverified admin and its free-tier business, in one transaction with the letter that brings the
 *   code.
 * - `verifyEmail`: uses up a code. One that is unknown, used or expired verifies nothing, and says no more.
 * - `resend`: mails a new code to who has not proved the address yet; the older codes are void then. The answer and
 *   the work are the same for every address.
 */
export class Registration extends Context.Service<
  Registration,
  {
    readonly register: (
      input: RegistrationInput
    ) => Effect.Effect<RegistrationResult, EmailExists | TooManyRequests>
    readonly verifyEmail: (code: string) => Effect.Effect<VerificationResult>
    readonly resend: (email: string) => Effect.Effect<SendingResult>
  }
>()("@livery/domain/Registration") {
  static readonly layer = Layer.effect(
    Registration,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const users = yield* UserRepository
      const businesses = yield* Businesses
      const codes = yield* VerificationCodeRepository
      const hasher = yield* PasswordHasher
      const outbox = yield* MailOutbox
      const cryptography = yield* Cryptography
      const withCryptography = Effect.provideService(Cryptography, cryptography)

      const register = Effect.fn("Registration.register")(function* (input: RegistrationInput) {
        // Before the transaction: a hash takes long, and no connection should wait for it.
        const passwordHash = yield* hasher.hash(input.password)
        const code = yield* withCryptography(newCode)
        const hashedCode = yield* withCryptography(codeHash(code))
        const expiresAt = DateTime.addDuration(yield* DateTime.now, verificationCodeLifetime)
        return yield* transaction.run(
          Effect.gen(function* () {
            const userId = yield* users.insert({
              email: input.email,
              name: input.name,
              mobilePhone: input.mobile_phone,
              accountType: "A",
              passwordHash,
              verifiedAt: null
            })
            const businessId = yield* businesses.create({
              name: input.business_name,
              email: input.email,
              owner: userId,
              websiteUrl: input.website_url
            })
            yield* codes.issue({ codeHash: hashedCode, userId, purpose: "verify_email", expiresAt })
            yield* outbox.post({
              to: input.email,
              subject: "Your Livery verification code",
              text: welcome(input.name, code)
            })
            return {
              user_id: userId,
              business_id: businessId,
              verification_required: true,
              message: `We have sent a verification code to ${input.email}`
            }
          })
        )
      })

      const verifyEmail = Effect.fn("Registration.verifyEmail")(function* (code: string) {
        const hashed = yield* withCryptography(codeHash(code))
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const owner = yield* codes.ownerOf(hashed, "verify_email", now)
            if (Option.isNone(owner)) return { verified: false, email: null }
            const account = yield* users.hold(owner.value)
            const redeemed = yield* codes.redeem(hashed, "verify_email", now)
            if (Option.isNone(account) || Option.isNone(redeemed)) return { verified: false, email: null }
            yield* users.markVerified(redeemed.value, now)
            return { verified: true, email: account.value.user.email }
          })
        )
      })

      const resend = Effect.fn("Registration.resend")(function* (email: string) {
        const code = yield* withCryptography(newCode)
        const hashedCode = yield* withCryptography(codeHash(code))
        const expiresAt = DateTime.addDuration(yield* DateTime.now, verificationCodeLifetime)
        return yield* transaction.run(
          Effect.gen(function* () {
            const account = yield* users.findByEmail(email)
            const user = Option.isSome(account) ? account.value.user : undefined
            const waiting = user !== undefined && !user.email_verified
            yield* codes.issue({
              codeHash: hashedCode,
              userId: waiting ? user.user_id : null,
              purpose: "verify_email",
              expiresAt
            })
            yield* outbox.post({
              to: waiting ? email : nobody,
              subject: "Your Livery verification code",
              text: welcome(user?.name ?? email, code)
            })
            return { sent: true }
          })
        )
      })

      return Registration.of({ register, verifyEmail, resend })
    })
  )
}
