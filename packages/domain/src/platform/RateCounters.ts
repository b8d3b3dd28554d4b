/** The port behind the rate limits: counts requests in fixed windows of one minute. */
import { Clock, Context, Effect, Layer } from "effect"

/** The length of a window, in seconds. It begins and ends with a minute of the counters' clock. */
export const windowSeconds = 60

/** How often a key was counted in its window, this time included, and when that window ends, in Unix seconds. */
export interface WindowCount {
  readonly used: number
  readonly resetsAt: number
}

/**
 * Each request of a key gets a number of its own in each window, on whatever node; it is allowed if its number is at
 * most the key's limit. The numbers of one node begin at 1 and have no gap.
 *
 * - `count`: counts one more for the key, with that limit.
 * - `countNow`: the same at once; `undefined` if it would have to wait, and nothing was counted.
 * - `isAway`: whether the store that several nodes share has not answered for some seconds. Each node counts for itself
 *   meanwhile.
 * - `probe`: asks the store that several nodes share to answer, so that `isAway` is true of a quiet node too.
 */
export class RateCounters extends Context.Service<
  RateCounters,
  {
    readonly count: (key: string, limit: number) => Effect.Effect<WindowCount>
    readonly countNow: (key: string, limit: number) => WindowCount | undefined
    readonly isAway: () => boolean
    readonly probe: Effect.Effect<void>
  }
>()("@livery/domain/RateCounters") {
  /** In this process, by `Clock`: for one node. */
  static readonly layerMemory = Layer.effect(
    RateCounters,
    Effect.map(Clock.clockWith(Effect.succeed), (clock) => {
      let window = -1
      const counts = new Map<string, number>()
      const countNow = (key: string) => {
        const current = Math.floor(clock.currentTimeMillisUnsafe() / 1000 / windowSeconds)
        if (current !== window) {
          window = current
          counts.clear()
        }
        const used = (counts.get(key) ?? 0) + 1
        counts.set(key, used)
        return { used, resetsAt: (current + 1) * windowSeconds }
      }
      return RateCounters.of({
        count: (key) => Effect.sync(() => countNow(key)),
        countNow,
        isAway: () => false,
        probe: Effect.void
      })
    })
  )
}
