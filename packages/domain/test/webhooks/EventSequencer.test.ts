import { assert, describe, it } from "@effect/vitest"
import { EventPositions, EventSequencer, WorkNotifier } from "@livery/domain"
import { Memory } from "@livery/memory"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

/**
 * A sequencer over the positions in memory, and the milliseconds at which it assigned. Its batches end as `faults` say;
 * after them all events have positions.
 */
const runSequencer = Effect.fnUntraced(function* (faults: Array<"some" | "busy" | "failing"> = []) {
  const times: Array<number> = []
  const Observed = Layer.effect(
    EventPositions,
    Effect.map(EventPositions, (positions) =>
      EventPositions.of({
        ...positions,
        assign: Effect.gen(function* () {
          times.push(yield* Clock.currentTimeMillis)
          const fault = faults.shift()
          if (fault === undefined) return yield* positions.assign
          return fault === "failing" ? yield* Effect.die(new Error("terminating connection")) : fault
        })
      })
    )
  )
  const context = yield* Layer.build(
    EventSequencer.layer.pipe(Layer.provide(Observed), Layer.provideMerge(Memory.layer))
  )
  yield* TestClock.adjust(0)
  return {
    times,
    notify: Effect.provideContext(
      WorkNotifier.use((it) => it.notify("events")),
      context
    )
  }
})

describe("the event sequencer", () => {
  it.effect("assigns a quarter of a second after a notification, once for all events of that time", () =>
    Effect.gen(function* () {
      const { notify, times } = yield* runSequencer()
      yield* TestClock.adjust("1 second")
      yield* notify
      yield* TestClock.adjust("100 millis")
      yield* notify
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(times.slice(0, 2), [0, 1250])
      assert.isAtMost(times.length, 3)
    })
  )

  it.effect("assigns within six seconds when no notification comes, and about five times a half minute", () =>
    Effect.gen(function* () {
      const { times } = yield* runSequencer()
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(times, [0, 5250, 10_500, 15_750, 21_000, 26_250])
    })
  )

  it.effect("continues at once while there are more, and soon while another process is assigning", () =>
    Effect.gen(function* () {
      const { times } = yield* runSequencer(["some", "some", "busy"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(times, [0, 0, 0, 50])
    })
  )

  it.effect("tries again two seconds after a failure", () =>
    Effect.gen(function* () {
      const { times } = yield* runSequencer(["failing"])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(times, [0, 2000])
    })
  )
})
