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
  type ReturnedSignIn,
  Unauthorized,
  Unavailable,
  traced
} from "@livery/domain"
import { Cache, Clock, Data, Duration, Effect, Exit, Layer, Redacted, Schema } from "effect"
import { createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from "jose"
import type { JWTPayload, JWTVerifyGetKey } from "jose"
import { randomBytes } from "node:crypto"
import type { OidcIssuer } from "./OidcIssuers.ts"
import { Discovery, fetchDocument, ProviderUnavailable, readDocument } from "./ProviderDocument.ts"
import { authorizationAddress, type ButtonIssuer, exchangeCode, proofsOf } from "./RedirectSignIn.ts"

/** The trusted providers and the limits of requests to them. */
export interface OpenIdProvidersOptions {
  /** If empty, every token is `FeatureUnavailable`. */
  readonly issuers: ReadonlyArray<OidcIssuer>
  /** The timeout of fetching a document; 5 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** How long after a fetch of the keys an unknown key id does not cause another one; 30 seconds by default. */
  readonly keyCooldown?: Duration.Input | undefined
  /** The address of the sign-in page, to which providers send browsers back; without it, no sign-in by redirect is offered. */
  readonly signInPage?: string | undefined
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

const isDiscovery = Schema.is(Discovery)

/** What a provider publishes: its endpoints, and its keys. */
interface Published {
  readonly endpoints: Discovery
  readonly getKey: JWTVerifyGetKey
}

const publishedBy = async (issuer: string, timeout: number, cooldown: number): Promise<Published> => {
  const address = `${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`
  const document = await readDocument(address, timeout)
  if (!isDiscovery(document) || document.issuer !== issuer)
    throw new ProviderUnavailable({ address, reason: "it is not that issuer's configuration" })
  const getKey = createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: timeout,
    cooldownDuration: cooldown,
    [customFetch]: (url, { signal }) => fetchDocument(url, signal)
  })
  return { endpoints: document, getKey }
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

const hasButton = (issuer: OidcIssuer): issuer is ButtonIssuer => issuer.button !== undefined

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

      const { signInPage = "" } = options
      const offered = signInPage === "" ? [] : options.issuers.filter(hasButton)

      const publishedByIssuer = yield* Cache.makeWith(
        (issuer: string) =>
          Effect.tryPromise({
            try: () => publishedBy(issuer, timeout, cooldown),
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

      /** Makes the unavailability of a provider the defect that the caller gets, with a log line. */
      const dieIfUnavailable =
        (issuer: string) =>
        <A, E, R>(work: Effect.Effect<A, E | ProviderUnavailable, R>) =>
          Effect.catchIf(
            work,
            (cause) => cause instanceof ProviderUnavailable,
            (cause) =>
              Effect.andThen(
                Effect.logWarning("identity provider unavailable", { issuer, reason: cause.message }),
                Effect.die(toUnavailable(cause))
              )
          )

      const verifyFrom = Effect.fnUntraced(function* (
        token: string,
        issuer: string,
        acceptedAudiences: ReadonlyArray<string>
      ) {
        const now = yield* Clock.currentTimeMillis
        const { getKey } = yield* Cache.get(publishedByIssuer, issuer)
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

      /** The verified claims of a token of an issuer for one of the audiences. */
      const claimsIn = Effect.fnUntraced(function* (
        token: string,
        issuer: string,
        acceptedAudiences: ReadonlyArray<string>
      ) {
        const { payload, protectedHeader } = yield* verifyFrom(token, issuer, acceptedAudiences).pipe(
          Effect.catchTag("TokenRefused", ({ reason }) => refuse(issuer, reason)),
          dieIfUnavailable(issuer)
        )
        if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== "JWT")
          return yield* refuse(issuer, "type")
        const { aud, iat = 0, sub } = payload
        const now = yield* Clock.currentTimeMillis
        if (iat > now / 1000 + clockTolerance) return yield* refuse(issuer, "time of issue")
        // Another audience of the same token could replay it here (OpenID Connect Core, 3.1.3.7).
        if (Array.isArray(aud) && !aud.every((audience) => acceptedAudiences.includes(audience)))
          return yield* refuse(issuer, "audience")
        return isSubject(sub)
          ? { claims: payload, identity: identityIn(issuer, sub, payload) }
          : yield* refuse(issuer, "subject")
      })

      const verify = traced("IdentityProviders.verify")(function* (idToken: Redacted.Redacted) {
        if (audiences.size === 0)
          return yield* new FeatureUnavailable({ feature: "Signing in with an identity provider" })
        const token = Redacted.value(idToken)
        const issuer = claimedIssuer(token)
        const acceptedAudiences = issuer === undefined ? undefined : audiences.get(issuer)
        if (issuer === undefined || acceptedAudiences === undefined) return yield* refuse("unknown", "issuer")
        return (yield* claimsIn(token, issuer, acceptedAudiences)).identity
      })

      const begin = traced("IdentityProviders.begin")(function* (issuer: string) {
        const provider = offered.find((one) => one.issuer === issuer)
        if (provider === undefined)
          return yield* new FeatureUnavailable({ feature: "Signing in with this identity provider" })
        const secret = Redacted.make(randomBytes(32).toString("base64url"))
        const address = yield* Cache.get(publishedByIssuer, issuer).pipe(
          Effect.flatMap(({ endpoints }) =>
            Effect.try({
              try: () => authorizationAddress(provider, endpoints, secret, signInPage),
              catch: (cause) => unavailable(issuer, cause)
            })
          ),
          dieIfUnavailable(issuer)
        )
        return { address, secret }
      })

      const finish = traced("IdentityProviders.finish")(function* (returned: ReturnedSignIn) {
        const { code, iss, secret, state } = returned
        const provider = offered.find(({ issuer }) => proofsOf(secret, issuer).state === state)
        if (provider === undefined) return yield* refuse("unknown", "state")
        const { button, issuer } = provider
        const { nonce, verifier } = proofsOf(secret, issuer)
        const { endpoints } = yield* dieIfUnavailable(issuer)(Cache.get(publishedByIssuer, issuer))
        // One provider must not pass off the code of another as its own (RFC 9207).
        const mustName = endpoints.authorization_response_iss_parameter_supported === true
        if (iss === null ? mustName : iss !== issuer) return yield* refuse(issuer, "issuer of the redirect")
        const token = yield* Effect.tryPromise({
          try: () => exchangeCode(provider, endpoints, code, verifier, signInPage, timeout),
          catch: (cause) => unavailable(issuer, cause)
        }).pipe(dieIfUnavailable(issuer))
        if (token === undefined) return yield* refuse(issuer, "code")
        const { claims, identity } = yield* claimsIn(token, issuer, [button.clientId])
        if (claims["nonce"] !== nonce) return yield* refuse(issuer, "nonce")
        const party = claims["azp"]
        if (party !== undefined && party !== button.clientId) return yield* refuse(issuer, "authorized party")
        return identity
      })

      return IdentityProviders.of({
        offered: Effect.succeed(offered.map(({ button, issuer }) => ({ issuer, name: button.name }))),
        verify,
        begin,
        finish
      })
    })
  )
