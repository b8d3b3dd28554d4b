/** The port of the store in which several nodes share rate counters. */
import { Context, type Effect, Schema } from "effect"

/** A key, and the number of counts to take for it. */
export interface Demand {
  readonly key: string
  readonly count: number
}

/**
 * The result of taking numbers, in the window of the store's clock.
 *
 * - `used`: for each demand, in order, how many numbers of the key are taken so far. The demand got the last of them.
 * - `resetsAt`: when the window ends, in Unix seconds.
 * - `remainingMillis`: the time until the window ends, because the clocks of nodes may differ from the store's.
 */
export interface Taken {
  readonly used: ReadonlyArray<number>
  readonly resetsAt: number
  readonly remainingMillis: number
}

/** The store failed, or did not respond in time. */
export class CountersUnavailable extends Schema.TaggedError<CountersUnavailable>()("CountersUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return `The rate counters do not respond: ${this.reason}`
  }
}

/**
 * - `take`: takes numbers of each key in one atomic step. In each window, the numbers of a key start at 1, have no gap,
 *   and are each taken once across all nodes. Without a demand, it only checks that the store responds.
 */
export class RateStore extends Context.Service<
  RateStore,
  { readonly take: (demands: ReadonlyArray<Demand>) => Effect.Effect<Taken, CountersUnavailable> }
>()("@livery/domain/RateStore") {}
