/** The domain's `AccessTokens` as signed JSON Web Tokens (RFC 9068's profile), over `jose`. */
import { AccessTokens, accessTokenSeconds, SessionId, Unauthorized, UserId } from "@livery/domain"
import { Clock, Effect, Layer, Redacted } from "effect"
import { jwtVerify, SignJWT } from "jose"
import { SecretKeys } from "../cryptography/SecretKeys.ts"

/** Who issues the tokens and for whom; both are checked on every token. */
export interface AccessTokenOptions {
  /** The claim `iss`: the installation's public address. */
  readonly issuer: string
  /** The claim `aud`: the API that takes the tokens. */
  readonly audience: string
}

const algorithm = "HS256"
const tokenType = "at+jwt"

// Ours have some 300 characters. What is far longer is refused before any of it is decoded.
const longestToken = 4096

const idIn = (claim: unknown): number | undefined => {
  const id = typeof claim === "string" && /^[1-9]\d{0,15}$/u.test(claim) ? Number(claim) : undefined
  return Number.isSafeInteger(id) ? id : undefined
}

/**
 * HS256 under {@link SecretKeys}' `tokens`; claims `sub` (the user's id), `sid` (the session's), `iat`, `exp`,
 * `iss` and `aud`; header `typ: at+jwt`. Algorithm, type, issuer and audience are fixed, time is `Clock`'s, and
 * no second of tolerance is given. Whatever is wrong with a token, the answer is the same `Unauthorized`.
 */
export const layer = (options: AccessTokenOptions): Layer.Layer<AccessTokens, never, SecretKeys> =>
  Layer.effect(
    AccessTokens,
    Effect.map(SecretKeys, ({ tokens: keyObject }) => {
      // Imported once: from a KeyObject, each signature and each check would import it anew.
      const key = keyObject.toCryptoKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])

      const issue: AccessTokens["Service"]["issue"] = Effect.fn("AccessTokens.issue")(function* ({
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

      const verify: AccessTokens["Service"]["verify"] = Effect.fn("AccessTokens.verify")(
        function* (redacted) {
          const token = Redacted.value(redacted)
          if (token.length > longestToken) return yield* new Unauthorized()
          const now = yield* Clock.currentTimeMillis
          const { payload, protectedHeader } = yield* Effect.tryPromise({
            try: () =>
              jwtVerify(token, key, {
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
          const userId = idIn(payload.sub)
          const sessionId = idIn(payload["sid"])
          // There is one key, and it has no name: a token that names one was made for somebody else.
          if (userId === undefined || sessionId === undefined || protectedHeader.kid !== undefined) {
            return yield* new Unauthorized()
          }
          return {
            userId: UserId.make(userId),
            sessionId: SessionId.make(sessionId),
            expiresAt: payload.exp ?? 0
          }
        }
      )

      return AccessTokens.of({ issue, verify })
    })
  )
