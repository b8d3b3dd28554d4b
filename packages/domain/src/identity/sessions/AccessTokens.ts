/** The port for access tokens: short-lived signed tokens, each for one session of one user. */
import { Context, type Effect, type Redacted } from "effect"
import type { Unauthorized } from "../../kernel/Errors.ts"
import type { SessionId, UserId } from "../../kernel/Ids.ts"

/** The lifetime of an access token, in seconds. */
export const accessTokenSeconds = 900

/** The user and the session of a token: its claims `sub` and `sid`. */
export interface AccessTokenClaims {
  readonly userId: UserId
  readonly sessionId: SessionId
}

/** The claims of a valid token, and when it expires: `exp`, in Unix seconds. */
export interface VerifiedToken extends AccessTokenClaims {
  readonly expiresAt: number
}

/**
 * - `issue`: a signed token that expires {@link accessTokenSeconds} from now, by `Clock`.
 * - `verify`: the claims of a token that this installation issued as an access token and that has not expired, else
 *   `Unauthorized`. A valid token does not mean that its session is still active.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly issue: (claims: AccessTokenClaims) => Effect.Effect<Redacted.Redacted>
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<VerifiedToken, Unauthorized>
  }
>()("@livery/domain/AccessTokens") {}
