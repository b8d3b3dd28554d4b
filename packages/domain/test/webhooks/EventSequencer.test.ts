import { assert, describe, it } from "@effect/vitest"
import { EventPositions, EventSequencer, WorkNotifier } from "@livery/domain"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

/** A sequencer whose batches end as `answers` say, then with `"all"`, and the milliseconds at which it assigned. */
const runSequencer = Effect.fnUntraced(function* (answers: Array<"all" | "some" | "busy" | "failing"> = []) {
  const times: Array<number> = []
  const positions = EventPositions.of({
    assign: Effect.gen(function* () {
      times.push(yield* Clock.currentTimeMillis)
      const answer = answers.shift() ?? "all"
      return answer === "failing" ? yield* Effect.die(new Error("terminating connection")) : answer
    }),
    lag: Effect.succeed({ events: 0, oldestSeconds: 0 })
  })
  const context = yield* Layer.build(
    EventSequencer.layer.pipe(
      Layer.provide(Layer.succeed(EventPositions, positions)),
      Layer.provideMerge(WorkNotifier.layer)
    )
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
  it.effect("assigns a quarter of a second after a notification, once for all of that time", () =>
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
