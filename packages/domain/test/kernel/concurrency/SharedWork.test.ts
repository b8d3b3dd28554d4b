import { assert, describe, it } from "@effect/vitest"
import { makeSharedWork } from "@livery/domain"
import { Context, Deferred, Effect, Exit, Fiber, References } from "effect"
import { TestClock } from "effect/testing"

/** One execution of the work: its items, and how the test ends it. */
interface Execution {
  readonly key: string
  readonly items: ReadonlyArray<number>
  readonly isAlone: boolean
  readonly end: Deferred.Deferred<void, string>
  isInterrupted: boolean
}

/** Shared work whose executions and iterations the test ends. The result names the execution and the item. */
const sharedWork = (most?: number) => {
  const executions: Array<Execution> = []
  let deferred: Array<() => void> = []
  const execute = (key: string, items: ReadonlyArray<number>, isAlone: boolean) =>
    Effect.gen(function* () {
      const number = executions.length
      const end = yield* Deferred.make<void, string>()
      const execution: Execution = { key, items, isAlone, end, isInterrupted: false }
      executions.push(execution)
      yield* Effect.onInterrupt(Deferred.await(end), () =>
        Effect.sync(() => {
          execution.isInterrupted = true
        })
      )
      return number
    })
  const call = makeSharedWork<string, number, number, string, string>({
    alone: (key, item) => Effect.map(execute(key, [item], true), (number) => `execution ${number}: ${item}`),
    together: (key, items) => runFork(execute(key, items, false)),
    resultOf: (number, item) => `execution ${number}: ${item}`,
    atEndOfIteration: (run) => deferred.push(run),
    ...(most === undefined ? {} : { most })
  })
  const endIteration = Effect.suspend(() => {
    const all = deferred
    deferred = []
    for (const run of all) run()
    return settled
  })
  const endOf = (number: number) => {
    const execution = executions[number]
    return execution === undefined ? Effect.die(`No execution ${number}`) : Effect.succeed(execution.end)
  }
  const end = (number: number) =>
    Effect.flatMap(endOf(number), (it) => Effect.andThen(Deferred.succeed(it, undefined), settled))
  const fail = (number: number) =>
    Effect.flatMap(endOf(number), (it) => Effect.andThen(Deferred.fail(it, "no"), settled))
  const begin = (key: string, ...items: ReadonlyArray<number>) =>
    Effect.tap(
      Effect.forEach(items, (item) => Effect.forkChild(Effect.exit(call(key, item)))),
      () => settled
    )
  const itemsOf = () => executions.map(({ items }) => items)
  return { begin, call, end, fail, endIteration, executions, itemsOf }
}

const runFork = Effect.runForkWith(Context.empty())

const settled = TestClock.adjust("1 millis")

const resultsOf = (fibers: ReadonlyArray<Fiber.Fiber<Exit.Exit<string, string>>>) =>
  Effect.map(Effect.forEach(fibers, Fiber.join), (exits) =>
    exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : "failed"))
  )

