/** The ports behind signing in with an identity provider (specification, `POST /auth/idp`). */
import { Context, type Effect, type Redacted } from "effect"
import type { FeatureUnavailable, Unauthorized } from "../kernel/Errors.ts"

/**
 * What a provider vouches for. A person is known by `issuer` and `subject`, for good; the email and the name are
 * what the provider says of them today, as it says it.
 */
export interface ProvidedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
}

/**
 * The port that reads identity tokens.
 *
 * - `verify`: what a token says, if one of the configured providers made it for this installation and it has not
 *   expired, by `Clock`; for anything else `Unauthorized`, whatever is wrong with it. `FeatureUnavailable` where
 *   no provider is configured. Dies when the provider that the token names cannot be reached or does not
 *   publish its keys: that is no fault of the caller's.
 */
export class IdentityProviders extends Context.Service<
  IdentityProviders,
  {
    readonly verify: (
      idToken: Redacted.Redacted
    ) => Effect.Effect<ProvidedIdentity, FeatureUnavailable | Unauthorized>
  }
>()("@livery/domain/IdentityProviders") {}
