/** The use cases of a business's members (docs/api/staff.md). */
import { Context, Effect, Layer } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { CredentialCache } from "../identity/credentials/CredentialCache.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Conflict, orNotFound } from "../kernel/Errors.ts"
import type { BusinessId, UserId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { type Member, type MemberChanges, memberRecord, type MemberRecord } from "./Member.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

const lastOwner = () =>
  new Conflict({ reason: "This is the only owner of the business; make another member an owner first" })

/**
 * Builds the check that a business keeps an owner without this member; `Conflict` if it does not. Lock the members
 * first (`MemberRepository.lock`).
 */
export const makeRequireAnotherOwner = Effect.map(MemberRepository, (members) =>
  Effect.fnUntraced(function* (businessId: BusinessId, { role }: Pick<Member, "role">) {
    if (role === "owner" && (yield* members.countOwners(businessId)) <= 1) return yield* lastOwner()
  })
)

export class Members extends Context.Service<Members>()("@livery/domain/Members", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const members = yield* MemberRepository
    const credentials = yield* CredentialCache
    const writeAudit = yield* makeAuditTrail
    const requireAnotherOwner = yield* makeRequireAnotherOwner

    /** The member, locked with all others of the business. */
    const locked = Effect.fnUntraced(function* (
      businessId: BusinessId,
      userId: UserId,
      precondition: Precondition<MemberRecord>
    ) {
      yield* members.lock(businessId)
      const member = yield* orNotFound("member")(yield* members.find(businessId, userId))
      yield* precondition(memberRecord(member))
      return member
    })

    const recordChange = Effect.fnUntraced(function* (
      businessId: BusinessId,
      action: string,
      { role, user_id }: Member,
      after?: MemberChanges
    ) {
      yield* writeAudit({
        actor: yield* CurrentActor,
        action,
        subject: `user:${user_id}`,
        businessId,
        before: { role },
        ...(after === undefined ? {} : { after })
      })
      yield* transaction.afterCommit(credentials.invalidateAll)
    })

    return {
      /** The members, the oldest account first. */
      list: traced("Members.list")(function* (acting: ActingBusiness, page: PageRequest) {
        return mapPage(yield* members.list(acting.business_id, page), memberRecord)
      }),

      /**
       * Gives a member another role. `remove`: ends a membership; the user's account and API keys remain. Both take
       * effect at once on this node and within a second on the others. `Conflict` for the only owner, also if several
       * requests change owners at once, and if the precondition fails. `NotFound` if the user is no member.
       */
      update: traced("Members.update")(function* (
        { business_id }: ActingBusiness,
        userId: UserId,
        { role }: MemberChanges,
        precondition: Precondition<MemberRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const member = yield* locked(business_id, userId, precondition)
          if (member.role === role) return memberRecord(member)
          yield* requireAnotherOwner(business_id, member)
          yield* members.setRole(business_id, userId, role)
          yield* recordChange(business_id, "member.role_changed", member, { role })
          return memberRecord({ ...member, role })
        })
      }),

      remove: traced("Members.remove")(function* (
        { business_id }: ActingBusiness,
        userId: UserId,
        precondition: Precondition<MemberRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const member = yield* locked(business_id, userId, precondition)
          yield* requireAnotherOwner(business_id, member)
          yield* members.remove(business_id, userId)
          yield* recordChange(business_id, "member.removed", member)
          return memberRecord(member)
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Members, Members.make)
}
