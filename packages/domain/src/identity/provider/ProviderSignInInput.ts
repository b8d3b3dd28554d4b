/** The body and the result of signing in with an identity provider. */
import { Schema } from "effect"
import { optionalText, text } from "../../kernel/fields/Text.ts"
import { LoginResult } from "../sessions/Session.ts"

const maxTokenLength = 16_384

/** The input of a sign-in. */
export const ProviderSignInInput = Schema.Struct({
  id_token: text(maxTokenLength).pipe(Schema.RedactedFromValue),
  device_name: optionalText(200)
})
export type ProviderSignInInput = typeof ProviderSignInInput.Type

/** A login result, and whether the user must create a business first. */
export const ProviderSignInResult = Schema.Struct({
  ...LoginResult.fields,
  needs_business_setup: Schema.Boolean
})
export type ProviderSignInResult = typeof ProviderSignInResult.Type
