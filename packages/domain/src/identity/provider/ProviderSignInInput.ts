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

/** The input of beginning a sign-in by redirect. */
export const ProviderRedirectInput = Schema.Struct({ issuer: text(2000) })
export type ProviderRedirectInput = typeof ProviderRedirectInput.Type

/** The address to which the browser goes. */
export const ProviderRedirect = Schema.Struct({ authorization_url: Schema.String })

/** What the provider's redirect brought back: the parameters of its address. */
export const ProviderReturnInput = Schema.Struct({
  code: text(4096).pipe(Schema.RedactedFromValue),
  state: text(200),
  iss: optionalText(2000),
  device_name: optionalText(200)
})
export type ProviderReturnInput = typeof ProviderReturnInput.Type

/** A provider with a button on the sign-in page. */
export const OfferedProviderRecord = Schema.Struct({ issuer: Schema.String, name: Schema.String })

/** A login result, and whether the user must create a business first. */
export const ProviderSignInResult = Schema.Struct({
  ...LoginResult.fields,
  needs_business_setup: Schema.Boolean
})
export type ProviderSignInResult = typeof ProviderSignInResult.Type
