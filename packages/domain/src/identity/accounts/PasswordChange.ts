/** The bodies and results of changing a password and of resetting one. */
import { Schema } from "effect"
import { text } from "../../kernel/fields/Text.ts"
import { EnteredPassword, NewPassword } from "../users/PasswordFields.ts"

/** The input of a change. */
export const PasswordChange = Schema.Struct({ current_password: EnteredPassword, new_password: NewPassword })
export type PasswordChange = typeof PasswordChange.Type

/** The result of a change: both fields are true, even if the user has no other session. */
export const PasswordChangeResult = Schema.Struct({
  updated: Schema.Boolean,
  other_sessions_revoked: Schema.Boolean
})
export type PasswordChangeResult = typeof PasswordChangeResult.Type

/** The input of a reset: the code that was mailed, and the new password. */
export const ResetConfirmation = Schema.Struct({ code: text(100), password: NewPassword })
export type ResetConfirmation = typeof ResetConfirmation.Type

/** The result of a reset. */
export const ResetResult = Schema.Struct({ reset: Schema.Boolean })
export type ResetResult = typeof ResetResult.Type
