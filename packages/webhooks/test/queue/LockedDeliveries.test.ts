import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Metric } from "effect"
import { TestClock } from "effect/testing"
import { busy, makeTestDispatcher, ok } from "../support/TestDispatcher.ts"

describe("a delivery that another transaction has locked", () => {
  it.effect("delays no other result, and its own is written once it is unlocked", () =>
    Effect.gen(function* () {
      const { add, posts, run, state, stored } = makeTestDispatcher(() => Effect.succeed(ok))
      let locked = [2]
      state.isLocked = (deliveryId) => locked.includes(deliveryId)
      add(3)
      yield* run()
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(
        stored.map(({ status }) => status),
        ["delivered", "pending", "delivered"]
      )
      locked = []
      yield* TestClock.adjust("300 millis")
      assert.deepStrictEqual(
        stored.map(({ attempt, status }) => [attempt, status]),
        [1, 2, 3].map(() => [1, "delivered"])
      )
      assert.lengthOf(posts, 3)
      assert.deepInclude(
        (yield* Metric.snapshot).find(({ id }) => id === "livery_webhook_attempts_total")?.state,
        { count: 3 }
      )
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("keeps its slot, and gives it back when its claim expires", () =>
    Effect.gen(function* () {
      const { add, failureLogs, posts, run, state } = makeTestDispatcher(() => Effect.succeed(busy))
      state.isLocked = () => true
      add(1)
      yield* run({ concurrency: 1 })
      add(1)
      yield* TestClock.adjust("80 seconds")
      assert.deepStrictEqual([posts.length, failureLogs.length], [1, 0])
      yield* TestClock.adjust("40 seconds")
      assert.isAbove(posts.length, 1)
      assert.deepInclude(failureLogs[0], { error: "http 503", status: "unknown", retry_in_s: null })
    })
  )

  it.effect("is released once it is unlocked, when the dispatcher ends", () =>
    Effect.gen(function* () {
      const { add, run, state } = makeTestDispatcher(() => Effect.succeed(ok))
      const claiming = yield* Deferred.make<void>()
      let locked = [2]
      state.isLocked = (deliveryId) => locked.includes(deliveryId)
      state.beforeClaim = Deferred.await(claiming)
      add(3)
      const { close } = yield* run()
      const closing = yield* Effect.forkChild(close)
      yield* TestClock.adjust(0)
      yield* Deferred.succeed(claiming, undefined)
      yield* TestClock.adjust("2 seconds")
      assert.lengthOf(state.released, 2)
      locked = []
      yield* TestClock.adjust("300 millis")
      yield* Fiber.join(closing)
      assert.lengthOf(state.released, 3)
    })
  )
})
