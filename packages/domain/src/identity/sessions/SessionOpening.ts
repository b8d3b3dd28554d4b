/** The last step of every kind of sign-in: opening a session with its first pair of tokens. */
import { DateTime, Effect, Redacted } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import type { SessionId } from "../../kernel/Ids.ts"
import { AccessTokens, accessTokenSeconds } from "./AccessTokens.ts"
import { newRefreshToken } from "./RefreshToken.ts"
import { type LoginResult, refreshTokenLifetime, sessionLifetime } from "./Session.ts"
import { SessionRepository } from "./SessionRepository.ts"
import type { User } from "../users/User.ts"

/** A new session, with its refresh token in full; only the token's hash is stored. */
export interface OpenedSession {
  readonly sessionId: SessionId
  readonly refreshToken: Redacted.Redacted
  readonly businesses: ReadonlyArray<ActingBusiness>
}

/**
 * - `open`: stores a session. Call it in a transaction.
 * - `result`: the login result. It signs an access token, which takes time: call it after the transaction.
 */
export const makeSessionOpening = Effect.gen(function* () {
  const sessions = yield* SessionRepository
  const tokens = yield* AccessTokens
  const cryptography = yield* Cryptography

  const open = Effect.fnUntraced(function* (
    { user_id }: User,
    deviceName: string | null
  ): Effect.fn.Return<OpenedSession> {
    const refreshToken = yield* newRefreshToken(cryptography)
    const now = yield* DateTime.now
    const sessionId = yield* sessions.open({
      userId: user_id,
      deviceName,
      refreshTokenHash: yield* cryptography.sha256(refreshToken),
      refreshTokenExpiresAt: DateTime.addDuration(now, refreshTokenLifetime),
      now,
      expiresAt: DateTime.addDuration(now, sessionLifetime)
    })
    const businesses = yield* sessions.businessesOf(user_id)
    return { sessionId, refreshToken: Redacted.make(refreshToken), businesses }
  })

  const result = Effect.fnUntraced(function* (
    user: User,
    { businesses, refreshToken, sessionId }: OpenedSession
  ): Effect.fn.Return<LoginResult> {
    const accessToken = yield* tokens.issue({ userId: user.user_id, sessionId })
    return {
      token_type: "Bearer",
      access_token: Redacted.value(accessToken),
      expires_in: accessTokenSeconds,
      refresh_token: Redacted.value(refreshToken),
      user: { id: user.user_id, email: user.email, account_type: user.account_type },
      businesses: businesses.map(({ business_id, business_name }) => ({ business_id, business_name }))
    }
  })

  return { open, result }
})
