/** Time for pauses, limits of waits and lifetimes within one process. */
import { Clock, Effect } from "effect"

/**
 * The milliseconds of the monotonic clock of this process, since an arbitrary moment. Setting the machine's clock does not
 * change it. By the wall clock, a pause of seconds would last an hour longer after the clock was set back by an hour.
 */
export const monotonicMillisOf = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000

/** {@link monotonicMillisOf} of the current clock. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(Clock.Clock, monotonicMillisOf)
