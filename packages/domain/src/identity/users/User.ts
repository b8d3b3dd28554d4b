/** Users: people with an account. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { DriverId, UserId } from "../../kernel/Ids.ts"

/** `S` super-admin, `A` admin, `D` driver. */
export const AccountType = Schema.Literals(["S", "A", "D"])
export type AccountType = typeof AccountType.Type

/** Whether an account is a driver's: it cannot act for a business. */
export const isDriverAccount = ({ account_type }: { readonly account_type: AccountType }): boolean =>
  account_type === "D"

/** The fields of a user. In responses, `id` is the user's id and `driver_id` the user's first driver's record. */
export const userFields = {
  user_id: Field.internal(Value.id(UserId)),
  id: Field.computed(Value.id(UserId).wire),
  email: Field.says({ person: "user" }, Field.assigned(Value.emailAddress)),
  name: Field.says({ person: "user" }, Field.required(Value.name(200))),
  mobile_phone: Field.says({ person: "user" }, Field.optional(Value.text(40))),
  account_type: Field.assigned(Value.unchanged(AccountType)),
  email_verified: Field.internal(Value.boolean),
  is_driver: Field.computed(Schema.Boolean),
  driver_id: Field.computed(Schema.NullOr(Value.id(DriverId).wire))
}

/** A user as stored, without the password hash. */
export const User = Field.storedOf(userFields)
export type User = typeof User.Type

/** A user in a response. */
export const UserRecord = Field.recordOf(userFields)
export type UserRecord = typeof UserRecord.Type

const encode = Field.encoderOf<typeof userFields, DriverId | null>(userFields, {
  id: ({ user_id }) => user_id,
  is_driver: (user, driverId) => driverId !== null || isDriverAccount(user),
  driver_id: (_user, driverId) => driverId
})

/** The record of a user, and of the user's first driver's record, if any. */
export const userRecord = (user: User, driverId: DriverId | null = null): UserRecord => encode(user, driverId)

/** A change of a user: at least one of the fields. A null or blank phone number clears it. */
export const UserChanges = Field.changesOf(userFields)
export type UserChanges = typeof UserChanges.Type

/** A user and the hash of the user's password. */
export interface Account {
  readonly user: User
  readonly passwordHash: string
}
