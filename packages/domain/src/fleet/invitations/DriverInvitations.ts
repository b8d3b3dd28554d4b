/** Inviting drivers to accounts (docs/api/fleet.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { PasswordHasher } from "../../identity/users/PasswordHasher.ts"
import { makeInvitedAccount, retryIfAccountExists } from "../../identity/accounts/InvitedAccount.ts"
import { CredentialCache } from "../../identity/credentials/CredentialCache.ts"
import { codeHash } from "../../identity/users/VerificationCode.ts"
import { CurrentActor } from "../../kernel/CurrentActor.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { Conflict, invalidField, orNotFound } from "../../kernel/Errors.ts"
import type { DriverId } from "../../kernel/Ids.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { makeMailLimits } from "../../mail/MailLimits.ts"
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import {
  invitationLifetime,
  invitationText,
  type Invited,
  nameInMessage,
  makeInvitationCodes
} from "./DriverInvitation.ts"
import { type InvitationAcceptance } from "./InvitationAcceptance.ts"
import { InvitationLink } from "./InvitationLink.ts"
import { DriverInvitationRepository } from "./DriverInvitationRepository.ts"
import { DriverRepository } from "../drivers/DriverRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

const wrongCode = invalidField("code", "invalid")

const accountAlready = () => new Conflict({ reason: "This driver has an account already" })

export class DriverInvitations extends Context.Service<DriverInvitations>()(
  "@livery/domain/DriverInvitations",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const drivers = yield* DriverRepository
      const invitations = yield* DriverInvitationRepository
      const hasher = yield* PasswordHasher
      const outbox = yield* MailOutbox
      const cryptography = yield* Cryptography
      const credentials = yield* CredentialCache
      const linkTo = yield* InvitationLink
      const writeAudit = yield* makeAuditTrail
      const accountOf = yield* makeInvitedAccount
      const limits = yield* makeMailLimits
      const withCryptography = Effect.provideService(Cryptography, cryptography)
      const { businessOfCode, newInvitationCode } = yield* makeInvitationCodes

      const link = Effect.fnUntraced(function* (
        { businessId, driverId, email }: Invited,
        hashedCode: string,
        name: string | null,
        passwordHash: string
      ) {
        const now = yield* DateTime.now
        const driver = yield* drivers.lock(businessId, driverId)
        if (Option.isNone(driver) || !(yield* invitations.redeem(businessId, hashedCode, now)))
          return yield* wrongCode
        if (driver.value.user_id !== null) return yield* accountAlready()
        const userId = yield* accountOf(
          { email, name: name ?? driver.value.name, passwordHash, accountType: "D" },
          now
        )
        if (!(yield* drivers.linkAccount(businessId, driverId, userId, now)))
          return yield* new Conflict({ reason: "This account belongs to another driver of that business" })
        yield* writeAudit({
          actor: `user:${userId}`,
          action: "driver.linked",
          subject: `driver:${driverId}`,
          businessId,
          after: { user_id: userId }
        })
        yield* transaction.afterCommit(credentials.invalidateAll)
        return { user_id: userId, driver_id: driverId, business_id: businessId }
      })

      return {
        /**
         * Sends a code to the driver's address, which invalidates earlier codes. `InvalidInput` for a driver without an
         * email, `Conflict` for one who has an account already, `TooManyRequests` beyond a limit of emails.
         */
        invite: traced("DriverInvitations.invite")(function* (acting: ActingBusiness, driverId: DriverId) {
          const { business_id: businessId } = acting
          const business = nameInMessage(acting.business_name)
          const code = yield* newInvitationCode(businessId)
          const hashedCode = yield* withCryptography(codeHash(code))
          const now = yield* DateTime.now
          return yield* atomically(transaction, function* () {
            const { email, user_id } = yield* orNotFound("driver")(yield* drivers.lock(businessId, driverId))
            if (user_id !== null) return yield* accountAlready()
            if (email === null) return yield* invalidField("email", "required")
            yield* limits.requireInvitation(businessId, email)
            const expiresAt = DateTime.addDuration(now, invitationLifetime)
            yield* invitations.issue({ businessId, driverId, email, codeHash: hashedCode, expiresAt }, now)
            yield* outbox.post({
              business_id: businessId,
              names: [{ driver_id: driverId }],
              to: email,
              subject: `${business} invites you to drive`,
              text: invitationText({ business, code, link: linkTo?.(code) })
            })
            yield* writeAudit({
              actor: yield* CurrentActor,
              action: "driver.invited",
              subject: `driver:${driverId}`,
              businessId,
              after: { email }
            })
            return { sent: true }
          })
        }),

        /**
         * Links the account with the invited address to the driver. If there is no such account, one is created:
         * verified, with the given password. A verified account keeps its password. An unverified account becomes
         * verified and takes the given password, because its earlier password was set without proof of the address.
         * `InvalidInput` (`code`, `invalid`) for a code that is unknown, used, replaced or expired; `Conflict` if the
         * account is another driver of that business.
         */
        accept: traced("DriverInvitations.accept")(function* (input: InvitationAcceptance) {
          const businessId = yield* businessOfCode(input.code)
          if (Option.isNone(businessId)) return yield* wrongCode
          const hashedCode = yield* withCryptography(codeHash(input.code))
          const invited = yield* invitations.invited(businessId.value, hashedCode, yield* DateTime.now)
          if (Option.isNone(invited)) return yield* wrongCode
          // Before the transaction, because hashing takes long and would keep a connection busy.
          const passwordHash = yield* hasher.hash(input.password)
          return yield* retryIfAccountExists(
            transaction.run(link(invited.value, hashedCode, input.name, passwordHash))
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(DriverInvitations, DriverInvitations.make)
}
