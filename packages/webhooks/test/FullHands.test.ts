import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { arrange, ok } from "./Arrangement.ts"

/** Deliveries of which the first `hanging` are never answered, and the milliseconds at which looks and results came. */
const holding = (hanging: number) => {
  const arrangement = arrange((_, nth) => (nth <= hanging ? Effect.never : Effect.succeed(ok)))
  const [looks, results]: [Array<number>, Array<number>] = [[], []]
  const note = (times: Array<number>) => Effect.map(Clock.currentTimeMillis, (now) => void times.push(now))
  arrangement.state.beforeClaim = note(looks)
  arrangement.state.beforeRecord = note(results)
  arrangement.add(hanging)
  return { ...arrangement, looks, results }
}

const inHand = { concurrency: 4 }

describe("with at most half of its slots taken", () => {
  it.effect("a dispatcher looks at once when it is rung, and writes a result 4 ms after it came", () =>
    Effect.gen(function* () {
      const { add, looks, results, run } = holding(1)
      const { ring } = yield* run(inHand)
      yield* TestClock.adjust("20 millis")
      add()
      const rung = yield* Clock.currentTimeMillis
      yield* ring
      assert.strictEqual(looks.at(-1), rung)
      yield* TestClock.adjust("20 millis")
      assert.deepStrictEqual(results, [rung + 4])
    })
  )
})

describe("with more than half of its slots taken", () => {
  it.effect("a dispatcher waits 2 ms before it looks, and 8 ms for results to be written together", () =>
    Effect.gen(function* () {
      const { add, looks, results, run } = holding(3)
      const { ring } = yield* run(inHand)
      yield* TestClock.adjust("20 millis")
      add()
      const rung = yield* Clock.currentTimeMillis
      yield* ring
      yield* TestClock.adjust("1 millis")
      assert.isBelow(looks.at(-1) ?? 0, rung)
      yield* TestClock.adjust("20 millis")
      assert.include(looks, rung + 2)
      assert.deepStrictEqual(results, [rung + 2 + 8])
    })
  )
})
