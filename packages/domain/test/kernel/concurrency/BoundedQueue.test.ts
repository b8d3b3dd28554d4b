import { assert, describe, it } from "@effect/vitest"
import { makeBoundedQueue } from "@livery/domain"
import { Deferred, Effect, Exit, Fiber } from "effect"

/** Work that reports when it has begun, and ends on demand. */
const makeWork = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  const released = yield* Deferred.make<void>()
  return {
    begun,
    run: Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(released)),
    end: Deferred.succeed(released, undefined)
  }
})

const settle = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("a bounded queue", () => {
  it.effect("runs a few at once, lets a few wait, and refuses the rest at once", () =>
    Effect.gen(function* () {
      const queued = yield* makeBoundedQueue({ concurrency: 2, waiting: 3 })
      const works = yield* Effect.all(Array.from({ length: 5 }, () => makeWork))
      const fibers = yield* Effect.forEach(works, ({ run }) => Effect.forkChild(queued(run)))
      yield* settle
      assert.deepStrictEqual(yield* Effect.forEach(works, ({ begun }) => Deferred.isDone(begun)), [
        true,
        true,
        false,
        false,
        false
      ])

      const refused = yield* Effect.flip(queued(Effect.void))
      assert.strictEqual(refused._tag, "TooManyRequests")
      assert.strictEqual(refused.retryAfterSeconds, 1)

      for (const { end } of works) yield* end
      for (const fiber of fibers) yield* Fiber.join(fiber)
      yield* queued(Effect.void)
    })
  )

  it.effect("runs effects in the order of arrival", () =>
    Effect.gen(function* () {
      const queued = yield* makeBoundedQueue({ concurrency: 1, waiting: 50 })
      const served: Array<number> = []
      const numbers = Array.from({ length: 51 }, (_, index) => index)
      const fibers = yield* Effect.forEach(numbers, (index) =>
        Effect.forkChild(
          queued(
            Effect.gen(function* () {
              yield* Effect.yieldNow
              served.push(index)
            })
          )
        )
      )
      for (const fiber of fibers) yield* Fiber.join(fiber)
      assert.deepStrictEqual(served, numbers)
    })
  )

  it.effect("gives the place of an effect that is interrupted while waiting to the next", () =>
    Effect.gen(function* () {
      const queued = yield* makeBoundedQueue({ concurrency: 1, waiting: 1 })
      const [first, second, third] = [yield* makeWork, yield* makeWork, yield* makeWork]
      const served = yield* Effect.forkChild(queued(first.run))
      const gone = yield* Effect.forkChild(queued(second.run))
      yield* settle
      assert.isTrue(Exit.isFailure(yield* Effect.exit(queued(Effect.void))))

      yield* Fiber.interrupt(gone)
      const next = yield* Effect.forkChild(queued(third.run))
      yield* settle
      yield* first.end
      yield* Deferred.await(third.begun)
      assert.isFalse(yield* Deferred.isDone(second.begun))
      yield* third.end
      yield* Fiber.join(served)
      yield* Fiber.join(next)
    })
  )

  it.effect("frees the place of an effect that fails or dies", () =>
    Effect.gen(function* () {
      const queued = yield* makeBoundedQueue({ concurrency: 1, waiting: 0 })
      assert.strictEqual(yield* Effect.flip(queued(Effect.fail("no"))), "no")
      yield* Effect.exit(queued(Effect.die("worse")))
      assert.strictEqual(yield* queued(Effect.succeed("yes")), "yes")
    })
  )
})
