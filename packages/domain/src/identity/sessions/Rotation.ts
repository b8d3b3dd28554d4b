/**
 * The decision on a refresh token that a client presents, as a total function (docs/api/authentication.md):
 *
 *     the family is revoked or has expired           → ended
 *     the token was rotated within the grace period  → repeat: return the same successor again
 *     the token was rotated earlier                  → reuse:  revoke the whole family
 *     the token has expired                          → ended
 *     otherwise                                      → rotate
 *
 * The token's own row says whether it was rotated. Times cannot say that: two tokens may be issued in one millisecond.
 */
import { DateTime, Duration } from "effect"
import type { LockedToken } from "./Session.ts"

/** A decision on a refresh token. */
export type Rotation = "rotate" | "repeat" | "reuse" | "ended"

/** The decision on a locked token at `now`, with a grace period of that length. */
export const rotationOf = (token: LockedToken, now: DateTime.Utc, grace: Duration.Duration): Rotation => {
  if (token.revoked || !DateTime.isLessThan(now, token.sessionExpiresAt)) return "ended"
  if (token.rotatedAt !== null) {
    const isWithinGrace =
      token.sealedSuccessor !== null &&
      !Duration.isZero(grace) &&
      DateTime.isLessThan(now, DateTime.addDuration(token.rotatedAt, grace))
    return isWithinGrace ? "repeat" : "reuse"
  }
  return DateTime.isLessThan(now, token.expiresAt) ? "rotate" : "ended"
}
