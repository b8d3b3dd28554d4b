/** Users: people with an account. */
import { Schema } from "effect"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { DriverId, UserId } from "../kernel/Ids.ts"
import { clearableText, text } from "../kernel/fields/Text.ts"

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

/** A user in a response. `driver_id` is the user's first driver's record; null for a user who has none. */
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

/** The record of a user, and of the user's first driver's record, if any. */
export const userRecord = (user: User, driverId: DriverId | null = null): UserRecord => ({
  id: user.user_id,
  email: user.email,
  name: user.name,
  mobile_phone: user.mobile_phone,
  account_type: user.account_type,
  is_driver: driverId !== null || user.account_type === "D",
  driver_id: driverId
})

/** A change of a user: at least one of the fields. A null or blank phone number clears it. */
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

/** A user and the hash of the user's password. */
export interface Account {
  readonly user: User
  readonly passwordHash: string
}
