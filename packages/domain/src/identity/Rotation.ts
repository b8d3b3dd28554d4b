/**
 * What becomes of a refresh token that is presented (specification, Authentication, rule 7), as a total function:
 *
 *     the family is revoked or over      → over
 *     the token was rotated, in the grace → repeat: the same successor once more
 *     the token was rotated               → theft:  the whole family goes
 *     the token has expired               → over
 *     else                                → rotate
 *
 * Whether a token was rotated is read from its own row, never told from times: of two tokens that were issued in
 * one millisecond, each is still itself.
 */
import { DateTime, Duration } from "effect"
import type { HeldToken } from "./Session.ts"

export type Verdict = "rotate" | "repeat" | "theft" | "over"

/** The verdict on a held token at `now`, with a grace of that length. */
export const verdictOn = (token: HeldToken, now: DateTime.Utc, grace: Duration.Duration): Verdict => {
  if (token.revoked || !DateTime.isLessThan(now, token.sessionExpiresAt)) return "over"
  if (token.rotatedAt !== null) {
    const forgiven =
      token.sealedSuccessor !== null &&
      !Duration.isZero(grace) &&
      DateTime.isLessThan(now, DateTime.addDuration(token.rotatedAt, grace))
    return forgiven ? "repeat" : "theft"
  }
  return DateTime.isLessThan(now, token.expiresAt) ? "rotate" : "over"
}
