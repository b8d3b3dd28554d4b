/** The port behind the rate limits: counts requests in fixed windows of one minute. */
import { Clock, Context, Effect, Layer } from "effect"

/** The length of a window, in seconds. It begins and ends with a minute of the counters' clock. */
export const windowSeconds = 60

/** How often a key was counted in its window, including this time, and when that window ends, in Unix seconds. */
export interface WindowCount {
  readonly used: number
  readonly resetsAt: number
}

/**
 * Each request of a key gets a number in its window, which is unique across nodes. The request is allowed if its number
 * is at most the key's limit. On a single node, the numbers start at 1 and have no gap.
 *
 * - `count`: counts one request of the key, with that limit.
 * - `countNow`: the same without waiting; `undefined`, with nothing counted, if it would have to wait.
 * - `isUnavailable`: whether the store that several nodes share has not responded for some seconds. Each node counts on its
 *   own during that time.
 * - `probe`: sends a request to the shared store, so that `isUnavailable` is also correct on an idle node.
 */
export class RateCounters extends Context.Service<
  RateCounters,
  {
    readonly count: (key: string, limit: number) => Effect.Effect<WindowCount>
    readonly countNow: (key: string, limit: number) => WindowCount | undefined
    readonly isUnavailable: () => boolean
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
        isUnavailable: () => false,
        probe: Effect.void
      })
    })
  )
}
