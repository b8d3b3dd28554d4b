/** The port behind the rate limits: how often something was counted in the current minute. */
import { Clock, Context, Effect, Layer, Schema } from "effect"

/** How long a window is, in seconds. It begins and ends with a minute of the counter's clock. */
export const windowSeconds = 60

/** How often a key was counted in its window, this time included, and when that window ends, in Unix seconds. */
export interface WindowCount {
  readonly used: number
  readonly resetsAt: number
}

/** The counters do not answer. Whether that lets a caller through or not is the limit's to say. */
export class CountersAway extends Schema.TaggedError<CountersAway>()("CountersAway", {
  reason: Schema.String
}) {
  override get message() {
    return `The rate counters do not answer: ${this.reason}`
  }
}

/**
 * - `count`: counts one more for the key. Of any number that count it in one window, on whatever node, each gets
 *   a number of its own, from 1 up and without a gap. One that cannot be had soon fails; the next may try again.
 */
export class RateCounters extends Context.Service<
  RateCounters,
  { readonly count: (key: string) => Effect.Effect<WindowCount, CountersAway> }
>()("@livery/domain/RateCounters") {
  /** In this process, by `Clock`: for one node. */
  static readonly layerMemory = Layer.sync(RateCounters, () => {
    let window = -1
    const counts = new Map<string, number>()
    return RateCounters.of({
      count: (key) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const current = Math.floor(now / 1000 / windowSeconds)
          if (current !== window) {
            window = current
            counts.clear()
          }
          const used = (counts.get(key) ?? 0) + 1
          counts.set(key, used)
          return { used, resetsAt: (current + 1) * windowSeconds }
        })
    })
  })
}
