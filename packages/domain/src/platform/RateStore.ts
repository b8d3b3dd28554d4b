/** The port of the store in which several nodes share rate counters. */
import { Context, type Effect, Schema } from "effect"

/** A key, and how many numbers to take of it. */
export interface Demand {
  readonly key: string
  readonly count: number
}

/**
 * What was taken in the window of the store's clock.
 *
 * - `used`: for each demand, in its order: how many numbers of the key are taken, these included. They are the last ones.
 * - `resetsAt`: when the window ends, in Unix seconds.
 * - `remainingMillis`: how long the window lasts from now on, since the clocks of nodes may differ from the store's.
 */
export interface Taken {
  readonly used: ReadonlyArray<number>
  readonly resetsAt: number
  readonly remainingMillis: number
}

/** The store failed, or did not answer in time. */
export class CountersAway extends Schema.TaggedError<CountersAway>()("CountersAway", {
  reason: Schema.String
}) {
  override get message() {
    return `The rate counters do not answer: ${this.reason}`
  }
}

/**
 * - `take`: takes numbers of each key, in one step. Numbers of a key begin at 1 in each window and are given once, on
 *   whatever node, without a gap. Without a demand, it only asks the store to answer.
 */
export class RateStore extends Context.Service<
  RateStore,
  { readonly take: (demands: ReadonlyArray<Demand>) => Effect.Effect<Taken, CountersAway> }
>()("@livery/domain/RateStore") {}