describe("shared work", () => {
  it.effect(
    "starts at once if none of its key is under way, and once for all calls of a later iteration",
    () =>
      Effect.gen(function* () {
        const { begin, end, endIteration, itemsOf } = sharedWork()
        const first = yield* begin("a", 1)
        assert.deepStrictEqual(itemsOf(), [[1]])
        const others = yield* begin("a", 2, 3, 4)
        assert.deepStrictEqual(itemsOf(), [[1]])
        yield* endIteration
        assert.deepStrictEqual(itemsOf(), [[1], [2, 3, 4]])
        yield* end(1)
        assert.deepStrictEqual(yield* resultsOf(others), [
          "execution 1: 2",
          "execution 1: 3",
          "execution 1: 4"
        ])
        yield* end(0)
        assert.deepStrictEqual(yield* resultsOf(first), ["execution 0: 1"])
      })
  )

  it.effect("is not shared with a call that began after it started", () =>
    Effect.gen(function* () {
      const { begin, end, endIteration, itemsOf } = sharedWork()
      yield* begin("a", 1)
      yield* begin("a", 2, 3)
      yield* endIteration
      const late = yield* begin("a", 4, 5)
      yield* end(0)
      yield* end(1)
      assert.deepStrictEqual(itemsOf(), [[1], [2, 3]])
      yield* endIteration
      assert.deepStrictEqual(itemsOf(), [[1], [2, 3], [4, 5]])
      yield* end(2)
      assert.deepStrictEqual(yield* resultsOf(late), ["execution 2: 4", "execution 2: 5"])
    })
  )

  it.effect("of one key neither waits for that of another nor is shared with it", () =>
    Effect.gen(function* () {
      const { begin, endIteration, executions } = sharedWork()
      yield* begin("a", 1)
      yield* begin("b", 2)
      yield* begin("a", 3, 4)
      yield* begin("b", 5, 6)
      yield* endIteration
      assert.deepStrictEqual(
        executions.map(({ isAlone, items, key }) => [key, items, isAlone]),
        [
          ["a", [1], true],
          ["b", [2], true],
          ["a", [3, 4], false],
          ["b", [5, 6], false]
        ]
      )
    })
  )

  it.effect("starts at once again after all of its key has ended", () =>
    Effect.gen(function* () {
      const { begin, end, endIteration, itemsOf } = sharedWork()
      yield* begin("a", 1)
      yield* begin("a", 2, 3)
      yield* endIteration
      yield* end(1)
      yield* end(0)
      yield* begin("a", 4)
      assert.deepStrictEqual(itemsOf(), [[1], [2, 3], [4]])
    })
  )

  it.effect("of a call that is alone in its iteration runs in its caller's fiber, with its services", () =>
    Effect.gen(function* () {
      const Name = Context.Reference("name", { defaultValue: () => "none" })
      const deferred: Array<() => void> = []
      const gate = yield* Deferred.make<void>()
      const call = makeSharedWork<string, number, string, string, never>({
        alone: () => Effect.andThen(Deferred.await(gate), Name),
        together: () => runFork(Effect.succeed("shared")),
        resultOf: (shared) => shared,
        atEndOfIteration: (run) => deferred.push(run)
      })
      const fibers = yield* Effect.forEach(["one", "two"], (name) =>
        Effect.forkChild(Effect.provideService(call("a", 1), Name, name))
      )
      yield* settled
      for (const run of deferred) run()
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["one", "two"])
    })
  )

  it.effect("has at most as many calls as allowed", () =>
    Effect.gen(function* () {
      const { begin, endIteration, executions } = sharedWork(2)
      yield* begin("a", 1)
      yield* begin("a", 2, 3, 4, 5, 6)
      yield* endIteration
      assert.deepStrictEqual(
        executions.map(({ isAlone, items }) => [items, isAlone]),
        [
          [[1], true],
          [[2, 3], false],
          [[4, 5], false],
          [[6], true]
        ]
      )
    })
  )

  it.effect("that fails fails all of its calls, and no others", () =>
    Effect.gen(function* () {
      const { begin, end, endIteration, fail } = sharedWork()
      const first = yield* begin("a", 1)
      const shared = yield* begin("a", 2, 3)
      yield* endIteration
      yield* fail(1)
      assert.deepStrictEqual(yield* resultsOf(shared), ["failed", "failed"])
      yield* end(0)
      assert.deepStrictEqual(yield* resultsOf(first), ["execution 0: 1"])
    })
  )

  it.effect("continues for the others when one caller is interrupted, who continues at once", () =>
    Effect.gen(function* () {
      const { begin, end, endIteration, executions } = sharedWork()
      yield* begin("a", 1)
      const [leaving, ...staying] = yield* begin("a", 2, 3)
      yield* endIteration
      if (leaving !== undefined) yield* Fiber.interrupt(leaving)
      assert.isFalse(executions[1]?.isInterrupted)
      yield* end(1)
      assert.deepStrictEqual(yield* resultsOf(staying), ["execution 1: 3"])
    })
  )

  it.effect("is interrupted when all of its callers are, and does not start for callers that are", () =>
    Effect.gen(function* () {
      const { begin, end, endIteration, executions, itemsOf } = sharedWork()
      yield* begin("a", 1)
      const shared = yield* begin("a", 2, 3)
      yield* endIteration
      yield* Effect.forEach(shared, Fiber.interrupt)
      assert.isTrue(executions[1]?.isInterrupted)
      const waiting = yield* begin("a", 4, 5, 6)
      const [leaving] = waiting
      if (leaving !== undefined) yield* Fiber.interrupt(leaving)
      yield* endIteration
      yield* Effect.forEach(yield* begin("a", 7, 8), Fiber.interrupt)
      yield* endIteration
      assert.deepStrictEqual(itemsOf(), [[1], [2, 3], [5, 6]])
      yield* end(0)
      yield* end(2)
      yield* begin("a", 9)
      assert.deepStrictEqual(itemsOf(), [[1], [2, 3], [5, 6], [9]])
    })
  )

  it.effect("that is interrupted before it started does not make later calls wait", () =>
    Effect.gen(function* () {
      const { begin, call, end, executions, itemsOf } = sharedWork()
      // A fiber that yields after each few operations is interrupted at each of these.
      for (let operations = 2; operations <= 8; operations++)
        for (let yields = 0; yields < 10; yields++) {
          const limited = Effect.provideService(call("a", 1), References.MaxOpsBeforeYield, operations)
          const fiber = yield* Effect.forkChild(limited)
          for (let at = 0; at < yields; at++) yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
          const begun = executions.length
          yield* begin("a", 2)
          assert.deepStrictEqual(itemsOf().slice(begun), [[2]])
          yield* end(begun)
        }
    })
  )
})
