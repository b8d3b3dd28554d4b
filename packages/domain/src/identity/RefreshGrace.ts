/** The setting for the grace period of rotated refresh tokens. */
import { Context, Duration } from "effect"

/**
 * How long after its rotation the previous token may be presented again, by a client that lost the response. It then
 * receives the same successor. By default zero: every reuse revokes the session.
 */
export const RefreshGrace = Context.Reference<Duration.Duration>("@livery/domain/RefreshGrace", {
  defaultValue: () => Duration.zero
})
