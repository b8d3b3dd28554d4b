import { assert, describe, it } from "@effect/vitest"
import { makeWaitingLine } from "@livery/domain"
import { Deferred, Effect, Exit, Fiber } from "effect"

/** Work that says when it has begun and ends when it is told to. */
const makeWork = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  const told = yield* Deferred.make<void>()
  return {
    begun,
    run: Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(told)),
    end: Deferred.succeed(told, undefined)
  }
})

const settle = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("a waiting line", () => {
  it.effect("serves so many at once, lets so many wait, and sends the rest away at once", () =>
    Effect.gen(function* () {
      const inTurn = yield* makeWaitingLine({ atOnce: 2, waiting: 3 })
      const works = yield* Effect.all(Array.from({ length: 5 }, () => makeWork))
      const fibers = yield* Effect.forEach(works, ({ run }) => Effect.forkChild(inTurn(run)))
      yield* settle
      assert.deepStrictEqual(yield* Effect.forEach(works, ({ begun }) => Deferred.isDone(begun)), [
        true,
        true,
        false,
        false,
        false
      ])

      const refused = yield* Effect.flip(inTurn(Effect.void))
      assert.strictEqual(refused._tag, "TooManyRequests")
      assert.strictEqual(refused.retryAfterSeconds, 1)

      for (const { end } of works) yield* end
      for (const fiber of fibers) yield* Fiber.join(fiber)
      yield* inTurn(Effect.void)
    })
  )

  it.effect("serves in the order of arrival", () =>
    Effect.gen(function* () {
      const inTurn = yield* makeWaitingLine({ atOnce: 1, waiting: 50 })
      const served: Array<number> = []
      const numbers = Array.from({ length: 51 }, (_, index) => index)
      const fibers = yield* Effect.forEach(numbers, (index) =>
        Effect.forkChild(
          inTurn(
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

  it.effect("gives the place of one who is interrupted while waiting to the next", () =>
    Effect.gen(function* () {
      const inTurn = yield* makeWaitingLine({ atOnce: 1, waiting: 1 })
      const [first, second, third] = [yield* makeWork, yield* makeWork, yield* makeWork]
      const served = yield* Effect.forkChild(inTurn(first.run))
      const gone = yield* Effect.forkChild(inTurn(second.run))
      yield* settle
      assert.isTrue(Exit.isFailure(yield* Effect.exit(inTurn(Effect.void))))

      yield* Fiber.interrupt(gone)
      const next = yield* Effect.forkChild(inTurn(third.run))
      yield* settle
      yield* first.end
      yield* Deferred.await(third.begun)
      assert.isFalse(yield* Deferred.isDone(second.begun))
      yield* third.end
      yield* Fiber.join(served)
      yield* Fiber.join(next)
    })
  )

  it.effect("frees the place of work that fails or dies", () =>
    Effect.gen(function* () {
      const inTurn = yield* makeWaitingLine({ atOnce: 1, waiting: 0 })
      assert.strictEqual(yield* Effect.flip(inTurn(Effect.fail("no"))), "no")
      yield* Effect.exit(inTurn(Effect.die("worse")))
      assert.strictEqual(yield* inTurn(Effect.succeed("yes")), "yes")
    })
  )
})
