import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { vi } from "vitest"
import { makeWaitQueue } from "../../src/sql/connections/WaitQueue.ts"

/** A queue in whose places tickets wait by their names, with the names of those that hold a place. */
const queueOf = (places: number, limit = 0) => {
  const queue = makeWaitQueue(places, limit, () => "timed out")
  const tickets = new Map<string, { held: boolean }>()
  const enter = (name: string) => {
    const ticket = { held: false }
    tickets.set(name, ticket)
    return Effect.forkChild(queue.enter(ticket), { startImmediately: true })
  }
  const leave = (name: string) => queue.leave(tickets.get(name) ?? { held: false })
  const holders = () => [...tickets].flatMap(([name, { held }]) => (held ? [name] : []))
  return { enter, leave, holders }
}

/** Runs a body with a clock of the machine that the test controls. */
const withMachineClock = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
    () => body,
    () => Effect.sync(() => vi.useRealTimers())
  )

describe("a queue for places", () => {
  it.effect(
    "gives as many places as it has at once, and each further one to the ticket that has waited longest",
    () =>
      Effect.gen(function* () {
        const { enter, holders, leave } = queueOf(2)
        for (const name of ["a", "b", "c", "d"]) yield* enter(name)
        assert.deepStrictEqual(holders(), ["a", "b"])
        leave("b")
        assert.deepStrictEqual(holders(), ["a", "c"])
        leave("a")
        assert.deepStrictEqual(holders(), ["c", "d"])
      })
  )

  it.effect("takes a place back once, and none from a ticket that holds none", () =>
    Effect.gen(function* () {
      const { enter, holders, leave } = queueOf(1)
      for (const name of ["a", "b", "c"]) yield* enter(name)
      leave("b")
      assert.deepStrictEqual(holders(), ["a"])
      for (let time = 0; time < 2; time++) leave("a")
      assert.deepStrictEqual(holders(), ["b"])
      for (let time = 0; time < 2; time++) leave("b")
      leave("c")
      for (const name of ["d", "e"]) yield* enter(name)
      assert.deepStrictEqual(holders(), ["d"])
    })
  )

  it.effect("gives no place to a ticket whose wait was interrupted", () =>
    Effect.gen(function* () {
      const { enter, holders, leave } = queueOf(1)
      yield* enter("a")
      yield* Fiber.interrupt(yield* enter("b"))
      yield* enter("c")
      leave("a")
      assert.deepStrictEqual(holders(), ["c"])
      leave("c")
      yield* enter("d")
      assert.deepStrictEqual(holders(), ["d"])
    })
  )

  it.effect("fails a wait at its limit, and gives no place to its ticket afterwards", () =>
    withMachineClock(
      Effect.gen(function* () {
        const { enter, holders, leave } = queueOf(1, 100)
        yield* enter("a")
        const late = yield* enter("b")
        vi.advanceTimersByTime(99)
        const later = yield* enter("c")
        assert.isUndefined(late.pollUnsafe())
        vi.advanceTimersByTime(1)
        assert.deepStrictEqual(yield* Fiber.await(late), Exit.fail("timed out"))
        leave("a")
        assert.deepStrictEqual(holders(), ["c"])
        assert.deepStrictEqual(yield* Fiber.await(later), Exit.void)
        assert.strictEqual(vi.getTimerCount(), 0)
      })
    )
  )

  it.effect("has no limit of a wait if the limit is 0", () =>
    withMachineClock(
      Effect.gen(function* () {
        const { enter, holders, leave } = queueOf(1)
        yield* enter("a")
        yield* enter("b")
        vi.advanceTimersByTime(3_600_000)
        leave("a")
        assert.deepStrictEqual(holders(), ["b"])
      })
    )
  )
})
