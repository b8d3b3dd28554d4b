/** A user as a super-admin sees it (docs/api/administration.md). */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { undecodedBody } from "../kernel/fields/References.ts"
import { textOrBlank } from "../kernel/fields/Text.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId, DriverId, UserId } from "../kernel/Ids.ts"
import { NewPassword } from "../identity/users/PasswordFields.ts"
import { AccountType, isDriverAccount } from "../identity/users/User.ts"

/** The fields of a user, without any credential. `business_ids` are the businesses that the user may act for. */
export const adminUserFields = {
  user_id: Field.internal(Value.id(UserId)),
  id: Field.computed(Value.id(UserId).wire),
  email: Field.says({ person: "user" }, Field.assigned(Value.emailAddress)),
  name: Field.says({ person: "user" }, Field.assigned(Value.name(200))),
  mobile_phone: Field.says({ person: "user" }, Field.assignedOrNull(Value.text(40))),
  account_type: Field.assigned(Value.unchanged(AccountType)),
  email_verified: Field.assigned(Value.boolean),
  is_driver: Field.computed(Schema.Boolean),
  driver_id: Field.assignedOrNull(Value.id(DriverId)),
  business_ids: Field.says({ person: "nobody" }, Field.assigned(Value.unchanged(Schema.Array(BusinessId)))),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** A user as stored, with the user's first driver's record and businesses. */
export const AdminUser = Field.storedOf(adminUserFields)
export type AdminUser = typeof AdminUser.Type

/** A user in a response to a super-admin. */
export const AdminUserRecord = Field.recordOf(adminUserFields)
export type AdminUserRecord = typeof AdminUserRecord.Type

/** The record of a user. */
export const adminUserRecord = Field.encoderOf<typeof adminUserFields, void>(adminUserFields, {
  id: ({ user_id }) => user_id,
  is_driver: (user) => user.driver_id !== null || isDriverAccount(user)
})

/** The filters of the list of users: a part of the name or the email, in any case, and the account type. */
export const AdminUserFilter = Schema.Struct({
  search: Schema.optionalKey(
    textOrBlank(200).pipe(
      Schema.annotateEncoded({
        description: "A part of the name or the email, in any case.",
        examples: ["ada@example"]
      })
    )
  ),
  account_type: Schema.optionalKey(oneOf(Schema.Literals(["S", "A"])))
})
export type AdminUserFilter = typeof AdminUserFilter.Type

/** A new password for a user. */
export const AdminPasswordInput = Schema.Struct({ password: NewPassword })
export type AdminPasswordInput = typeof AdminPasswordInput.Type

/** Assigns a user to a business, or removes the assignment. An assigned user may act for the business. */
export const BusinessAssignmentInput = Schema.Struct({
  business_id: BusinessId,
  action: oneOf(Schema.Literals(["assign", "unassign"]))
})
export type BusinessAssignmentInput = typeof BusinessAssignmentInput.Type

/** {@link BusinessAssignmentInput} as sent. The use case decodes it, because it names a business. */
export const BusinessAssignmentBody = undecodedBody(BusinessAssignmentInput)
export type BusinessAssignmentBody = typeof BusinessAssignmentBody.Type

/** The result of an assignment: all businesses that the user may act for now. */
export const BusinessAssignmentRecord = Schema.Struct({
  user_id: Schema.Int,
  action: Schema.Literals(["assign", "unassign"]),
  business_id: Schema.Int,
  business_ids: Schema.Array(Schema.Int)
})
export type BusinessAssignmentRecord = typeof BusinessAssignmentRecord.Type
