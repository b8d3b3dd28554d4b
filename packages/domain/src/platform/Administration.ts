/** Administration of the platform, across all businesses. */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { EmailExists, TooManyRequests } from "../kernel/Errors.ts"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { name } from "../kernel/fields/Name.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { NewPassword, PasswordHasher } from "../identity/PasswordHasher.ts"
import { userRecord, type UserRecord } from "../identity/User.ts"
import { UserRepository } from "../identity/UserRepository.ts"
import { AuditLog } from "../audit/AuditLog.ts"

/** The input of a new user; `account_type` is `A` by default. */
export const NewUserInput = Schema.Struct({
  name: name(200),
  email: EmailAddress,
  password: NewPassword,
  account_type: Schema.Literals(["A", "S"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("A" as const)),
    Schema.withConstructorDefault(Effect.succeed("A" as const))
  )
})
export type NewUserInput = typeof NewUserInput.Type

/**
 * - `createUser`: a new user with a verified email; `EmailExists` if the email is taken. `actor` is the author in the
 *   audit log.
 */
export class Administration extends Context.Service<
  Administration,
  {
    readonly createUser: (
      input: NewUserInput,
      actor: string
    ) => Effect.Effect<UserRecord, EmailExists | TooManyRequests>
  }
>()("@livery/domain/Administration") {
  static readonly layer = Layer.effect(
    Administration,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const users = yield* UserRepository
      const hasher = yield* PasswordHasher
      const audit = yield* AuditLog

      const createUser = Effect.fn("Administration.createUser")(function* (
        input: NewUserInput,
        actor: string
      ) {
        const passwordHash = yield* hasher.hash(input.password)
        const verifiedAt = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
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
            yield* audit.record({ actor, action: "user.created", subject: `user:${user_id}`, after: record })
            return record
          })
        )
      })

      return Administration.of({ createUser })
    })
  )
}
