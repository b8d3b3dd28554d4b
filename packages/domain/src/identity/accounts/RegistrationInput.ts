/** The bodies and results of signing up, and of the codes that are mailed. */
import { Schema } from "effect"
import { EmailAddress } from "../../kernel/fields/EmailAddress.ts"
import { name } from "../../kernel/fields/Name.ts"
import { optionalText, text } from "../../kernel/fields/Text.ts"
import { optionalWebAddress } from "../../kernel/fields/WebAddress.ts"
import { NewPassword } from "../users/PasswordFields.ts"

/** The input of a registration. */
export const RegistrationInput = Schema.Struct({
  name: name(200),
  email: EmailAddress,
  password: NewPassword,
  business_name: name(200),
  mobile_phone: optionalText(40),
  website_url: optionalWebAddress
})
export type RegistrationInput = typeof RegistrationInput.Type

/** The result of a registration. */
export const RegistrationResult = Schema.Struct({
  user_id: Schema.Int,
  business_id: Schema.Int,
  verification_required: Schema.Boolean,
  message: Schema.String
})
export type RegistrationResult = typeof RegistrationResult.Type

/** The input of a verification. */
export const VerificationInput = Schema.Struct({ code: text(100) })

/** The result of a verification: the verified email, or null if the code is not valid. */
export const VerificationResult = Schema.Struct({
  verified: Schema.Boolean,
  email: Schema.NullOr(Schema.String)
})
export type VerificationResult = typeof VerificationResult.Type

/** The input of a request for a code: a new verification code or a reset code. */
export const SendingInput = Schema.Struct({ email: EmailAddress })

/** The result of a request for a code. It is always the same, so that it does not reveal whether an account exists. */
export const SendingResult = Schema.Struct({ sent: Schema.Boolean })
export type SendingResult = typeof SendingResult.Type
