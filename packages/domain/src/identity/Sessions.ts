/** Signing in, refreshing and signing out (docs/api/authentication.md). */
import { Context, DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { Forbidden, Unauthorized } from "../kernel/Errors.ts"
import { SecretBox } from "../kernel/security/SecretBox.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { AccessTokens, accessTokenSeconds } from "./sessions/AccessTokens.ts"
import { Authentication } from "./credentials/Authentication.ts"
import { makePasswordSignIn } from "./PasswordSignIn.ts"
import { RefreshGrace } from "./sessions/RefreshGrace.ts"
import { newRefreshToken } from "./sessions/RefreshToken.ts"
import { rotationOf } from "./sessions/Rotation.ts"
import { type LockedToken, refreshTokenLifetime } from "./sessions/Session.ts"
import { SessionRepository } from "./sessions/SessionRepository.ts"
import { CredentialCache } from "./credentials/CredentialCache.ts"
import { traced } from "../kernel/TracedFunction.ts"

export class Sessions extends Context.Service<Sessions>()("@livery/domain/Sessions", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const sessions = yield* SessionRepository
    const tokens = yield* AccessTokens
    const box = yield* SecretBox
    const cryptography = yield* Cryptography
    const authentication = yield* Authentication
    const credentials = yield* CredentialCache
    const setting = yield* RefreshGrace
    const writeAudit = yield* makeAuditTrail

    /** Rotates a locked token and returns its successor in full. */
    const rotate = Effect.fnUntraced(function* (
      token: LockedToken,
      tokenHash: string,
      now: DateTime.Utc,
      grace: Duration.Duration
    ) {
      const successor = yield* newRefreshToken(cryptography)
      yield* sessions.rotate({
        sessionId: token.sessionId,
        refreshTokenHash: tokenHash,
        successorHash: yield* cryptography.sha256(successor),
        sealedSuccessor: Duration.isZero(grace) ? null : yield* box.seal(successor),
        now,
        expiresAt: DateTime.min(DateTime.addDuration(now, refreshTokenLifetime), token.sessionExpiresAt)
      })
      return successor
    })

    const revokeReused = Effect.fnUntraced(function* ({ sessionId, userId }: LockedToken, now: DateTime.Utc) {
      yield* sessions.revoke(sessionId, now)
      yield* writeAudit(
        {
          actor: "anonymous",
          action: "session.revoked",
          subject: `user:${userId}`,
          after: { session_id: sessionId },
          reason: "A refresh token was used that had already been exchanged"
        },
        "warning"
      )
      yield* transaction.afterCommit(credentials.invalidateSession(sessionId))
    })

    /** The refresh token that replaces the one with that hash; undefined if the session has ended. */
    const successorOf = Effect.fnUntraced(function* (tokenHash: string, grace: Duration.Duration) {
      const locked = yield* sessions.lockByToken(tokenHash)
      if (Option.isNone(locked)) return undefined
      const token = locked.value
      const now = yield* DateTime.now
      switch (rotationOf(token, now, grace)) {
        case "ended":
          return undefined
        case "reuse":
          // A failure here would roll the revocation back.
          yield* revokeReused(token, now)
          return undefined
        case "repeat":
          return { token, refreshToken: yield* box.open(token.sealedSuccessor ?? "") }
        case "rotate":
          return { token, refreshToken: yield* rotate(token, tokenHash, now, grace) }
      }
    })

    /** Ends a session. Returns false if it had ended already. */
    const endSession = Effect.fnUntraced(function* (
      { sessionId, userId }: Pick<LockedToken, "sessionId" | "userId">,
      by: string
    ) {
      const isEnded = yield* sessions.revoke(sessionId, yield* DateTime.now)
      if (!isEnded) return false
      const actor = `user:${userId}`
      yield* writeAudit({
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
      const logged_out = yield* atomically(transaction, function* () {
        const locked = yield* sessions.lockByToken(tokenHash)
        return Option.isSome(locked) ? yield* endSession(locked.value, "refresh_token") : false
      })
      return { logged_out }
    })

    return {
      /**
       * A new session. A wrong email and a wrong password give the same error after the same time. `EmailUnverified`
       * requires the correct password.
       */
      login: yield* makePasswordSignIn,

      /**
       * Rotates a refresh token. `Unauthorized` for a token that is not valid. A token that was rotated before also
       * revokes its session; the revocation commits although the call fails. The grace period is the setting `RefreshGrace`, and at
       * least `leastGrace`.
       */
      refresh: traced("Sessions.refresh")(function* (
        refreshToken: Redacted.Redacted,
        leastGrace: Duration.Duration = Duration.zero
      ) {
        const tokenHash = yield* cryptography.sha256(Redacted.value(refreshToken))
        const successor = yield* transaction.run(successorOf(tokenHash, Duration.max(setting, leastGrace)))
        if (successor === undefined) return yield* new Unauthorized()
        const { sessionId, userId } = successor.token
        const accessToken = yield* tokens.issue({ userId, sessionId })
        return {
          token_type: "Bearer" as const,
          access_token: Redacted.value(accessToken),
          expires_in: accessTokenSeconds,
          refresh_token: successor.refreshToken
        }
      }),

      /**
       * Ends the session of a refresh token, which may be rotated or expired; `logged_out` is false if the session had
       * ended already or the token is unknown. Without a refresh token, it ends the session of the access token given
       * as bearer credential. `Forbidden` for an API key, `Unauthorized` without any credential.
       */
      logout: traced("Sessions.logout")(function* (by: {
        readonly refreshToken: Redacted.Redacted | undefined
        readonly credential: Redacted.Redacted | undefined
      }) {
        if (by.refreshToken !== undefined) return yield* logoutByToken(by.refreshToken)
        if (by.credential === undefined) return yield* new Unauthorized()
        const principal = yield* authentication.principal(by.credential)
        if (principal._tag !== "User")
          return yield* new Forbidden({ reason: "Sign out with a user access token or a refresh token" })
        const { sessionId, user } = principal
        const logged_out = yield* transaction.run(
          endSession({ sessionId, userId: user.user_id }, "access_token")
        )
        return { logged_out }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Sessions, Sessions.make)
}
