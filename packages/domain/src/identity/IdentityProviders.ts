/** The ports behind signing in with an identity provider (specification, `POST /auth/idp`). */
import { Context, type DateTime, type Effect, type Option, type Redacted } from "effect"
import type { FeatureUnavailable, Unauthorized } from "../kernel/Errors.ts"
import type { UserId } from "../kernel/Ids.ts"
import type { User } from "./User.ts"

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

/**
 * The port that stores whose a provider's identity is.
 *
 * - `userOf`: the user that the identity is linked to.
 * - `link`: links it to a user; false, and nothing written, if it is linked already or if the user has
 *   another identity of that issuer. Of two at once, one gets true.
 */
export class LinkedIdentityRepository extends Context.Service<
  LinkedIdentityRepository,
  {
    readonly userOf: (identity: {
      readonly issuer: string
      readonly subject: string
    }) => Effect.Effect<Option.Option<User>>
    readonly link: (identity: {
      readonly issuer: string
      readonly subject: string
      readonly userId: UserId
      readonly at: DateTime.Utc
    }) => Effect.Effect<boolean>
  }
>()("@livery/domain/LinkedIdentityRepository") {}
