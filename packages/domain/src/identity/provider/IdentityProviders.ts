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

/** A provider with a button on the sign-in page. */
export interface OfferedProvider {
  readonly issuer: string
  readonly name: string
}

/** What the provider's redirect brought back, and the secret of the browser that began. */
export interface ReturnedSignIn {
  readonly secret: Redacted.Redacted
  readonly code: Redacted.Redacted
  readonly state: string
  /** The issuer that the redirect names, if it names one. */
  readonly iss: string | null
}

/**
 * - `offered`: the providers with which a browser can sign in by redirect.
 * - `verify`: the content of a token that a configured provider issued for this installation and that has not expired,
 *   by `Clock`; else `Unauthorized`. `FeatureUnavailable` if no provider is configured.
 * - `begin`: the address to which a browser goes to sign in with an offered provider, and a new secret that the browser keeps.
 * - `finish`: the person who came back. `Unauthorized` unless the secret belongs to the state, the state to the issuer, and
 *   the provider gives an identity token for that code and that secret.
 *
 * They die if the provider cannot be reached or does not publish its keys, since the caller cannot act on that.
 */
export class IdentityProviders extends Context.Service<
  IdentityProviders,
  {
    readonly offered: Effect.Effect<ReadonlyArray<OfferedProvider>>
    readonly verify: (
      idToken: Redacted.Redacted
    ) => Effect.Effect<ProvidedIdentity, FeatureUnavailable | Unauthorized>
    readonly begin: (
      issuer: string
    ) => Effect.Effect<{ readonly address: string; readonly secret: Redacted.Redacted }, FeatureUnavailable>
    readonly finish: (returned: ReturnedSignIn) => Effect.Effect<ProvidedIdentity, Unauthorized>
  }
>()("@livery/domain/IdentityProviders") {}
