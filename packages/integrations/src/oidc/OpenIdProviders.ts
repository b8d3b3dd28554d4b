/**
 * The domain's `IdentityProviders` for OpenID Connect, on `jose`.
 *
 * A token names its issuer. If that issuer is configured, its discovery document contains the address of its keys, and one
 * of them must verify the token. Documents are fetched on first use. No address is taken from a token.
 */
import {
  FeatureUnavailable,
  IdentityProviders,
  type ProvidedIdentity,
  Unauthorized,
  Unavailable,
  traced
} from "@livery/domain"
import { Cache, Clock, Data, Duration, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from "jose"
import type { JWTPayload, JWTVerifyGetKey } from "jose"
import { isTrustworthy, type OidcIssuer } from "./OidcIssuers.ts"
import { fetchDocument, ProviderUnavailable, readDocument } from "./ProviderDocument.ts"

/** The trusted providers and the limits of requests to them. */
export interface OpenIdProvidersOptions {
  /** If empty, every token is `FeatureUnavailable`. */
  readonly issuers: ReadonlyArray<OidcIssuer>
  /** The timeout of fetching a document; 5 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** How long after a fetch of the keys an unknown key id does not cause another one; 30 seconds by default. */
  readonly keyCooldown?: Duration.Input | undefined
}

/** Asymmetric algorithms only: a symmetric one would accept signatures made with the published key. */
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

/** The tolerated difference between the clocks, in seconds. */
const clockTolerance = 30

/** How long the address of a provider's keys is cached. */
const discoveryTtl = Duration.hours(1)

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })
const isDiscovery = Schema.is(Discovery)

const keysOf = async (issuer: string, timeout: number, cooldown: number): Promise<JWTVerifyGetKey> => {
  const address = `${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`
  const document = await readDocument(address, timeout)
  if (!isDiscovery(document) || document.issuer !== issuer || !isTrustworthy(document.jwks_uri))
    throw new ProviderUnavailable({ address, reason: "it is not that issuer's configuration" })
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: timeout,
    cooldownDuration: cooldown,
    [customFetch]: (url, { signal }) => fetchDocument(url, signal)
  })
}

/** The issuer that a token claims, not yet verified. */
const claimedIssuer = (token: string): string | undefined => {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

const textIn = (claim: unknown): string | null => (typeof claim === "string" && claim !== "" ? claim : null)

/** Some providers write the flag as text. */
const isTrue = (claim: unknown) => claim === true || claim === "true"

const identityIn = (issuer: string, subject: string, claims: JWTPayload): ProvidedIdentity => ({
  issuer,
  subject,
  email: textIn(claims["email"]),
  emailVerified: isTrue(claims["email_verified"]),
  name: textIn(claims["name"])
})

/** A subject is at most 255 ASCII characters (OpenID Connect Core, section 2). */
const isSubject = (subject: unknown): subject is string =>
  typeof subject === "string" && /^[\x20-\x7e]{1,255}$/u.test(subject)

/** The token is not valid for this installation, or has expired. */
class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly reason: string }> {}

const unavailable = (address: string, cause: unknown) =>
  cause instanceof ProviderUnavailable
    ? cause
    : new ProviderUnavailable({ address, reason: "its keys cannot be used", cause })

/** The fault that the caller gets. Trying again is safe, because nothing was begun. */
const toUnavailable = (cause: ProviderUnavailable) =>
  new Unavailable({ reason: "The identity provider cannot be reached", retryAfterSeconds: 5, cause })

/** The cause of a failed verification: the token, or the provider's documents. */
const faultOf = (issuer: string, cause: unknown): TokenRefused | ProviderUnavailable =>
  cause instanceof errors.JOSEError &&
  !(cause instanceof errors.JWKSInvalid || cause instanceof errors.JWKSTimeout)
    ? new TokenRefused({ reason: cause.code })
    : unavailable(issuer, cause)

/**
 * A token is accepted if all of this holds: `iss` is one of `issuers`; each `aud` is one of its audiences; a published key
 * of the issuer verifies the signature with an asymmetric algorithm; `exp` and `iat` are present, and valid by `Clock`
 * within 30 seconds; its type is `JWT` or absent, since an access token of the same provider does not identify a person.
 */
export const layer = (options: OpenIdProvidersOptions): Layer.Layer<IdentityProviders> =>
  Layer.effect(
    IdentityProviders,
    Effect.gen(function* () {
      const timeout = Duration.toMillis(options.timeout ?? "5 seconds")
      const cooldown = Duration.toMillis(options.keyCooldown ?? "30 seconds")
      const audiences = new Map(options.issuers.map(({ issuer, audiences }) => [issuer, audiences]))

      const keysByIssuer = yield* Cache.makeWith(
        (issuer: string) =>
          Effect.tryPromise({
            try: () => keysOf(issuer, timeout, cooldown),
            catch: (cause) => unavailable(issuer, cause)
          }),
        {
          capacity: Math.max(1, options.issuers.length),
          timeToLive: (exit) => (Exit.isSuccess(exit) ? discoveryTtl : Duration.zero)
        }
      )

      const refuse = Effect.fnUntraced(function* (issuer: string, reason: string) {
        yield* Effect.logInfo("identity token refused", { issuer, reason })
        return yield* new Unauthorized()
      })

      const verifyFrom = Effect.fnUntraced(function* (
        token: string,
        issuer: string,
        acceptedAudiences: ReadonlyArray<string>
      ) {
        const now = yield* Clock.currentTimeMillis
        const getKey = yield* Cache.get(keysByIssuer, issuer)
        return yield* Effect.tryPromise({
          try: () =>
            jwtVerify(token, getKey, {
              algorithms,
              issuer,
              audience: [...acceptedAudiences],
              requiredClaims: ["sub", "exp", "iat"],
              currentDate: new Date(now),
              clockTolerance
            }),
          catch: (cause) => faultOf(issuer, cause)
        })
      })

      const verify = traced("IdentityProviders.verify")(function* (idToken: Redacted.Redacted) {
        if (audiences.size === 0)
          return yield* new FeatureUnavailable({ feature: "Signing in with an identity provider" })
        const token = Redacted.value(idToken)
        const issuer = claimedIssuer(token)
        const acceptedAudiences = issuer === undefined ? undefined : audiences.get(issuer)
        if (issuer === undefined || acceptedAudiences === undefined) return yield* refuse("unknown", "issuer")
        const { payload, protectedHeader } = yield* verifyFrom(token, issuer, acceptedAudiences).pipe(
          Effect.catchTags({
            TokenRefused: ({ reason }) => refuse(issuer, reason),
            ProviderUnavailable: (cause) =>
              Effect.andThen(
                Effect.logWarning("identity provider unavailable", { issuer, reason: cause.message }),
                Effect.die(toUnavailable(cause))
              )
          })
        )
        if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== "JWT")
          return yield* refuse(issuer, "type")
        const { aud, iat = 0, sub } = payload
        const now = yield* Clock.currentTimeMillis
        if (iat > now / 1000 + clockTolerance) return yield* refuse(issuer, "time of issue")
        // Another audience of the same token could replay it here (OpenID Connect Core, 3.1.3.7).
        if (Array.isArray(aud) && !aud.every((audience) => acceptedAudiences.includes(audience)))
          return yield* refuse(issuer, "audience")
        return isSubject(sub) ? identityIn(issuer, sub, payload) : yield* refuse(issuer, "subject")
      })

      return IdentityProviders.of({ verify })
    })
  )
