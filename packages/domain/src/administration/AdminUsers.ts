/** Administration of users by super-admins (docs/api/administration.md). */
import { Context, Effect, Layer, Option } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { CredentialCache } from "../identity/credentials/CredentialCache.ts"
import { PasswordHasher } from "../identity/users/PasswordHasher.ts"
import { makeReplacePassword } from "../identity/accounts/PasswordReplacement.ts"
import { isDriverAccount } from "../identity/users/User.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Conflict, invalidField, orNotFound } from "../kernel/Errors.ts"
import { decodeWithReferences } from "../kernel/fields/References.ts"
import { BusinessId, UserId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { Administration } from "../platform/Administration.ts"
import { type NewUserInput } from "../platform/NewUserInput.ts"
import {
  type AdminPasswordInput,
  type AdminUserFilter,
  adminUserRecord,
  type BusinessAssignmentBody,
  BusinessAssignmentInput
} from "./AdminUser.ts"
import { MemberRepository } from "../staff/MemberRepository.ts"
import { makeRequireAnotherOwner } from "../staff/Members.ts"
import { AdminUserRepository } from "./AdminUserRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** `NotFound` if there is no such user. Each change is in the audit log with its author, and without any password. */
export class AdminUsers extends Context.Service<AdminUsers>()("@livery/domain/AdminUsers", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const administration = yield* Administration
    const adminUsers = yield* AdminUserRepository
    const users = yield* UserRepository
    const businesses = yield* BusinessRepository
    const members = yield* MemberRepository
    const requireAnotherOwner = yield* makeRequireAnotherOwner
    const hasher = yield* PasswordHasher
    const credentials = yield* CredentialCache
    const replacePassword = yield* makeReplacePassword
    const writeAudit = yield* makeAuditTrail

    const requireUser = orNotFound("user")

    const read = Effect.fnUntraced(function* (userId: UserId) {
      return adminUserRecord(yield* requireUser(yield* adminUsers.find(userId)))
    })

    /** Returns the businesses that the user could act for before, and whether anything changed. */
    const assign = Effect.fnUntraced(function* (
      userId: UserId,
      { action, business_id }: BusinessAssignmentInput
    ) {
      const { business_ids: before } = yield* requireUser(yield* adminUsers.find(userId))
      if (action === "unassign") {
        const member = yield* members.find(business_id, userId)
        if (Option.isNone(member)) return { before, isChanged: false }
        yield* requireAnotherOwner(business_id, member.value)
        yield* members.remove(business_id, userId)
        return { before, isChanged: true }
      }
      if (before.includes(business_id)) return { before, isChanged: false }
      yield* businesses.addMember(business_id, userId, "owner")
      return { before, isChanged: true }
    })

    const businessExists = (id: number) => Effect.map(businesses.find(BusinessId.make(id)), Option.isSome)

    return {
      /** The users of the platform, oldest first. */
      list: traced("AdminUsers.list")(function* (
        { account_type, search = null }: AdminUserFilter,
        page: PageRequest
      ) {
        return mapPage(yield* adminUsers.list({ search, accountType: account_type }, page), (user) =>
          adminUserRecord(user)
        )
      }),

      get: (userId: UserId) => Effect.withSpan(read(userId), "AdminUsers.get"),

      /** A new admin or super-admin with a verified email; `EmailExists` if the email is taken. */
      create: traced("AdminUsers.create")(function* (input: NewUserInput) {
        const { id } = yield* administration.createUser(input, yield* CurrentActor)
        return yield* Effect.catchTag(read(UserId.make(id)), "NotFound", Effect.die)
      }),

      /** Sets a new password and ends all of the user's sessions. */
      resetPassword: traced("AdminUsers.resetPassword")(function* (
        userId: UserId,
        { password }: AdminPasswordInput
      ) {
        yield* requireUser(yield* users.find(userId))
        const passwordHash = yield* hasher.hash(password)
        yield* atomically(transaction, function* () {
          yield* requireUser(yield* users.lock(userId))
          yield* replacePassword({
            userId,
            passwordHash,
            action: "user.password_reset",
            actor: yield* CurrentActor
          })
        })
      }),

      /**
       * Makes a user an owner of a business, who may act for it, or removes the user from the business. Repeating it
       * changes nothing. A removed assignment is refused immediately on this node and within a second on the others.
       * `Conflict` for a driver's account, which cannot act for a business, and for the removal of the only owner;
       * `InvalidInput` if the business is absent.
       */
      assignBusiness: traced("AdminUsers.assignBusiness")(function* (
        userId: UserId,
        body: BusinessAssignmentBody
      ) {
        const input = yield* decodeWithReferences(BusinessAssignmentInput, body, {
          business_id: businessExists
        })
        const { action, business_id } = input
        return yield* atomically(transaction, function* () {
          yield* members.lock(business_id)
          const { user } = yield* requireUser(yield* users.lock(userId))
          if (isDriverAccount(user))
            return yield* new Conflict({ reason: "A driver's account cannot act for a business" })
          if (!(yield* businessExists(business_id))) return yield* invalidField("business_id", "not_found")
          const { before, isChanged } = yield* assign(userId, input)
          const { business_ids } = yield* read(userId)
          if (isChanged) {
            yield* writeAudit({
              actor: yield* CurrentActor,
              action: action === "assign" ? "user.assigned" : "user.unassigned",
              subject: `user:${userId}`,
              businessId: business_id,
              before: { business_ids: before },
              after: { business_ids }
            })
            yield* transaction.afterCommit(credentials.invalidateAll)
          }
          return { user_id: userId, action, business_id, business_ids }
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AdminUsers, AdminUsers.make)
}
