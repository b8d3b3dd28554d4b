/** The setting for the grace period of rotated refresh tokens. */
import { Context, Duration } from "effect"

/**
 * How long after its rotation the previous token is still accepted, for a client that lost the response. The client
 * then gets the same successor again. Zero by default: every reuse revokes the session.
 */
export const RefreshGrace = Context.Reference<Duration.Duration>("@livery/domain/RefreshGrace", {
  defaultValue: () => Duration.zero
})
