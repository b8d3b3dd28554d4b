/** The acceptance of a driver's invitation. */
import { Schema } from "effect"
import { NewPassword } from "../../identity/users/PasswordFields.ts"
import { optionalName } from "../../kernel/fields/Name.ts"
import { text } from "../../kernel/fields/Text.ts"

/** The acceptance of an invitation; without a `name`, the account gets the driver's name. */
export const InvitationAcceptance = Schema.Struct({
  code: text(100),
  password: NewPassword,
  name: optionalName(200)
})
export type InvitationAcceptance = typeof InvitationAcceptance.Type

/** Its response: the account, and the driver and business that it signs in as. */
export const InvitationResult = Schema.Struct({
  user_id: Schema.Int,
  driver_id: Schema.Int,
  business_id: Schema.Int
})
export type InvitationResult = typeof InvitationResult.Type
