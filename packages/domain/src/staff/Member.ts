/** The members of a business: users who may act for it, each with a role (docs/api/staff.md). */
import { Schema } from "effect"
import { Role } from "../business/Role.ts"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { UserId } from "../kernel/Ids.ts"

/** The fields of a member. `created_at` is when the user became a member. */
const memberFields = {
  user_id: Field.assigned(Value.id(UserId)),
  name: Field.assigned(Value.name(200)),
  email: Field.assigned(Value.emailAddress),
  role: Field.required(Value.oneOf(Role)),
  created_at: Field.assigned(Value.instant)
}

/** A member as stored. */
export const Member = Field.storedOf(memberFields)
export type Member = typeof Member.Type

/** A member in a response. */
export const MemberRecord = Field.recordOf(memberFields)
export type MemberRecord = typeof MemberRecord.Type

/** The record of a member. */
export const memberRecord = Field.encoderOf(memberFields)

/** A change of a member: another role. */
export const MemberChanges = Schema.Struct({ role: memberFields.role.input })
export type MemberChanges = typeof MemberChanges.Type
