/** The port that reads the identity tokens of identity providers. */
import { Context, type Effect, type Redacted } from "effect"
import type { FeatureUnavailable, Unauthorized } from "../../kernel/Errors.ts"

/**
 * The content of an identity token. `issuer` and `subject` identify a person permanently. The email and the name are
 * the provider's current ones, and are not validated.
 */
export interface ProvidedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
}

/**
 * - `verify`: the content of a token that a configured provider issued for this installation and that has not expired,
 *   by `Clock`; else `Unauthorized`. `FeatureUnavailable` if no provider is configured. It dies if the token's provider
 *   cannot be reached or does not publish its keys, since the caller cannot act on that.
 */
export class IdentityProviders extends Context.Service<
  IdentityProviders,
  {
    readonly verify: (
      idToken: Redacted.Redacted
    ) => Effect.Effect<ProvidedIdentity, FeatureUnavailable | Unauthorized>
  }
>()("@livery/domain/IdentityProviders") {}
