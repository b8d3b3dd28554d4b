import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makePace } from "../src/Pace.ts"

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

/** Two abreast, and young for 20 milliseconds. */
const arrange = Effect.gen(function* () {
  const begun: Array<number> = []
  const pace = yield* makePace<number>({
    abreast: 2,
    youth: Duration.millis(20),
    begin: (item) => begun.push(item)
  })
  return { begun, pace }
})

describe("a pace", () => {
  it.effect("lets begin at once what there is room for, in order", () =>
    Effect.gen(function* () {
      const { begun, pace } = yield* arrange
      pace.line([1])
      pace.line([2, 3])
      pace.line([4])
      assert.deepStrictEqual(begun, [1, 2])
    })
  )

  it.effect("lets the next begin the moment that one is over", () =>
    Effect.gen(function* () {
      const { begun, pace } = yield* arrange
      pace.line(numbers(1, 5))
      pace.over(2)
      assert.deepStrictEqual(begun, [1, 2, 3])
      pace.over(1)
      pace.over(3)
      assert.deepStrictEqual(begun, [1, 2, 3, 4, 5])
    })
  )

  it.effect("who does not end keeps nobody waiting: it ceases to count", () =>
    Effect.gen(function* () {
      const { begun, pace } = yield* arrange
      pace.line(numbers(1, 100))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(begun, numbers(1, 100))
    })
  )

  it.effect("lets begin the moment that who is in the way has grown old, whenever one came to wait", () =>
    Effect.gen(function* () {
      const { begun, pace } = yield* arrange
      pace.line([1, 2])
      yield* TestClock.adjust("15 millis")
      pace.line([3, 4])
      yield* TestClock.adjust("4 millis")
      assert.deepStrictEqual(begun, [1, 2])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(begun, [1, 2, 3, 4])
    })
  )

  it.effect("makes room once for each: not again for what is over after it had ceased to count", () =>
    Effect.gen(function* () {
      const { begun, pace } = yield* arrange
      pace.line(numbers(1, 6))
      yield* TestClock.adjust("20 millis")
      assert.deepStrictEqual(begun, [1, 2, 3, 4])
      pace.over(1)
      pace.over(2)
      assert.deepStrictEqual(begun, [1, 2, 3, 4])
      pace.over(3)
      assert.deepStrictEqual(begun, [1, 2, 3, 4, 5])
    })
  )

  it.effect("holds for what is over before it has returned, however much there is of it", () =>
    Effect.gen(function* () {
      const begun: Array<number> = []
      const pace = yield* makePace<number>({
        abreast: 2,
        youth: Duration.millis(20),
        begin: (item) => {
          begun.push(item)
          pace.over(item)
        }
      })
      pace.line(numbers(1, 50_000))
      assert.deepStrictEqual(begun, numbers(1, 50_000))
    })
  )

  it.effect("goes on after one that could not begin", () =>
    Effect.gen(function* () {
      const begun: Array<number> = []
      const pace = yield* makePace<number>({
        abreast: 2,
        youth: Duration.millis(20),
        begin: (item) => {
          if (item === 1) throw new Error("cannot begin")
          begun.push(item)
        }
      })
      assert.throws(() => pace.line([1]))
      pace.line([2])
      assert.deepStrictEqual(begun, [2])
    })
  )

  it.effect("closed, gives what has not begun, and lets nothing more begin", () =>
    Effect.gen(function* () {
      const { begun, pace } = yield* arrange
      pace.line(numbers(1, 4))
      assert.deepStrictEqual(pace.close(), [3, 4])
      pace.over(1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(begun, [1, 2])
    })
  )
})
