/** Inviting members, and accepting invitations (docs/api/staff.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import {
  invitationLifetime,
  nameInMessage,
  makeInvitationCodes
} from "../fleet/invitations/DriverInvitation.ts"
import { type InvitationAcceptance } from "../fleet/invitations/InvitationAcceptance.ts"
import { DriverInvitations } from "../fleet/invitations/DriverInvitations.ts"
import { InvitationLink } from "../fleet/invitations/InvitationLink.ts"
import { CredentialCache } from "../identity/credentials/CredentialCache.ts"
import { makeInvitedAccount, retryIfAccountExists } from "../identity/accounts/InvitedAccount.ts"
import { PasswordHasher } from "../identity/users/PasswordHasher.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { codeHash } from "../identity/users/VerificationCode.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import {
  Conflict,
  invalidField,
  type InvalidInput,
  orNotFound,
  type TooManyRequests
} from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeMailLimits } from "../mail/MailLimits.ts"
import { MailOutbox } from "../mail/MailOutbox.ts"
import {
  type AcceptedInvitation,
  type InvitationRevocation,
  type MemberInvitationInput,
  memberInvitationText,
  openInvitationRecord
} from "./MemberInvitation.ts"
import { type InvitedMember, MemberInvitationRepository } from "./MemberInvitationRepository.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

const wrongCode = invalidField("code", "invalid")

const memberAlready = () => new Conflict({ reason: "This person is a member of the business already" })

/** The part of an address before the `@`: the name of an account if neither invitation nor acceptance has one. */
const localPart = (email: string) => email.slice(0, email.indexOf("@"))

export class MemberInvitations extends Context.Service<MemberInvitations>()(
  "@livery/domain/MemberInvitations",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const members = yield* MemberRepository
      const invitations = yield* MemberInvitationRepository
      const driverInvitations = yield* DriverInvitations
      const users = yield* UserRepository
      const hasher = yield* PasswordHasher
      const outbox = yield* MailOutbox
      const credentials = yield* CredentialCache
      const cryptography = yield* Cryptography
      const linkTo = yield* InvitationLink
      const writeAudit = yield* makeAuditTrail
      const limits = yield* makeMailLimits
      const accountOf = yield* makeInvitedAccount
      const withCryptography = Effect.provideService(Cryptography, cryptography)
      const { businessOfCode, newInvitationCode } = yield* makeInvitationCodes

      const join = Effect.fnUntraced(function* (
        businessId: BusinessId,
        { email, name, role }: InvitedMember,
        hashedCode: string,
        account: { readonly name: string | null; readonly passwordHash: string }
      ) {
        const now = yield* DateTime.now
        yield* members.lock(businessId)
        if (!(yield* invitations.redeem(businessId, hashedCode, now))) return yield* wrongCode
        const userId = yield* accountOf(
          {
            email,
            name: account.name ?? name ?? localPart(email),
            passwordHash: account.passwordHash,
            accountType: "A"
          },
          now
        )
        if (!(yield* members.add(businessId, userId, role))) return yield* memberAlready()
        yield* users.makeAdmin(userId, now)
        yield* writeAudit({
          actor: `user:${userId}`,
          action: "member.joined",
          subject: `user:${userId}`,
          businessId,
          after: { role }
        })
        yield* transaction.afterCommit(credentials.invalidateAll)
        return { user_id: userId, business_id: businessId, role }
      })

      return {
        /**
         * Mails a code to an address, which replaces an earlier one to it. `Conflict` if a member has that address,
         * `TooManyRequests` beyond a limit of emails.
         */
        invite: traced("MemberInvitations.invite")(function* (
          acting: ActingBusiness,
          { email, name, role }: MemberInvitationInput
        ) {
          const { business_id: businessId } = acting
          const code = yield* newInvitationCode(businessId)
          const hashedCode = yield* withCryptography(codeHash(code))
          const now = yield* DateTime.now
          const expiresAt = DateTime.addDuration(now, invitationLifetime)
          return yield* atomically(transaction, function* () {
            yield* members.lock(businessId)
            if (Option.isSome(yield* members.findByEmail(businessId, email))) return yield* memberAlready()
            yield* limits.requireInvitation(businessId, email)
            yield* invitations.issue(businessId, { email, name, role, codeHash: hashedCode, expiresAt }, now)
            const business = nameInMessage(acting.business_name)
            yield* outbox.post({
              business_id: businessId,
              to: email,
              subject: `${business} invites you as ${role}`,
              text: memberInvitationText({ business, role, code, link: linkTo?.(code) })
            })
            yield* writeAudit({
              actor: yield* CurrentActor,
              action: "member.invited",
              subject: `business:${businessId}`,
              businessId,
              after: { email, role }
            })
            return { email, role, sent: true, expires_at: rfc3339(expiresAt) }
          })
        }),

        /** A page of the invitations that can still be accepted, by address. */
        list: traced("MemberInvitations.list")(function* (acting: ActingBusiness, page: PageRequest) {
          return mapPage(
            yield* invitations.list(acting.business_id, yield* DateTime.now, page),
            openInvitationRecord
          )
        }),

        /** Makes the code that was mailed to an address invalid. `NotFound` if there is no such invitation. */
        revoke: traced("MemberInvitations.revoke")(function* (
          { business_id: businessId }: ActingBusiness,
          { email }: InvitationRevocation
        ) {
          const now = yield* DateTime.now
          yield* atomically(transaction, function* () {
            yield* members.lock(businessId)
            const { role } = yield* orNotFound("invitation")(
              yield* invitations.revoke(businessId, email, now)
            )
            yield* writeAudit({
              actor: yield* CurrentActor,
              action: "member.invitation_revoked",
              subject: `business:${businessId}`,
              businessId,
              before: { email, role }
            })
          })
        }),

        /**
         * Accepts the code of a member's or of a driver's invitation. The account with the invited address becomes a
         * member with the invited role, or is linked to the driver; if there is no such account, one is created. A
         * driver's account that becomes a member is an admin's from then on. `InvalidInput` (`code`, `invalid`) for a
         * code that is unknown, used, replaced or expired; `Conflict` if the account is a member already.
         */
        accept: traced("MemberInvitations.accept")(function* (
          input: InvitationAcceptance
        ): Effect.fn.Return<AcceptedInvitation, InvalidInput | Conflict | TooManyRequests> {
          const businessId = yield* businessOfCode(input.code)
          if (Option.isNone(businessId)) return yield* wrongCode
          const hashedCode = yield* withCryptography(codeHash(input.code))
          const invited = yield* invitations.find(businessId.value, hashedCode, yield* DateTime.now)
          if (Option.isNone(invited)) return yield* driverInvitations.accept(input)
          // Before the transaction, because hashing takes long and would keep a connection busy.
          const passwordHash = yield* hasher.hash(input.password)
          const account = { name: input.name, passwordHash }
          return yield* retryIfAccountExists(
            transaction.run(join(businessId.value, invited.value, hashedCode, account))
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(MemberInvitations, MemberInvitations.make)
}
