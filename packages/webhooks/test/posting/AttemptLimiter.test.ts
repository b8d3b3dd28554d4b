import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeAttemptLimiter } from "../../src/posting/AttemptLimiter.ts"

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

/** At most two recent attempts; they count for 20 milliseconds. */
const limiterOfTwo = Effect.gen(function* () {
  const started: Array<number> = []
  const limiter = yield* makeAttemptLimiter<number>({
    maxRecent: 2,
    recentFor: Duration.millis(20),
    start: (item) => started.push(item)
  })
  return { started, limiter }
})

describe("the attempt limiter", () => {
  it.effect("starts at once the items that there is room for, in order", () =>
    Effect.gen(function* () {
      const { started, limiter } = yield* limiterOfTwo
      limiter.enqueue([1])
      limiter.enqueue([2, 3])
      limiter.enqueue([4])
      assert.deepStrictEqual(started, [1, 2])
    })
  )

  it.effect("starts the next when one has ended", () =>
    Effect.gen(function* () {
      const { started, limiter } = yield* limiterOfTwo
      limiter.enqueue(numbers(1, 5))
      limiter.ended(2)
      assert.deepStrictEqual(started, [1, 2, 3])
      limiter.ended(1)
      limiter.ended(3)
      assert.deepStrictEqual(started, [1, 2, 3, 4, 5])
    })
  )

  it.effect("starts the others when none ends, since old ones stop counting", () =>
    Effect.gen(function* () {
      const { started, limiter } = yield* limiterOfTwo
      limiter.enqueue(numbers(1, 100))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(started, numbers(1, 100))
    })
  )

  it.effect(
    "starts waiting items at the moment when the recent ones stop counting, whenever they were added",
    () =>
      Effect.gen(function* () {
        const { started, limiter } = yield* limiterOfTwo
        limiter.enqueue([1, 2])
        yield* TestClock.adjust("15 millis")
        limiter.enqueue([3, 4])
        yield* TestClock.adjust("4 millis")
        assert.deepStrictEqual(started, [1, 2])
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(started, [1, 2, 3, 4])
      })
  )

  it.effect("makes room once for each item, not again when one ends after it had stopped counting", () =>
    Effect.gen(function* () {
      const { started, limiter } = yield* limiterOfTwo
      limiter.enqueue(numbers(1, 6))
      yield* TestClock.adjust("20 millis")
      assert.deepStrictEqual(started, [1, 2, 3, 4])
      limiter.ended(1)
      limiter.ended(2)
      assert.deepStrictEqual(started, [1, 2, 3, 4])
      limiter.ended(3)
      assert.deepStrictEqual(started, [1, 2, 3, 4, 5])
    })
  )

  it.effect("allows items that end before `start` returns, however many there are", () =>
    Effect.gen(function* () {
      const started: Array<number> = []
      const limiter = yield* makeAttemptLimiter<number>({
        maxRecent: 2,
        recentFor: Duration.millis(20),
        start: (item) => {
          started.push(item)
          limiter.ended(item)
        }
      })
      limiter.enqueue(numbers(1, 50_000))
      assert.deepStrictEqual(started, numbers(1, 50_000))
    })
  )

  it.effect("goes on after an item whose start throws", () =>
    Effect.gen(function* () {
      const started: Array<number> = []
      const limiter = yield* makeAttemptLimiter<number>({
        maxRecent: 2,
        recentFor: Duration.millis(20),
        start: (item) => {
          if (item === 1) throw new Error("cannot start")
          started.push(item)
        }
      })
      assert.throws(() => limiter.enqueue([1]))
      limiter.enqueue([2])
      assert.deepStrictEqual(started, [2])
    })
  )

  it.effect("returns the items that were not started when it is closed, and starts no more", () =>
    Effect.gen(function* () {
      const { started, limiter } = yield* limiterOfTwo
      limiter.enqueue(numbers(1, 4))
      assert.deepStrictEqual(limiter.close(), [3, 4])
      limiter.ended(1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(started, [1, 2])
    })
  )
})
