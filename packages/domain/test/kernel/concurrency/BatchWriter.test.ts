import { assert, describe, it } from "@effect/vitest"
import { makeAwaitedBatchWriter, makeBatchWriter } from "@livery/domain"
import { Cause, Clock, Deferred, Duration, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"

/** A store that holds each write until the test lets it through; `writes` are the batches it was given. */
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
    finishWrite: Effect.suspend(() => {
      const gate = gates.shift()
      return gate === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(gate, undefined))
    })
  }
})

const settled = TestClock.adjust("1 millis")

describe("a batch writer with waiting callers", () => {
  it.effect("writes one item at once, and together all that arrive while it is being written", () =>
    Effect.gen(function* () {
      const { finishWrite, write, writes } = yield* store
      const submit = yield* makeAwaitedBatchWriter({ weight: () => 1, maxWeight: 100, write })
      const fibers = [yield* Effect.forkChild(submit(1))]
      yield* settled
      for (const item of [2, 3, 4]) fibers.push(yield* Effect.forkChild(submit(item)))
      yield* settled
      assert.deepStrictEqual(writes, [[1]])
      yield* finishWrite
      yield* settled
      assert.deepStrictEqual(writes, [[1], [2, 3, 4]])
      yield* finishWrite
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [
        "wrote 1",
        "wrote 2",
        "wrote 3",
        "wrote 4"
      ])
    })
  )

  it.effect("completes an item only once it is written", () =>
    Effect.gen(function* () {
      const { finishWrite, write } = yield* store
      const submit = yield* makeAwaitedBatchWriter({ weight: () => 1, maxWeight: 100, write })
      const fiber = yield* Effect.forkChild(submit(1))
      yield* TestClock.adjust("1 minute")
      assert.isUndefined(fiber.pollUnsafe())
      yield* finishWrite
      assert.strictEqual(yield* Fiber.join(fiber), "wrote 1")
    })
  )

  it.effect("fills a batch to its maximum weight at most, and writes a heavier item alone", () =>
    Effect.gen(function* () {
      const { finishWrite, write, writes } = yield* store
      const submit = yield* makeAwaitedBatchWriter({ weight: (item: number) => item, maxWeight: 5, write })
      yield* Effect.forkChild(submit(1))
      yield* settled
      const others = [2, 3, 9, 5, 1]
      for (const item of others) yield* Effect.forkChild(submit(item))
      for (let round = 0; round < 5; round++) {
        yield* settled
        yield* finishWrite
      }
      yield* settled
      assert.deepStrictEqual(writes, [[1], [2, 3], [9], [5], [1]])
    })
  )

  it.effect("fails the items of a write that dies, and continues with the next batch", () =>
    Effect.gen(function* () {
      let round = 0
      const submit = yield* makeAwaitedBatchWriter({
        weight: () => 1,
        maxWeight: 100,
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

  it.effect("writes an item whose caller was interrupted", () =>
    Effect.gen(function* () {
      const { finishWrite, write, writes } = yield* store
      const submit = yield* makeAwaitedBatchWriter({ weight: () => 1, maxWeight: 100, write })
      yield* Effect.forkChild(submit(1))
      yield* settled
      const gone = yield* Effect.forkChild(submit(2))
      yield* settled
      yield* Fiber.interrupt(gone)
      yield* finishWrite
      yield* settled
      assert.deepStrictEqual(writes, [[1], [2]])
      // The scope closes only after the write under way.
      yield* finishWrite
    })
  )

  it.effect("interrupts its waiting callers when it closes, and accepts no more items", () =>
    Effect.gen(function* () {
      const { finishWrite, write, writes } = yield* store
      const place = yield* Scope.make()
      const submit = yield* Scope.provide(
        makeAwaitedBatchWriter({ weight: () => 1, maxWeight: 100, write }),
        place
      )
      const first = yield* Effect.forkChild(submit(1))
      yield* settled
      const second = yield* Effect.forkChild(submit(2))
      yield* settled
      const closing = yield* Effect.forkChild(Scope.close(place, Exit.void))
      yield* settled
      yield* finishWrite
      yield* Fiber.join(closing)
      assert.strictEqual(yield* Fiber.join(first), "wrote 1", "the write under way ends normally")
      assert.isTrue(Exit.isFailure(yield* Fiber.await(second)))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(submit(3))))
      assert.deepStrictEqual(writes, [[1]])
    })
  )
})

describe("a batch writer with a delay", () => {
  it.effect("waits that long from the first item of a batch, and reads the delay for each batch", () =>
    Effect.gen(function* () {
      const writes: Array<readonly [at: number, items: ReadonlyArray<number>]> = []
      const delays = [Duration.millis(4), Duration.millis(8)]
      const add = yield* makeBatchWriter({
        delay: () => delays.shift() ?? Duration.zero,
        write: (items: ReadonlyArray<number>) =>
          Effect.map(Clock.currentTimeMillis, (now) => void writes.push([now, items]))
      })
      add(1)
      yield* TestClock.adjust("3 millis")
      add(2)
      yield* TestClock.adjust("10 millis")
      add(3)
      yield* TestClock.adjust("10 millis")
      assert.deepStrictEqual(writes, [
        [4, [1, 2]],
        [21, [3]]
      ])
    })
  )

  it.effect("continues after a batch that could not be written", () =>
    Effect.gen(function* () {
      const written: Array<number> = []
      const add = yield* makeBatchWriter({
        write: (items: ReadonlyArray<number>) =>
          items.includes(1) ? Effect.die("unwritable") : Effect.sync(() => void written.push(...items))
      })
      add(1)
      yield* settled
      add(2)
      yield* settled
      assert.deepStrictEqual(written, [2])
    })
  )

  it.effect("reports the items that it drops when its scope closes, and later ones", () =>
    Effect.gen(function* () {
      const dropped: Array<number> = []
      const scope = yield* Scope.make()
      const add = yield* Scope.provide(
        makeBatchWriter({
          delay: () => "1 second",
          write: () => Effect.void,
          dropped: (items: ReadonlyArray<number>) => void dropped.push(...items)
        }),
        scope
      )
      add(1)
      add(2)
      yield* settled
      yield* Scope.close(scope, Exit.void)
      add(3)
      assert.deepStrictEqual(dropped, [1, 2, 3])
    })
  )
})
