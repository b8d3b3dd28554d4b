/** The port for access tokens: short-lived, signed, and about one session of one user. */
import { Context, type Effect, type Redacted } from "effect"
import type { Unauthorized } from "../kernel/Errors.ts"
import type { SessionId, UserId } from "../kernel/Ids.ts"

/** How long an access token lives, in seconds (specification, Limits). */
export const accessTokenSeconds = 900

/** Whose a token is: `sub` and `sid`. */
export interface AccessTokenClaims {
  readonly userId: UserId
  readonly sessionId: SessionId
}

/**
 * - `issue`: a signed token that expires {@link accessTokenSeconds} from now, by `Clock`.
 * - `verify`: the claims of a token that this installation issued as an access token and that has not expired;
 *   for anything else `Unauthorized`. Whether its session still stands is not the token's to know.
 */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    readonly issue: (claims: AccessTokenClaims) => Effect.Effect<Redacted.Redacted>
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<AccessTokenClaims, Unauthorized>
  }
>()("@livery/domain/AccessTokens") {}
