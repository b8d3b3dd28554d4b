/**
 * The domain's `IdentityProviders` for any provider that speaks OpenID Connect, over `jose`.
 *
 * A token names its issuer; a configured issuer's own discovery document names where its keys are; its keys
 * decide. Documents are fetched when they are first needed, and never on the word of a token alone: no address comes
 * from one.
 */
import { FeatureUnavailable, IdentityProviders, type ProvidedIdentity, Unauthorized } from "@livery/domain"
import { Cache, Clock, Data, Duration, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from "jose"
import type { JWTPayload, JWTVerifyGetKey } from "jose"
import { isTrustworthy, type OidcIssuer } from "./OidcIssuers.ts"
import { fetchDocument, ProviderAway, readDocument } from "./ProviderDocument.ts"

/** Who is trusted, and with how much patience. */
export interface OpenIdProvidersOptions {
  /** None: every token is answered `FeatureUnavailable`. */
  readonly issuers: ReadonlyArray<OidcIssuer>
  /** For each document that is fetched; 5 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** How soon after the keys were fetched an unknown key id has them fetched again; 30 seconds by default. */
  readonly keyCooldown?: Duration.Input | undefined
}

/** Signatures that only the provider can make: with what it publishes, nobody signs. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
]

/** How far a provider's clock may be from ours, in seconds. */
const clockTolerance = 30

/** How long it is believed that a provider's keys are where it said. */
const discovered = Duration.hours(1)

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })
const isDiscovery = Schema.is(Discovery)

const keysOf = async (issuer: string, timeout: number, cooldown: number): Promise<JWTVerifyGetKey> => {
  const address = `${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`
  const document = await readDocument(address, timeout)
  if (!isDiscovery(document) || document.issuer !== issuer || !isTrustworthy(document.jwks_uri))
    throw new ProviderAway({ address, reason: "it is not that issuer's configuration" })
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: timeout,
    cooldownDuration: cooldown,
    [customFetch]: (url, { signal }) => fetchDocument(url, signal)
  })
}

/** What the token claims to be from, before anything is known of it. */
const claimedIssuer = (token: string): string | undefined => {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

const textIn = (claim: unknown): string | null => (typeof claim === "string" && claim !== "" ? claim : null)

/** Some providers write the flag as a text. */
const isTrue = (claim: unknown) => claim === true || claim === "true"

const identityIn = (issuer: string, subject: string, claims: JWTPayload): ProvidedIdentity => ({
  issuer,
  subject,
  email: textIn(claims["email"]),
  emailVerified: isTrue(claims["email_verified"]),
  name: textIn(claims["name"])
})

/** A provider gives a subject at most 255 ASCII characters (OpenID Connect Core, section 2). */
const isSubject = (subject: unknown): subject is string =>
  typeof subject === "string" && /^[\x20-\x7e]{1,255}$/u.test(subject)

/** The token is not one that its provider made for us, or no longer. */
class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly reason: string }> {}

const away = (address: string, cause: unknown) =>
  cause instanceof ProviderAway
    ? cause
    : new ProviderAway({ address, reason: "its keys are of no use", cause })

/** Whether the token is to blame or what the provider publishes. */
const blame = (issuer: string, cause: unknown): TokenRefused | ProviderAway =>
  cause instanceof errors.JOSEError &&
  !(cause instanceof errors.JWKSInvalid || cause instanceof errors.JWKSTimeout)
    ? new TokenRefused({ reason: cause.code })
    : away(issuer, cause)

/**
 * Takes a token whose `iss` is one of `issuers`, each `aud` a client id of ours there, signed by a key that this issuer
 * publishes with an algorithm of public keys, with `exp` and `iat`, in time by `Clock` give or take 30 seconds,
 * and of no other type than `JWT`: an access token of the same provider is no proof of who came.
 */
export const layer = (options: OpenIdProvidersOptions): Layer.Layer<IdentityProviders> =>
  Layer.effect(
    IdentityProviders,
    Effect.gen(function* () {
      const timeout = Duration.toMillis(options.timeout ?? "5 seconds")
      const cooldown = Duration.toMillis(options.keyCooldown ?? "30 seconds")
      const audiences = new Map(options.issuers.map(({ issuer, audiences }) => [issuer, audiences]))

      const keys = yield* Cache.makeWith(
        (issuer: string) =>
          Effect.tryPromise({
            try: () => keysOf(issuer, timeout, cooldown),
            catch: (cause) => away(issuer, cause)
          }),
        {
          capacity: Math.max(1, options.issuers.length),
          timeToLive: (exit) => (Exit.isSuccess(exit) ? discovered : Duration.zero)
        }
      )

      const refused = Effect.fnUntraced(function* (issuer: string, reason: string) {
        yield* Effect.logInfo("identity token refused", { issuer, reason })
        return yield* new Unauthorized()
      })

      const checked = Effect.fnUntraced(function* (
        token: string,
        issuer: string,
        ours: ReadonlyArray<string>
      ) {
        const now = yield* Clock.currentTimeMillis
        const getKey = yield* Cache.get(keys, issuer)
        return yield* Effect.tryPromise({
          try: () =>
            jwtVerify(token, getKey, {
              algorithms,
              issuer,
              audience: [...ours],
              requiredClaims: ["sub", "exp", "iat"],
              currentDate: new Date(now),
              clockTolerance
            }),
          catch: (cause) => blame(issuer, cause)
        })
      })

      const verify = Effect.fn("IdentityProviders.verify")(function* (idToken: Redacted.Redacted) {
        if (audiences.size === 0)
          return yield* new FeatureUnavailable({ feature: "Signing in with an identity provider" })
        const token = Redacted.value(idToken)
        const issuer = claimedIssuer(token)
        const ours = issuer === undefined ? undefined : audiences.get(issuer)
        if (issuer === undefined || ours === undefined) return yield* refused("unknown", "issuer")
        const { payload, protectedHeader } = yield* checked(token, issuer, ours).pipe(
          Effect.catchTags({
            TokenRefused: ({ reason }) => refused(issuer, reason),
            ProviderAway: Effect.die
          })
        )
        if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== "JWT")
          return yield* refused(issuer, "type")
        const { aud, sub } = payload
        // A token that others may use as well is one that others may have sent on (Core, 3.1.3.7).
        if (Array.isArray(aud) && !aud.every((audience) => ours.includes(audience)))
          return yield* refused(issuer, "audience")
        return isSubject(sub) ? identityIn(issuer, sub, payload) : yield* refused(issuer, "subject")
      })

      return IdentityProviders.of({ verify })
    })
  )
