/** Time for pauses, limits of waits and lifetimes in one process. */
import { Clock, Effect } from "effect"

/**
 * The milliseconds of the monotonic clock of this process, since an arbitrary moment. Setting the machine's clock does not
 * change it: by the wall clock, a pause of seconds would last an hour longer after the clock was set back by an hour.
 */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos) / 1e6
)
