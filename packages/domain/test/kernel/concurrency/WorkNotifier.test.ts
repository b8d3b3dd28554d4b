import { assert, describe, it } from "@effect/vitest"
import { WorkNotifier } from "@livery/domain"
import { Clock, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const fiveSeconds = Duration.seconds(5)
const returnedAt = Effect.gen(function* () {
  yield* WorkNotifier.use((it) => it.wait("mail", fiveSeconds))
  return yield* Clock.currentTimeMillis
})
const notify = WorkNotifier.use((it) => it.notify("mail"))

describe("WorkNotifier", () => {
  it.effect("wakes a waiting worker at once", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(returnedAt)
      yield* TestClock.adjust("1 second")
      yield* notify
      assert.strictEqual(yield* Fiber.join(waiting), 1000)
    }).pipe(Effect.provide(WorkNotifier.layer))
  )

  it.effect("keeps notifications for the next wait, which takes them all", () =>
    Effect.gen(function* () {
      yield* notify
      yield* notify
      assert.strictEqual(yield* returnedAt, 0)
      const waiting = yield* Effect.forkChild(returnedAt)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(waiting), 5000)
    }).pipe(Effect.provide(WorkNotifier.layer))
  )

  it.effect("ends a wait after the given time, and does not wake the worker of another queue", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(returnedAt)
      yield* WorkNotifier.use((it) => it.notify("deliveries"))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(waiting), 5000)
    }).pipe(Effect.provide(WorkNotifier.layer))
  )
})
