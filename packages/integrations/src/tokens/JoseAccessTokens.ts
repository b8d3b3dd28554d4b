/** The domain's `AccessTokens` as signed JSON Web Tokens (the profile of RFC 9068), on `jose`. */
import { AccessTokens, accessTokenSeconds, SessionId, Unauthorized, UserId, traced } from "@livery/domain"
import { Clock, Effect, Layer, Redacted } from "effect"
import { jwtVerify, SignJWT } from "jose"
import { SecretKeys } from "../cryptography/SecretKeys.ts"

/** The issuer and the audience of the tokens. Both are checked on every token. */
export interface AccessTokenOptions {
  /** The claim `iss`: the name of the server that issues the tokens. */
  readonly issuer: string
  /** The claim `aud`: the API that accepts the tokens. */
  readonly audience: string
}

const algorithm = "HS256"
const tokenType = "at+jwt"

// Tokens have about 300 characters. A far longer text is refused before it is decoded.
const maxTokenLength = 4096

/**
 * Whether the signature of a token is written as Base64url demands, so that a token has one spelling. The other parts are signed
 * as they are written.
 */
const isCanonical = (token: string): boolean => {
  const signature = token.slice(token.lastIndexOf(".") + 1)
  return Buffer.from(signature, "base64url").toString("base64url") === signature
}

const idIn = (claim: unknown): number | undefined => {
  const id = typeof claim === "string" && /^[1-9]\d{0,15}$/u.test(claim) ? Number(claim) : undefined
  return Number.isSafeInteger(id) ? id : undefined
}

/**
 * Tokens are signed by HS256 under the current secret's key `tokens` of {@link SecretKeys}, and verified under both
 * secrets. Their claims are `sub` (the user's id), `sid` (the session's id), `iat`, `exp`, `iss` and `aud`, with the header
 * `typ: at+jwt`. Algorithm, type, issuer and audience are fixed. Expiry follows `Clock` without tolerance. Every refused
 * token is the same `Unauthorized`.
 */
export const layer = (options: AccessTokenOptions): Layer.Layer<AccessTokens, never, SecretKeys> =>
  Layer.effect(
    AccessTokens,
    Effect.map(SecretKeys, ({ current, previous }) => {
      // Converted once: with a KeyObject, each signature and each verification would convert it again.
      const cryptoKeyOf = ({ tokens }: SecretKeys["Service"]["current"]) =>
        tokens.toCryptoKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])
      const key = cryptoKeyOf(current)
      const previousKey = previous === undefined ? undefined : cryptoKeyOf(previous)

      const issue: AccessTokens["Service"]["issue"] = traced("AccessTokens.issue")(function* ({
        userId,
        sessionId
      }) {
        const issuedAt = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const token = yield* Effect.promise(() =>
          new SignJWT({ sid: String(sessionId) })
            .setProtectedHeader({ alg: algorithm, typ: tokenType })
            .setSubject(String(userId))
            .setIssuer(options.issuer)
            .setAudience(options.audience)
            .setIssuedAt(issuedAt)
            .setExpirationTime(issuedAt + accessTokenSeconds)
            .sign(key)
        )
        return Redacted.make(token)
      })

      const verify: AccessTokens["Service"]["verify"] = traced("AccessTokens.verify")(function* (redacted) {
        const token = Redacted.value(redacted)
        if (token.length > maxTokenLength || !isCanonical(token)) return yield* new Unauthorized()
        const now = yield* Clock.currentTimeMillis
        const verifyUnder = (signingKey: typeof key) =>
          Effect.tryPromise({
            try: () =>
              jwtVerify(token, signingKey, {
                algorithms: [algorithm],
                typ: tokenType,
                issuer: options.issuer,
                audience: options.audience,
                requiredClaims: ["sub", "sid", "iat", "exp"],
                currentDate: new Date(now),
                clockTolerance: 0
              }),
            catch: () => new Unauthorized()
          })
        const { payload, protectedHeader } = yield* previousKey === undefined
          ? verifyUnder(key)
          : verifyUnder(key).pipe(Effect.catch(() => verifyUnder(previousKey)))
        const userId = idIn(payload.sub)
        const sessionId = idIn(payload["sid"])
        // The keys have no ids: a token with a key id was issued elsewhere.
        if (userId === undefined || sessionId === undefined || protectedHeader.kid !== undefined) {
          return yield* new Unauthorized()
        }
        return {
          userId: UserId.make(userId),
          sessionId: SessionId.make(sessionId),
          expiresAt: payload.exp ?? 0
        }
      })

      return AccessTokens.of({ issue, verify })
    })
  )
