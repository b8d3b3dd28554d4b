/** Signing in, staying signed in, signing out (specification, Public authentication; Authentication, rules 4 to 8). */
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import {
  type EmailUnverified,
  Forbidden,
  type InvalidCredentials,
  type TooManyRequests,
  Unauthorized
} from "../kernel/Errors.ts"
import { SecretBox } from "../kernel/security/SecretBox.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import { AccessTokens, accessTokenSeconds } from "./AccessTokens.ts"
import { Authentication } from "./Authentication.ts"
import { passwordSignIn } from "./PasswordSignIn.ts"
import { verdictOn } from "./Rotation.ts"
import {
  type HeldToken,
  type LoginInput,
  type LoginResult,
  type LogoutResult,
  RefreshGrace,
  type RefreshResult,
  refreshTokenLifetime
} from "./Session.ts"
import { SessionRepository } from "./SessionRepository.ts"
import { CredentialCache } from "./CredentialCache.ts"

/**
 * - `login`: a new session. A wrong email and a wrong password are the same answer after the same time; an
 *   unverified email is told only to who knows the password.
 * - `refresh`: rotates a refresh token. A token that was rotated before ends its whole family, and so it stays
 *   although the answer is `Unauthorized`, as it is for every token that does not stand.
 * - `logout`: ends the family of a refresh token, be it rotated or expired; `logged_out` is false if it had ended
 *   already, or if nobody ever had that token. Without a refresh token, the bearer credential says which: an
 *   access token's session. An API key is `Forbidden` (rule 2), nothing at all `Unauthorized`.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly login: (
      input: LoginInput
    ) => Effect.Effect<LoginResult, InvalidCredentials | EmailUnverified | TooManyRequests>
    readonly refresh: (refreshToken: Redacted.Redacted) => Effect.Effect<RefreshResult, Unauthorized>
    readonly logout: (by: {
      readonly refreshToken: Redacted.Redacted | undefined
      readonly credential: Redacted.Redacted | undefined
    }) => Effect.Effect<LogoutResult, Unauthorized | Forbidden>
  }
>()("@livery/domain/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const sessions = yield* SessionRepository
      const tokens = yield* AccessTokens
      const box = yield* SecretBox
      const cryptography = yield* Cryptography
      const authentication = yield* Authentication
      const credentials = yield* CredentialCache
      const login = yield* passwordSignIn
      const grace = yield* RefreshGrace
      const trail = yield* auditTrail

      /** Rotates a held token, and answers its successor in full. */
      const rotated = Effect.fnUntraced(function* (held: HeldToken, tokenHash: string, now: DateTime.Utc) {
        const successor = `lvr_${Base64Url.encode(yield* cryptography.randomBytes(32))}`
        yield* sessions.rotate({
          sessionId: held.sessionId,
          refreshTokenHash: tokenHash,
          successorHash: yield* cryptography.sha256(successor),
          sealedSuccessor: Duration.isZero(grace) ? null : yield* box.seal(successor),
          now,
          expiresAt: DateTime.min(DateTime.addDuration(now, refreshTokenLifetime), held.sessionExpiresAt)
        })
        return successor
      })

      const ended = Effect.fnUntraced(function* ({ sessionId, userId }: HeldToken, now: DateTime.Utc) {
        yield* sessions.revoke(sessionId, now)
        yield* trail(
          {
            actor: "anonymous",
            action: "session.revoked",
            subject: `user:${userId}`,
            after: { session_id: sessionId },
            reason: "A refresh token was presented that had been rotated"
          },
          "alarming"
        )
        yield* transaction.afterCommit(credentials.invalidateSession(sessionId))
      })

      const successorOf = Effect.fnUntraced(function* (tokenHash: string) {
        const found = yield* sessions.hold(tokenHash)
        if (Option.isNone(found)) return undefined
        const held = found.value
        const now = yield* DateTime.now
        switch (verdictOn(held, now, grace)) {
          case "over":
            return undefined
          case "theft":
            // Nothing fails here: a failure would take the revocation back.
            yield* ended(held, now)
            return undefined
          case "repeat":
            return { held, refreshToken: yield* box.open(held.sealedSuccessor ?? "") }
          case "rotate":
            return { held, refreshToken: yield* rotated(held, tokenHash, now) }
        }
      })

      const refresh = Effect.fn("Sessions.refresh")(function* (refreshToken: Redacted.Redacted) {
        const tokenHash = yield* cryptography.sha256(Redacted.value(refreshToken))
        const given = yield* transaction.run(successorOf(tokenHash))
        if (given === undefined) return yield* new Unauthorized()
        const { sessionId, userId } = given.held
        const accessToken = yield* tokens.issue({ userId, sessionId })
        return {
          token_type: "Bearer" as const,
          access_token: Redacted.value(accessToken),
          expires_in: accessTokenSeconds,
          refresh_token: given.refreshToken
        }
      })

      const closed = Effect.fnUntraced(function* (
        { sessionId, userId }: Pick<HeldToken, "sessionId" | "userId">,
        by: string
      ) {
        const isOver = yield* sessions.revoke(sessionId, yield* DateTime.now)
        if (!isOver) return false
        const actor = `user:${userId}`
        yield* trail({
          actor,
          action: "session.closed",
          subject: actor,
          after: { session_id: sessionId, by }
        })
        yield* transaction.afterCommit(credentials.invalidateSession(sessionId))
        return true
      })

      const logoutByToken = Effect.fnUntraced(function* (refreshToken: Redacted.Redacted) {
        const tokenHash = yield* cryptography.sha256(Redacted.value(refreshToken))
        const logged_out = yield* transaction.run(
          Effect.gen(function* () {
            const held = yield* sessions.hold(tokenHash)
            return Option.isSome(held) ? yield* closed(held.value, "refresh_token") : false
          })
        )
        return { logged_out }
      })

      const logout = Effect.fn("Sessions.logout")(function* (by: {
        readonly refreshToken: Redacted.Redacted | undefined
        readonly credential: Redacted.Redacted | undefined
      }) {
        if (by.refreshToken !== undefined) return yield* logoutByToken(by.refreshToken)
        if (by.credential === undefined) return yield* new Unauthorized()
        const principal = yield* authentication.principal(by.credential)
        if (principal._tag !== "User")
          return yield* new Forbidden({ reason: "Sign out with a user access token or a refresh token" })
        const { sessionId, user } = principal
        const logged_out = yield* transaction.run(closed({ sessionId, userId: user.user_id }, "access_token"))
        return { logged_out }
      })

      return Sessions.of({ login, refresh, logout })
    })
  )
}
