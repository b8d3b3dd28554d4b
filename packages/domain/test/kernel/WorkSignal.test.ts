import { assert, describe, it } from "@effect/vitest"
import { WorkSignal } from "@livery/domain"
import { Clock, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const fiveSeconds = Duration.seconds(5)
const heardAt = Effect.gen(function* () {
  yield* WorkSignal.use((it) => it.heard("mail", fiveSeconds))
  return yield* Clock.currentTimeMillis
})
const ring = WorkSignal.use((it) => it.ring("mail"))

describe("WorkSignal", () => {
  it.effect("wakes who waits, at once", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(heardAt)
      yield* TestClock.adjust("1 second")
      yield* ring
      assert.strictEqual(yield* Fiber.join(waiting), 1000)
    }).pipe(Effect.provide(WorkSignal.layer))
  )

  it.effect("a ring while nobody listens is heard by the next who does, once", () =>
    Effect.gen(function* () {
      yield* ring
      yield* ring
      assert.strictEqual(yield* heardAt, 0)
      const waiting = yield* Effect.forkChild(heardAt)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(waiting), 5000)
    }).pipe(Effect.provide(WorkSignal.layer))
  )

  it.effect("nobody waits longer than told, and a queue hears no other's bell", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(heardAt)
      yield* WorkSignal.use((it) => it.ring("deliveries"))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(waiting), 5000)
    }).pipe(Effect.provide(WorkSignal.layer))
  )
})
