import { assert, describe, it } from "@effect/vitest"
import { NodeServer, Stopping } from "@livery/http-adapter"
import { Duration, Effect, Exit, Scope } from "effect"
import { TestClock } from "effect/testing"
import {
  boundStop,
  stopLimit,
  stopTime,
  waitOnStop,
  workersGrace
} from "../src/commands/serving/ShutdownGrace.ts"
import { read } from "../src/settings/Settings.ts"

describe("the time that a stop takes", () => {
  it.effect("is at most 9 s by default, with each phase within it", () =>
    Effect.gen(function* () {
      const { shutdownGrace } = yield* read({})
      assert.deepStrictEqual(shutdownGrace, Duration.seconds(5))
      assert.isAtMost(Duration.toSeconds(stopLimit(shutdownGrace)), 9)
      for (const seconds of [0, 1, 5, 10, 300]) {
        const grace = Duration.seconds(seconds)
        const requests = Duration.sum(grace, NodeServer.drainTime)
        assert.isTrue(Duration.isLessThan(requests, stopLimit(grace)), "requests in flight")
        assert.isTrue(Duration.isLessThan(workersGrace(grace), stopLimit(grace)), "attempts in flight")
        assert.isAtMost(Duration.toSeconds(workersGrace(grace)), 16)
      }
      assert.isAbove(Duration.toMillis(stopTime), Duration.toMillis(NodeServer.drainTime))
    })
  )

  /** A scope with another finalizer: an effect that closes it in the background, and whether the process was ended. */
  const closing = Effect.fnUntraced(function* (rest: Effect.Effect<unknown>) {
    const scope = yield* Scope.make()
    let isEnded = false
    yield* Scope.provide(
      Effect.gen(function* () {
        yield* Effect.addFinalizer(() => rest)
        yield* boundStop(
          Duration.seconds(9),
          Effect.sync(() => void (isEnded = true))
        )
      }),
      scope
    )
    return { close: Effect.forkDetach(Scope.close(scope, Exit.void)), isEnded: () => isEnded }
  })

  it.effect("has a bound even if a finalizer hangs", () =>
    Effect.gen(function* () {
      const { close, isEnded } = yield* closing(Effect.never)
      yield* TestClock.adjust("1 minute")
      assert.isFalse(isEnded(), "it counts from the stop")
      yield* close
      yield* TestClock.adjust("8999 millis")
      assert.isFalse(isEnded())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(isEnded())
    })
  )

  it.effect("begins with the grace period after SIGTERM only", () =>
    Effect.gen(function* () {
      for (const isStopping of [true, false]) {
        const scope = yield* Scope.make()
        yield* waitOnStop(Duration.seconds(5)).pipe(
          Effect.provideService(Stopping, { isStopping }),
          Scope.provide(scope)
        )
        const fiber = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* TestClock.adjust("4999 millis")
        assert.strictEqual(fiber.pollUnsafe() === undefined, isStopping)
        yield* TestClock.adjust("1 millis")
        assert.isDefined(fiber.pollUnsafe())
      }
    })
  )
})
