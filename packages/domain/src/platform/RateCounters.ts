/** The port behind the rate limits: counts requests in fixed windows of one minute. */
import { Clock, Context, Effect, Layer, Schema } from "effect"

/** The length of a window, in seconds. It begins and ends with a minute of the counters' clock. */
export const windowSeconds = 60

/** How often a key was counted in its window, this time included, and when that window ends, in Unix seconds. */
export interface WindowCount {
  readonly used: number
  readonly resetsAt: number
}

/** The counters are unavailable. Each limit decides whether its callers pass meanwhile. */
export class CountersAway extends Schema.TaggedError<CountersAway>()("CountersAway", {
  reason: Schema.String
}) {
  override get message() {
    return `The rate counters do not answer: ${this.reason}`
  }
}

/**
 * - `count`: counts one more for the key. Of any number of requests in one window, on whatever node, each gets
 *   a number of its own, from 1 up and without a gap. Fails if the counters do not answer soon.
 * - `countNow`: the same at once, for counters that need not wait; `undefined` if nothing was counted.
 */
export class RateCounters extends Context.Service<
  RateCounters,
  {
    readonly count: (key: string) => Effect.Effect<WindowCount, CountersAway>
    readonly countNow: (key: string) => WindowCount | undefined
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
      return RateCounters.of({ count: (key) => Effect.sync(() => countNow(key)), countNow })
    })
  )
}
