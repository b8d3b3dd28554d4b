/** Administration of the platform, across all businesses. */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Conflict, NotFound } from "../kernel/Errors.ts"
import { BusinessId } from "../kernel/Ids.ts"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { PasswordHasher } from "../identity/users/PasswordHasher.ts"
import { isDriverAccount, userRecord } from "../identity/users/User.ts"
import { UserRepository } from "../identity/users/UserRepository.ts"
import { ApiKeys } from "../identity/ApiKeys.ts"
import { SessionRepository } from "../identity/sessions/SessionRepository.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { NewUserInput } from "./NewUserInput.ts"

/** A new API key for the business of a user; `business_id` if the user has several. */
export const NewKeyInput = Schema.Struct({ email: EmailAddress, business_id: Schema.optionalKey(BusinessId) })
export type NewKeyInput = typeof NewKeyInput.Type

/** A new API key, which is not returned again, and its business. */
export interface NewKey {
  readonly api_key: string
  readonly business_id: BusinessId
  readonly business_name: string
}

export class Administration extends Context.Service<Administration>()("@livery/domain/Administration", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const users = yield* UserRepository
    const hasher = yield* PasswordHasher
    const writeAudit = yield* makeAuditTrail
    const sessions = yield* SessionRepository
    const apiKeys = yield* ApiKeys

    return {
      /**
       * A new user with a verified email; `EmailExists` if the email is taken. `actor` is the author in the audit log.
       */
      createUser: traced("Administration.createUser")(function* (input: NewUserInput, actor: string) {
        const passwordHash = yield* hasher.hash(input.password)
        const verifiedAt = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const user_id = yield* users.insert({
            email: input.email,
            name: input.name,
            mobilePhone: null,
            accountType: input.account_type,
            passwordHash,
            verifiedAt
          })
          const record = userRecord({
            user_id,
            email: input.email,
            name: input.name,
            mobile_phone: null,
            account_type: input.account_type,
            email_verified: true
          })
          yield* writeAudit({ actor, action: "user.created", subject: `user:${user_id}`, after: record })
          return record
        })
      }),

      /**
       * A new API key for a business of that admin, when the old one is lost. `NotFound` if there is no such user or
       * business, `Conflict` if the user has several businesses or the business has 50 keys.
       */
      createKey: traced("Administration.createKey")(function* (input: NewKeyInput, actor: string) {
        const account = yield* users.findByEmail(input.email)
        // A driver's account cannot act for a business.
        if (Option.isNone(account) || isDriverAccount(account.value.user))
          return yield* new NotFound({ resource: "user" })
        const { user_id } = account.value.user
        const memberships = yield* sessions.businessesOf(user_id)
        const [business, ...others] =
          input.business_id === undefined
            ? memberships
            : memberships.filter(({ business_id }) => business_id === input.business_id)
        if (business === undefined) return yield* new NotFound({ resource: "business" })
        if (others.length > 0) {
          const ids = memberships.map(({ business_id }) => business_id).join(", ")
          return yield* new Conflict({
            reason: `The user belongs to several businesses; name one of them: ${ids}`
          })
        }
        const { api_key } = yield* apiKeys.create(business.business_id, user_id, actor)
        return { api_key, business_id: business.business_id, business_name: business.business_name }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Administration, Administration.make)
}
