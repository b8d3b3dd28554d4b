/** A person with an account (specification, User). */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { EmailExists } from "../kernel/Errors.ts"
import { check } from "../kernel/FieldIssue.ts"
import type { DriverId, UserId } from "../kernel/Ids.ts"
import { clearableText, text } from "../kernel/Text.ts"

/** `S` super-admin, `A` admin, `D` driver. */
export const AccountType = Schema.Literals(["S", "A", "D"])
export type AccountType = typeof AccountType.Type

/** A user as stored, without the password hash. */
export interface User {
  readonly user_id: UserId
  readonly email: string
  readonly name: string
  readonly mobile_phone: string | null
  readonly account_type: AccountType
  readonly email_verified: boolean
}

/**
 * A user in an answer. `driver_id` is null for who drives for no business, and the first driver that it was for who
 * drives for several.
 */
export const UserRecord = Schema.Struct({
  id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  mobile_phone: Schema.NullOr(Schema.String),
  account_type: AccountType,
  is_driver: Schema.Boolean,
  driver_id: Schema.NullOr(Schema.Int)
})
export type UserRecord = typeof UserRecord.Type

/** The record of a user, and of the driver that it signs in as, if any. */
export const userRecord = (user: User, driverId: DriverId | null = null): UserRecord => ({
  id: user.user_id,
  email: user.email,
  name: user.name,
  mobile_phone: user.mobile_phone,
  account_type: user.account_type,
  is_driver: driverId !== null || user.account_type === "D",
  driver_id: driverId
})

/** What `PATCH /me` takes: at least one of the two; a null or blank phone number is forgotten. */
export const ProfileChange = Schema.Struct({
  name: Schema.optionalKey(text(200)),
  mobile_phone: Schema.optionalKey(clearableText(40))
}).check(
  check<{ readonly name?: string; readonly mobile_phone?: string | null }>(
    "required",
    (change) => change.name !== undefined || change.mobile_phone !== undefined
  )
)
export type ProfileChange = typeof ProfileChange.Type

/** An account: the user, and the hash to compare a password with. */
export interface Account {
  readonly user: User
  readonly passwordHash: string
}

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
