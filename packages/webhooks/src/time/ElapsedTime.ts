/** Measures elapsed time, including time for which the process or its machine was paused. */
import type { Clock } from "effect"

/** A moment, by the monotonic clock (`nanos`) and by the wall clock (`millis`). */
export interface Moment {
  readonly nanos: bigint
  readonly millis: number
}

export const momentNow = (clock: Clock.Clock): Moment => ({
  nanos: clock.monotonicTimeNanosUnsafe(),
  millis: clock.currentTimeMillisUnsafe()
})

/**
 * Seconds since a moment. The monotonic clock stops while a machine is suspended, and the wall clock can be set back,
 * so the longer of the two times is returned.
 */
export const secondsSince = (clock: Clock.Clock, { millis, nanos }: Moment): number =>
  Math.max(
    Number(clock.monotonicTimeNanosUnsafe() - nanos) / 1e9,
    (clock.currentTimeMillisUnsafe() - millis) / 1000
  )
