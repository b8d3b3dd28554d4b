/** Signing up a business, and verifying the email of its first user (docs/api/accounts.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { PlatformSettings } from "../../configuration/PlatformSettings.ts"
import { FeatureUnavailable } from "../../kernel/Errors.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { makeMailLimits } from "../../mail/MailLimits.ts"
import { noRecipient } from "../../mail/MailMessage.ts"
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { makeBusinessFounding } from "./BusinessCreation.ts"
import { PasswordHasher } from "../users/PasswordHasher.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { codeHash, newCode, verificationCodeLifetime } from "../users/VerificationCode.ts"
import { VerificationCodeRepository } from "../users/VerificationCodeRepository.ts"
import { VerificationLink } from "./VerificationLink.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { RegistrationInput } from "./RegistrationInput.ts"

/** The message contains nothing that was typed at sign-up, because the address may belong to another person. */
const verificationText = (code: string, link: string | undefined) =>
  [
    "Hello,",
    "",
    "your Livery account has been created. To confirm that this address is yours, enter this code:",
    "",
    `    ${code}`,
    "",
    ...(link === undefined ? [] : ["or follow this link:", "", link, ""]),
    "The code is valid for 24 hours and can be used once. If you did not sign up, ignore this message.",
    ""
  ].join("\n")

export class Registration extends Context.Service<Registration>()("@livery/domain/Registration", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const users = yield* UserRepository
    const found = yield* makeBusinessFounding
    const codes = yield* VerificationCodeRepository
    const hasher = yield* PasswordHasher
    const outbox = yield* MailOutbox
    const cryptography = yield* Cryptography
    const limits = yield* makeMailLimits
    const settings = yield* PlatformSettings
    const writeAudit = yield* makeAuditTrail
    const linkTo = yield* VerificationLink
    const withCryptography = Effect.provideService(Cryptography, cryptography)

    return {
      /**
       * An unverified admin and a business on the default plan, in one transaction with the message that carries the
       * verification code. `FeatureUnavailable` while the platform's setting `registration_open` is false.
       */
      register: traced("Registration.register")(function* (input: RegistrationInput) {
        if (!settings.current().registration_open)
          return yield* new FeatureUnavailable({ feature: "Registration" })
        // A hash takes long: made before the transaction, it does not occupy a connection.
        const passwordHash = yield* hasher.hash(input.password)
        const code = yield* withCryptography(newCode)
        const hashedCode = yield* withCryptography(codeHash(code))
        const expiresAt = DateTime.addDuration(yield* DateTime.now, verificationCodeLifetime)
        return yield* atomically(transaction, function* () {
          const userId = yield* users.insert({
            email: input.email,
            name: input.name,
            mobilePhone: input.mobile_phone,
            accountType: "A",
            passwordHash,
            verifiedAt: null
          })
          const subject = `user:${userId}`
          yield* writeAudit({
            actor: subject,
            action: "user.created",
            subject,
            after: { by: "registration" }
          })
          const { business_id } = yield* found({
            name: input.business_name,
            email: input.email,
            owner: userId,
            websiteUrl: input.website_url
          })
          yield* codes.issue({ codeHash: hashedCode, userId, purpose: "verify_email", expiresAt })
          yield* outbox.post({
            to: input.email,
            subject: "Your Livery verification code",
            text: verificationText(code, linkTo?.(code))
          })
          return {
            user_id: userId,
            business_id,
            verification_required: true,
            message: `We have sent a verification code to ${input.email}`
          }
        })
      }),

      /** Uses a code up. An unknown, used or expired code gives the same negative result. */
      verifyEmail: traced("Registration.verifyEmail")(function* (code: string) {
        const hashed = yield* withCryptography(codeHash(code))
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const owner = yield* codes.ownerOf(hashed, "verify_email", now)
          if (Option.isNone(owner)) return { verified: false, email: null }
          const account = yield* users.lock(owner.value)
          const redeemed = yield* codes.redeem(hashed, "verify_email", now)
          if (Option.isNone(account) || Option.isNone(redeemed)) return { verified: false, email: null }
          yield* users.markVerified(redeemed.value, now)
          const { email, email_verified, user_id } = account.value.user
          const subject = `user:${user_id}`
          // A password reset may have verified the email before.
          if (!email_verified) yield* writeAudit({ actor: subject, action: "user.email_verified", subject })
          return { verified: true, email }
        })
      }),

      /**
       * Mails a new code to an unverified account and voids its older codes. The result and the work are the same for
       * every address, also for one beyond the limit of emails: nothing is mailed to it, and its code stays valid.
       */
      resend: traced("Registration.resend")(function* (email: string) {
        const code = yield* withCryptography(newCode)
        const hashedCode = yield* withCryptography(codeHash(code))
        const expiresAt = DateTime.addDuration(yield* DateTime.now, verificationCodeLifetime)
        return yield* atomically(transaction, function* () {
          const isRefused = (yield* limits.countRecipient("verification", email)) > 0
          const account = yield* users.findByEmail(email)
          const user = Option.isSome(account) ? account.value.user : undefined
          const isUnverified = user !== undefined && !user.email_verified && !isRefused
          yield* codes.issue({
            codeHash: hashedCode,
            userId: isUnverified ? user.user_id : null,
            purpose: "verify_email",
            expiresAt
          })
          yield* outbox.post({
            to: isUnverified ? email : noRecipient,
            subject: "Your Livery verification code",
            text: verificationText(code, linkTo?.(code))
          })
          return { sent: true }
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Registration, Registration.make)
}
