import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeTestDispatcher, ok } from "../support/TestDispatcher.ts"

/** Deliveries of which the first `hanging` are never answered, and the milliseconds of claims and writes. */
const withHanging = (hanging: number) => {
  const dispatcher = makeTestDispatcher((_, nth) => (nth <= hanging ? Effect.never : Effect.succeed(ok)))
  const [claims, writes]: [Array<number>, Array<number>] = [[], []]
  const note = (times: Array<number>) => Effect.map(Clock.currentTimeMillis, (now) => void times.push(now))
  dispatcher.state.beforeClaim = note(claims)
  dispatcher.state.beforeRecord = note(writes)
  dispatcher.add(hanging)
  return { ...dispatcher, claims, writes }
}

const fourSlots = { concurrency: 4 }

describe("a notification is followed by a claim at once, and a result is written", () => {
  for (const [title, hanging, delay] of [
    ["4 ms after it came, with at most half of the slots taken", 1, 4],
    ["8 ms after it came, with more than half of the slots taken", 3, 8]
  ] as const)
    it.effect(title, () =>
      Effect.gen(function* () {
        const { add, claims, run, writes } = withHanging(hanging)
        const { notify } = yield* run(fourSlots)
        yield* TestClock.adjust("20 millis")
        add()
        const notifiedAt = yield* Clock.currentTimeMillis
        yield* notify
        assert.strictEqual(claims.at(-1), notifiedAt)
        yield* TestClock.adjust("20 millis")
        assert.deepStrictEqual(writes, [notifiedAt + delay])
      })
    )
})
