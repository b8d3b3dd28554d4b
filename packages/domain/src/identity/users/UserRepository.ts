/** The port that stores users. Emails are unique and in lower case. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { EmailExists } from "../../kernel/Errors.ts"
import type { DriverId, UserId } from "../../kernel/Ids.ts"
import type { AccountType, User, UserChanges, Account } from "./User.ts"

/**
 * - `insert`: a new user; `EmailExists` if the email is taken. `verifiedAt` is null for an unverified user.
 * - `find`, `findByEmail`: the user; by email, with the password hash.
 * - `lock`, `lockByEmail`: the user and the password hash, locked until the transaction ends.
 * - `change`: sets a name or a phone number and returns the user; absent fields are unchanged.
 * - `makeAdmin`: makes a driver's account an admin's; no change of any other account.
 * - `markVerified`: marks the email as verified at that time; no change if it is verified already.
 * - `replacePasswordHash`: stores another hash of the same password. To set a new password, use `makeReplacePassword`.
 * - `driverOf`: the user's first driver's record that is not deleted, in any business.
 * - `any`: whether there is any user.
 */
export class UserRepository extends Context.Service<
  UserRepository,
  {
    readonly insert: (user: {
      readonly email: string
      readonly name: string
      readonly mobilePhone: string | null
      readonly accountType: AccountType
      readonly passwordHash: string
      readonly verifiedAt: DateTime.Utc | null
    }) => Effect.Effect<UserId, EmailExists>
    readonly find: (userId: UserId) => Effect.Effect<Option.Option<User>>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<Account>>
    readonly lock: (userId: UserId) => Effect.Effect<Option.Option<Account>>
    readonly lockByEmail: (email: string) => Effect.Effect<Option.Option<Account>>
    readonly change: (
      userId: UserId,
      change: UserChanges,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<User>>
    readonly makeAdmin: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void>
    readonly markVerified: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void>
    readonly replacePasswordHash: (userId: UserId, passwordHash: string) => Effect.Effect<void>
    readonly driverOf: (userId: UserId) => Effect.Effect<Option.Option<DriverId>>
    readonly any: Effect.Effect<boolean>
  }
>()("@livery/domain/UserRepository") {}
