import { assert, describe, it } from "@effect/vitest"
import { makeGroupCommit } from "@livery/domain"
import { Cause, Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"

/** A store whose writes wait for the test: what each of them holds, and the key to let the next one through. */
const store = Effect.sync(() => {
  const writes: Array<ReadonlyArray<number>> = []
  const gates: Array<Deferred.Deferred<void>> = []
  const write = (items: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      writes.push(items)
      const gate = yield* Deferred.make<void>()
      gates.push(gate)
      yield* Deferred.await(gate)
      return items.map((item) => `wrote ${item}`)
    })
  return {
    writes,
    write,
    letThrough: Effect.suspend(() => {
      const gate = gates.shift()
      return gate === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(gate, undefined))
    })
  }
})

const settled = TestClock.adjust("1 millis")

describe("a group commit", () => {
  it.effect("writes alone what comes alone, and together what came meanwhile", () =>
    Effect.gen(function* () {
      const { letThrough, write, writes } = yield* store
      const submit = yield* makeGroupCommit({ weight: () => 1, most: 100, write })
      const fibers = [yield* Effect.forkChild(submit(1))]
      yield* settled
      for (const item of [2, 3, 4]) fibers.push(yield* Effect.forkChild(submit(item)))
      yield* settled
      assert.deepStrictEqual(writes, [[1]])
      yield* letThrough
      yield* settled
      assert.deepStrictEqual(writes, [[1], [2, 3, 4]])
      yield* letThrough
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [
        "wrote 1",
        "wrote 2",
        "wrote 3",
        "wrote 4"
      ])
    })
  )

  it.effect("tells nobody that it is written before it is", () =>
    Effect.gen(function* () {
      const { letThrough, write } = yield* store
      const submit = yield* makeGroupCommit({ weight: () => 1, most: 100, write })
      const fiber = yield* Effect.forkChild(submit(1))
      yield* TestClock.adjust("1 minute")
      assert.isUndefined(fiber.pollUnsafe())
      yield* letThrough
      assert.strictEqual(yield* Fiber.join(fiber), "wrote 1")
    })
  )

  it.effect("holds no more than a write may, and writes alone what is larger", () =>
    Effect.gen(function* () {
      const { letThrough, write, writes } = yield* store
      const submit = yield* makeGroupCommit({ weight: (item: number) => item, most: 5, write })
      yield* Effect.forkChild(submit(1))
      yield* settled
      const others = [2, 3, 9, 5, 1]
      for (const item of others) yield* Effect.forkChild(submit(item))
      for (let round = 0; round < 5; round++) {
        yield* settled
        yield* letThrough
      }
      yield* settled
      assert.deepStrictEqual(writes, [[1], [2, 3], [9], [5], [1]])
    })
  )

  it.effect("a write that dies, dies for those that it was for, and the next one is made", () =>
    Effect.gen(function* () {
      let round = 0
      const submit = yield* makeGroupCommit({
        weight: () => 1,
        most: 100,
        write: (items: ReadonlyArray<number>) =>
          Effect.suspend(() =>
            (round += 1) === 1 ? Effect.die(new Error("lightning")) : Effect.succeed(items)
          )
      })
      const [one, two] = yield* Effect.all([Effect.exit(submit(1)), Effect.exit(submit(2))], {
        concurrency: 2
      })
      assert.isTrue(Exit.isFailure(one) && Cause.pretty(one.cause).includes("lightning"))
      assert.isTrue(Exit.isFailure(two) && Cause.pretty(two.cause).includes("lightning"))
      assert.strictEqual(yield* submit(3), 3)
    })
  )

  it.effect("writes what was handed over, although nobody waits any longer", () =>
    Effect.gen(function* () {
      const { letThrough, write, writes } = yield* store
      const submit = yield* makeGroupCommit({ weight: () => 1, most: 100, write })
      yield* Effect.forkChild(submit(1))
      yield* settled
      const gone = yield* Effect.forkChild(submit(2))
      yield* settled
      yield* Fiber.interrupt(gone)
      yield* letThrough
      yield* settled
      assert.deepStrictEqual(writes, [[1], [2]])
      // A write that is under way is made to its end, even when the writer goes.
      yield* letThrough
    })
  )

  it.effect("keeps nobody waiting once it is closed, and takes nothing any more", () =>
    Effect.gen(function* () {
      const { letThrough, write, writes } = yield* store
      const place = yield* Scope.make()
      const submit = yield* Scope.provide(makeGroupCommit({ weight: () => 1, most: 100, write }), place)
      const first = yield* Effect.forkChild(submit(1))
      yield* settled
      const second = yield* Effect.forkChild(submit(2))
      yield* settled
      const closing = yield* Effect.forkChild(Scope.close(place, Exit.void))
      yield* settled
      yield* letThrough
      yield* Fiber.join(closing)
      assert.strictEqual(yield* Fiber.join(first), "wrote 1", "what is being written is written to its end")
      assert.isTrue(Exit.isFailure(yield* Fiber.await(second)))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(submit(3))))
      assert.deepStrictEqual(writes, [[1]])
    })
  )
})
