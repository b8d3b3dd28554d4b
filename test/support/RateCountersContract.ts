import { type RateCounters, windowSeconds } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"

const countsOf = (counters: RateCounters["Service"], key: string, times: number) =>
  Effect.all(
    Array.from({ length: times }, () => counters.count(key)),
    { concurrency: "unbounded" }
  )

/** The contract of every implementation of `RateCounters`. Several nodes may count at the same time. */
export const rateCountersContract = {
  /** Concurrent counts of one key, on all nodes, return distinct numbers: from 1 up, without a gap. */
  exact: Effect.fnUntraced(function* (key: string, nodes: ReadonlyArray<RateCounters["Service"]>) {
    const counted = yield* Effect.forEach(nodes, (counters) => countsOf(counters, key, 100), {
      concurrency: "unbounded"
    })
    const windows = Map.groupBy(counted.flat(), ({ resetsAt }) => resetsAt)
    // With a real clock, a minute may end meanwhile.
    assert.isAtMost(windows.size, 2)
    for (const window of windows.values())
      assert.deepStrictEqual(
        window.map(({ used }) => used).sort((one, other) => one - other),
        window.map((_, index) => index + 1)
      )
  }),

  /** A window ends with a minute of the clock, at most a minute from now. */
  ends: Effect.fnUntraced(function* (key: string, counters: RateCounters["Service"], now: number) {
    const { resetsAt } = yield* counters.count(key)
    assert.strictEqual(resetsAt % windowSeconds, 0)
    assert.isAbove(resetsAt, now - 2)
    assert.isAtMost(resetsAt, now + windowSeconds + 2)
  }),

  /** Each key has its own count. */
  apart: Effect.fnUntraced(function* (key: string, counters: RateCounters["Service"]) {
    yield* countsOf(counters, key, 5)
    const { used } = yield* counters.count(`${key} of another`)
    assert.strictEqual(used, 1)
  })
}
