import { Context, type DateTime, type Effect, type Option } from "effect"
import type { EmailExists } from "../kernel/Errors.ts"
import type { DriverId, UserId } from "../kernel/Ids.ts"
import type { AccountType, User, ProfileChange, Account } from "./User.ts"

/**
 * The port that stores users. Emails are unique, in lower case.
 *
 * - `insert`: a new user, verified or not; `EmailExists` if the email is taken.
 * - `find`, `findByEmail`: the user; by email also the hash to compare a password with.
 * - `hold`, `holdByEmail`: the account, and nobody else changes it until the transaction's end.
 * - `change`: the user with a new name or phone number; what is absent stays.
 * - `markVerified`: the email was proved at that time; again is a no-op.
 * - `replacePasswordHash`: for a stronger hash of the same password; a new one goes by `passwordReplacement`.
 * - `driverOf`: the first driver, of those not deleted, whose account the user is, of whatever business.
 * - `any`: whether there is any user at all.
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
    readonly hold: (userId: UserId) => Effect.Effect<Option.Option<Account>>
    readonly holdByEmail: (email: string) => Effect.Effect<Option.Option<Account>>
    readonly change: (
      userId: UserId,
      change: ProfileChange,
      at: DateTime.Utc
    ) => Effect.Effect<Option.Option<User>>
    readonly markVerified: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void>
    readonly replacePasswordHash: (userId: UserId, passwordHash: string) => Effect.Effect<void>
    readonly driverOf: (userId: UserId) => Effect.Effect<Option.Option<DriverId>>
    readonly any: Effect.Effect<boolean>
  }
>()("@livery/domain/UserRepository") {}
