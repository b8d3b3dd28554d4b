/** The body that creates a user. */
import { Schema } from "effect"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { withDefault } from "../kernel/fields/Field.ts"
import { name } from "../kernel/fields/Name.ts"
import * as Value from "../kernel/fields/Value.ts"
import { NewPassword } from "../identity/users/PasswordFields.ts"

/** The input of a new user; `account_type` is `A` by default. */
export const NewUserInput = Schema.Struct({
  name: name(200),
  email: EmailAddress,
  password: NewPassword,
  account_type: withDefault(Value.oneOf(Schema.Literals(["A", "S"])), "A" as const).input
})
export type NewUserInput = typeof NewUserInput.Type
