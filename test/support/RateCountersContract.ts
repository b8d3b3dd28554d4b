import { RateCounters, RateStore, SharedRateCounters, windowSeconds } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"

/** A limit that no test reaches. */
const plenty = 1_000_000

const countsOf = (counters: RateCounters["Service"], key: string, times: number, limit = plenty) =>
  Effect.all(
    Array.from({ length: times }, () => counters.count(key, limit)),
    { concurrency: "unbounded" }
  )

/** The contract of every implementation of `RateCounters`. */
export const rateCountersContract = {
  /** Concurrent counts of one key, on one node, return distinct numbers: from 1 up, without a gap. */
  exact: Effect.fnUntraced(function* (key: string, counters: RateCounters["Service"]) {
    const counted = [...(yield* countsOf(counters, key, 100)), ...(yield* countsOf(counters, key, 100))]
    const windows = Map.groupBy(counted, ({ resetsAt }) => resetsAt)
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
    const { resetsAt } = yield* counters.count(key, plenty)
    assert.strictEqual(resetsAt % windowSeconds, 0)
    assert.isAbove(resetsAt, now - 2)
    assert.isAtMost(resetsAt, now + windowSeconds + 2)
  }),

  /** Each key has its own count. */
  apart: Effect.fnUntraced(function* (key: string, counters: RateCounters["Service"]) {
    yield* countsOf(counters, key, 5)
    const { used } = yield* counters.count(`${key} of another`, plenty)
    assert.strictEqual(used, 1)
  })
}

/** Rate counters over a store, as on a node. */
export const countersOver = (store: RateStore["Service"]) =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provide(SharedRateCounters.layer, Layer.succeed(RateStore, store)))),
    (built) => Effect.runSync(Effect.provideContext(RateCounters, built))
  )

/** The contract of every implementation of `RateStore`. Several nodes may take at the same time. */
export const rateStoreContract = {
  /** Blocks taken at the same time on all nodes do not overlap and leave no gap. */
  disjoint: Effect.fnUntraced(function* (key: string, nodes: ReadonlyArray<RateStore["Service"]>) {
    const taken = yield* Effect.forEach(
      nodes.flatMap((node) => Array.from({ length: 50 }, (_, index) => ({ node, count: 1 + (index % 3) }))),
      ({ count, node }) =>
        Effect.map(node.take([{ key, count }]), ({ resetsAt, used }) => ({
          resetsAt,
          numbers: Array.from({ length: count }, (_, index) => (used[0] ?? 0) - index)
        })),
      { concurrency: "unbounded" }
    )
    const windows = Map.groupBy(taken, ({ resetsAt }) => resetsAt)
    assert.isAtMost(windows.size, 2)
    for (const window of windows.values()) {
      const numbers = window.flatMap(({ numbers: block }) => block).sort((one, other) => one - other)
      assert.deepStrictEqual(
        numbers,
        numbers.map((_, index) => index + 1)
      )
    }
  }),

  /** Keys are taken together and counted apart, in the order of the demands, and an empty demand is answered too. */
  together: Effect.fnUntraced(function* (key: string, node: RateStore["Service"]) {
    const [b, a] = [`${key} b`, `${key} a`]
    const first = yield* node.take([
      { key: b, count: 3 },
      { key: a, count: 5 }
    ])
    const second = yield* node.take([
      { key: a, count: 1 },
      { key: b, count: 1 }
    ])
    assert.deepStrictEqual(first.used, [3, 5])
    assert.isTrue(first.resetsAt !== second.resetsAt || (second.used[0] === 6 && second.used[1] === 4))
    for (const { remainingMillis } of [first, second]) {
      assert.isAtLeast(remainingMillis, 0)
      assert.isAtMost(remainingMillis, windowSeconds * 1000)
    }
    assert.deepStrictEqual((yield* node.take([])).used, [])
  })
}
