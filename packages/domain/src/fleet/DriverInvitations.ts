/** How a driver comes to an account (decisions, Paths; `POST /drivers/{id}/invite`). */
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { PasswordHasher } from "../identity/PasswordHasher.ts"
import { passwordReplacement } from "../identity/PasswordReplacement.ts"
import type { SendingResult } from "../identity/Registration.ts"
import { CredentialCache } from "../identity/CredentialCache.ts"
import { UserRepository } from "../identity/UserRepository.ts"
import { codeHash, newCode } from "../identity/VerificationCode.ts"
import { CurrentActor } from "../kernel/Actor.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { Conflict, InvalidInput, NotFound, type TooManyRequests } from "../kernel/Errors.ts"
import type { DriverId, UserId } from "../kernel/Ids.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { MailOutbox } from "../mail/MailOutbox.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import {
  type InvitationAcceptance,
  invitationLetter,
  InvitationLink,
  invitationLifetime,
  type InvitationResult,
  type Invited,
  DriverInvitationRepository
} from "./DriverInvitation.ts"
import { DriverRepository } from "./DriverRepository.ts"

/** Somebody else made the account meanwhile: it is looked for again. */
class Overtaken extends Data.TaggedError("Overtaken") {}

const wrongCode = new InvalidInput({ issues: [{ field: "code", issue: "invalid" }] })

/**
 * - `invite`: mails a code to a driver's address; the earlier ones are void then. `InvalidInput` for a driver without
 *   an email, `Conflict` for one who has an account already.
 * - `accept`: the account with the address that the code went to signs in as that driver from now on. If there is
 *   none, it is made: a driver's, verified, with that password. One whose address was proved before keeps its
 *   password; one whose was not is proved by the code, and takes the password given here: whoever signed up with
 *   that address before may not be its owner. `InvalidInput` (`code`, `invalid`) for a code that is unknown, used,
 *   void or expired; `Conflict` where the account is another driver of that business.
 */
export class DriverInvitations extends Context.Service<
  DriverInvitations,
  {
    readonly invite: (
      acting: ActingBusiness,
      driverId: DriverId
    ) => Effect.Effect<SendingResult, NotFound | InvalidInput | Conflict>
    readonly accept: (
      input: InvitationAcceptance
    ) => Effect.Effect<InvitationResult, InvalidInput | Conflict | TooManyRequests>
  }
>()("@livery/domain/DriverInvitations") {
  static readonly layer = Layer.effect(
    DriverInvitations,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const drivers = yield* DriverRepository
      const invitations = yield* DriverInvitationRepository
      const users = yield* UserRepository
      const hasher = yield* PasswordHasher
      const outbox = yield* MailOutbox
      const cryptography = yield* Cryptography
      const credentials = yield* CredentialCache
      const linkTo = yield* InvitationLink
      const trail = yield* auditTrail
      const replace = yield* passwordReplacement
      const withCryptography = Effect.provideService(Cryptography, cryptography)

      const invite = Effect.fn("DriverInvitations.invite")(function* (
        acting: ActingBusiness,
        driverId: DriverId
      ) {
        const { business_id: businessId } = acting
        // It stands in a header of the letter.
        const business = acting.business_name.replaceAll(/\s+/gu, " ")
        const code = yield* withCryptography(newCode)
        const hashedCode = yield* withCryptography(codeHash(code))
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const driver = yield* drivers.hold(businessId, driverId)
            if (Option.isNone(driver)) return yield* new NotFound({ resource: "driver" })
            const { email, name, user_id } = driver.value
            if (user_id !== null) return yield* new Conflict({ reason: "This driver has an account already" })
            if (email === null)
              return yield* new InvalidInput({ issues: [{ field: "email", issue: "required" }] })
            const expiresAt = DateTime.addDuration(now, invitationLifetime)
            yield* invitations.issue({ businessId, driverId, email, codeHash: hashedCode, expiresAt }, now)
            yield* outbox.post({
              to: email,
              subject: `${business} invites you to drive`,
              text: invitationLetter({ name, business, code, link: linkTo?.(code) })
            })
            yield* trail({
              actor: yield* CurrentActor,
              action: "driver.invited",
              subject: `driver:${driverId}`,
              businessId,
              after: { email }
            })
            return { sent: true }
          })
        )
      })

      /** The account with that address, which the code has proved; made if there is none. */
      const accountOf = Effect.fnUntraced(function* (
        email: string,
        name: string,
        passwordHash: string,
        now: DateTime.Utc
      ): Effect.fn.Return<UserId, Overtaken> {
        const found = yield* users.holdByEmail(email)
        if (Option.isSome(found)) {
          const { email_verified, user_id } = found.value.user
          if (email_verified) return user_id
          yield* users.markVerified(user_id, now)
          yield* replace({
            userId: user_id,
            passwordHash,
            action: "password.reset",
            reason: "An invitation proved the address; the password from before was set without that"
          })
          return user_id
        }
        const userId = yield* users
          .insert({ email, name, mobilePhone: null, accountType: "D", passwordHash, verifiedAt: now })
          .pipe(Effect.mapError(() => new Overtaken()))
        const subject = `user:${userId}`
        yield* trail({ actor: subject, action: "user.created", subject, after: { by: "invitation" } })
        return userId
      })

      const enter = Effect.fnUntraced(function* (
        { businessId, driverId, email }: Invited,
        hashedCode: string,
        name: string | null,
        passwordHash: string
      ) {
        const now = yield* DateTime.now
        const driver = yield* drivers.hold(businessId, driverId)
        if (Option.isNone(driver) || !(yield* invitations.redeem(businessId, hashedCode, now)))
          return yield* wrongCode
        if (driver.value.user_id !== null)
          return yield* new Conflict({ reason: "This driver has an account already" })
        const userId = yield* accountOf(email, name ?? driver.value.name, passwordHash, now)
        if (!(yield* drivers.link(businessId, driverId, userId, now)))
          return yield* new Conflict({ reason: "This account is another driver of that business" })
        yield* trail({
          actor: `user:${userId}`,
          action: "driver.linked",
          subject: `driver:${driverId}`,
          businessId,
          after: { user_id: userId }
        })
        yield* transaction.afterCommit(credentials.invalidateAll)
        return { user_id: userId, driver_id: driverId, business_id: businessId }
      })

      const accept = Effect.fn("DriverInvitations.accept")(function* (input: InvitationAcceptance) {
        const hashedCode = yield* withCryptography(codeHash(input.code))
        const invited = yield* invitations.invited(hashedCode, yield* DateTime.now)
        if (Option.isNone(invited)) return yield* wrongCode
        // Before the transaction: a hash takes long, and no connection should wait for it.
        const passwordHash = yield* hasher.hash(input.password)
        return yield* transaction.run(enter(invited.value, hashedCode, input.name, passwordHash)).pipe(
          // Who overtook has committed by then, so that the second look finds it; it can hardly happen twice.
          Effect.retry({ while: ({ _tag }) => _tag === "Overtaken", times: 3 }),
          Effect.catchTag("Overtaken", Effect.die)
        )
      })

      return DriverInvitations.of({ invite, accept })
    })
  )
}
