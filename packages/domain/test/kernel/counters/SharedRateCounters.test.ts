import { CountersUnavailable, type Demand, type RateCounters, type RateStore } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { countersOver, rateCountersContract } from "../../../../../test/support/RateCountersContract.ts"

/** A store in memory that can be slow or unavailable, and records the taken numbers. */
const makeStore = () => {
  const counts = new Map<string, number>()
  const takes: Array<ReadonlyArray<Demand>> = []
  const state = { delayMillis: 0, isAway: false, aheadMillis: 0 }
  const store: RateStore["Service"] = {
    take: Effect.fnUntraced(function* (demands) {
      takes.push(demands)
      yield* Effect.sleep(state.delayMillis)
      if (state.isAway) return yield* new CountersUnavailable({ reason: "the cable is cut" })
      const now = (yield* Clock.currentTimeMillis) + state.aheadMillis
      const window = Math.floor(now / 60_000)
      const used = demands.map(({ count, key }) => {
        const total = (counts.get(`${window} ${key}`) ?? 0) + count
        counts.set(`${window} ${key}`, total)
        return total
      })
      return { used, resetsAt: (window + 1) * 60, remainingMillis: (window + 1) * 60_000 - now }
    })
  }
  return { state, store, takes }
}

/** Counts so many requests one after the other, and returns how many are allowed. */
const allowedInTurn = Effect.fnUntraced(function* (
  counters: RateCounters["Service"],
  limit: number,
  times: number,
  key = "busy"
) {
  let allowed = 0
  for (let time = 0; time < times; time++) {
    const counted = counters.countNow(key, limit) ?? (yield* counters.count(key, limit))
    if (counted.used <= limit) allowed += 1
  }
  return allowed
})

const allowedAtOnce = (counters: RateCounters["Service"], limit: number, times: number, key = "busy") =>
  Effect.map(
    Effect.all(
      Array.from({ length: times }, () => counters.count(key, limit)),
      { concurrency: "unbounded" }
    ),
    (counted) => counted.filter(({ used }) => used <= limit).length
  )

describe("counters over a shared store", () => {
  it.effect("give each concurrent request on one node its own number, from 1 on", () =>
    Effect.gen(function* () {
      yield* rateCountersContract.exact("busy", yield* countersOver(makeStore().store))
    })
  )

  for (const limit of [1, 3, 10, 100, 600])
    it.effect(`of N+50 requests on one node, exactly N pass: N = ${limit}`, () =>
      Effect.gen(function* () {
        const { store } = makeStore()
        assert.strictEqual(yield* allowedInTurn(yield* countersOver(store), limit, limit + 50), limit)
        assert.strictEqual(
          yield* allowedAtOnce(yield* countersOver(makeStore().store), limit, limit + 50),
          limit
        )
      })
    )

  it.effect("allow at most N requests on four nodes, and exactly N once each node has used its block", () =>
    Effect.gen(function* () {
      const { store } = makeStore()
      const nodes = yield* Effect.all(Array.from({ length: 4 }, () => countersOver(store)))
      const passed = yield* Effect.forEach(nodes, (node) => allowedInTurn(node, 100, 60), {
        concurrency: "unbounded"
      })
      const rest = yield* Effect.forEach(nodes, (node) => allowedInTurn(node, 100, 100))
      assert.strictEqual(
        [...passed, ...rest].reduce((sum, each) => sum + each),
        100
      )
    })
  )

  it.effect("one of two nodes allows N less the unused block of the other: at most a tenth of the rest", () =>
    Effect.gen(function* () {
      const { store } = makeStore()
      const [one, other] = [yield* countersOver(store), yield* countersOver(store)]
      const early = yield* allowedInTurn(other, 100, 20)
      assert.strictEqual(early, 20)
      const passed = early + (yield* allowedInTurn(one, 100, 200))
      assert.isAtMost(passed, 100)
      assert.isAtLeast(passed, 92)
      // The last ones are taken one by one.
      const { store: another, takes } = makeStore()
      yield* allowedInTurn(yield* countersOver(another), 100, 100)
      assert.deepStrictEqual(
        takes.slice(-5),
        Array.from({ length: 5 }, () => [{ key: "busy", count: 1 }])
      )
    })
  )

  it.effect("call the store for few of many requests, and for none beyond the limit", () =>
    Effect.gen(function* () {
      const { store, takes } = makeStore()
      const counters = yield* countersOver(store)
      yield* allowedInTurn(counters, 100_000, 10_000)
      assert.isBelow(takes.length, 30)
      yield* allowedInTurn(counters, 100, 100, "small")
      const asked = takes.length
      assert.strictEqual(yield* allowedInTurn(counters, 100, 50, "small"), 0)
      assert.lengthOf(takes, asked)
    })
  )

  it.effect(
    "begin anew when the clocks are set back, so that no caller waits until they have caught up",
    () =>
      Effect.gen(function* () {
        const counters = yield* countersOver(makeStore().store)
        yield* TestClock.adjust("2 hours")
        assert.strictEqual(yield* allowedInTurn(counters, 10, 15), 10)
        yield* TestClock.setTime(3_600_000)
        assert.strictEqual(yield* allowedInTurn(counters, 10, 15), 10)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* allowedInTurn(counters, 10, 15), 10)
      })
  )

  it.effect("begin anew when the store's window ends, which its own clock decides", () =>
    Effect.gen(function* () {
      const { store } = makeStore()
      const counters = yield* countersOver(store)
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual(yield* allowedInTurn(counters, 2, 5), 2)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* counters.count("busy", 2), { used: 1, resetsAt: 120 })
      const other = makeStore()
      other.state.aheadMillis = 30_000
      const ahead = yield* countersOver(other.store)
      assert.strictEqual(yield* allowedInTurn(ahead, 2, 5), 2)
      yield* TestClock.adjust("29999 millis")
      assert.strictEqual(yield* allowedInTurn(ahead, 2, 5), 0)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* allowedInTurn(ahead, 2, 5), 2)
    })
  )

  it.effect("collect the demands of many keys in one statement while another one runs", () =>
    Effect.gen(function* () {
      const { store, takes } = makeStore()
      const counters = yield* countersOver(store)
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, index) => `key ${index}`),
        (key) => counters.count(key, 10),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(takes.length, 3)
    })
  )

  it.effect(
    "take the demands of at most a thousand keys in one statement, and those of the others in the next",
    () =>
      Effect.gen(function* () {
        const { store, takes } = makeStore()
        const counters = yield* countersOver(store)
        const counted = yield* Effect.forEach(
          Array.from({ length: 2500 }, (_, index) => `key ${index}`),
          (key) => counters.count(key, 10),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...new Set(counted.map(({ used }) => used))], [1])
        assert.isAtMost(Math.max(...takes.map(({ length }) => length)), 1000)
      })
  )

  it.effect("apply another limit at once, also to a key that had reached the former one", () =>
    Effect.gen(function* () {
      const counters = yield* countersOver(makeStore().store)
      assert.strictEqual(yield* allowedInTurn(counters, 1, 3), 1)
      assert.strictEqual(yield* allowedInTurn(counters, 100, 200), 99)
    })
  )

  it.effect("keep the keys of the current window when they forget those of past ones", () =>
    Effect.gen(function* () {
      const counters = yield* countersOver(makeStore().store)
      yield* TestClock.adjust("70 seconds")
      yield* counters.count("past", 100)
      yield* TestClock.adjust("55 seconds")
      const before = yield* allowedInTurn(counters, 100, 5)
      yield* TestClock.adjust("6 seconds")
      yield* counters.count("new", 100)
      assert.strictEqual(before + (yield* allowedInTurn(counters, 100, 200)), 100)
    })
  )
})

describe("while the store is slow", () => {
  it.effect(
    "of 547 requests at once to a cold node, 100 a minute let 100 pass, after a quarter of a second",
    () =>
      Effect.gen(function* () {
        const { state, store } = makeStore()
        state.delayMillis = 1500
        const counters = yield* countersOver(store)
        const asked = yield* Effect.forkChild(allowedAtOnce(counters, 100, 547))
        yield* TestClock.adjust("250 millis")
        assert.strictEqual(yield* Fiber.join(asked), 100)
        // Further requests do not wait, and the store counts as slow, not as unavailable.
        assert.isAbove(counters.countNow("busy", 100)?.used ?? 0, 547)
        assert.isFalse(counters.isUnavailable())
      })
  )

  it.effect("requests counted in memory are added to the store once it responds", () =>
    Effect.gen(function* () {
      const { state, store, takes } = makeStore()
      state.delayMillis = 1500
      const counters = yield* countersOver(store)
      const asked = yield* Effect.forkChild(allowedAtOnce(counters, 100, 60))
      yield* TestClock.adjust("250 millis")
      yield* Fiber.join(asked)
      for (let time = 0; time < 10; time++) counters.countNow("busy", 100)
      state.delayMillis = 0
      yield* TestClock.adjust("2 seconds")
      const taken = takes.flat().reduce((sum, { count }) => sum + count, 0)
      assert.isAtLeast(taken, 70)
      assert.strictEqual(yield* allowedInTurn(counters, 100, 100), 30)
    })
  )
})

describe("while the store is unavailable", () => {
  it.effect("each node counts in memory, and no request waits", () =>
    Effect.gen(function* () {
      const { state, store } = makeStore()
      const counters = yield* countersOver(store)
      assert.strictEqual(yield* allowedInTurn(counters, 100, 5), 5)
      state.isAway = true
      const blocks = yield* allowedInTurn(counters, 100, 20)
      assert.strictEqual(blocks, 20)
      let allowed = 0
      for (let time = 0; time < 200; time++)
        if ((counters.countNow("busy", 100)?.used ?? 0) <= 100) allowed += 1
      assert.strictEqual(allowed, 75)
    })
  )

  it.effect("the outage is reported after five seconds, until the store responds", () =>
    Effect.gen(function* () {
      const { state, store, takes } = makeStore()
      const counters = yield* countersOver(store)
      state.isAway = true
      yield* counters.probe
      assert.isFalse(counters.isUnavailable())
      yield* TestClock.adjust("4999 millis")
      assert.isFalse(counters.isUnavailable())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(counters.isUnavailable())
      assert.isAtMost(takes.length, 6)
      state.isAway = false
      yield* TestClock.adjust("1 second")
      assert.isFalse(counters.isUnavailable())
    })
  )

  it.effect("a store that does not respond is unavailable, as one that fails is", () =>
    Effect.gen(function* () {
      const counters = yield* countersOver({ take: () => Effect.never })
      const probed = yield* Effect.forkChild(counters.probe)
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(probed)
      assert.isFalse(counters.isUnavailable())
      yield* TestClock.adjust("1 second")
      assert.isTrue(counters.isUnavailable())
    })
  )

  it.effect("requests that waited for it are added to the store once it responds", () =>
    Effect.gen(function* () {
      const { state, store } = makeStore()
      const counters = yield* countersOver(store)
      state.isAway = true
      assert.strictEqual(yield* allowedAtOnce(counters, 10, 4), 4)
      state.isAway = false
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* allowedInTurn(yield* countersOver(store), 10, 20), 6)
    })
  )

  it.effect("requests of a window that has ended are not added to the next one", () =>
    Effect.gen(function* () {
      const { state, store } = makeStore()
      const counters = yield* countersOver(store)
      state.isAway = true
      yield* allowedAtOnce(counters, 10, 4)
      yield* TestClock.adjust("1 minute")
      state.isAway = false
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* allowedInTurn(yield* countersOver(store), 10, 20), 10)
    })
  )

  it.effect("a probe does not wait for it", () =>
    Effect.gen(function* () {
      const { state, store } = makeStore()
      const counters = yield* countersOver(store)
      state.isAway = true
      yield* counters.probe
      state.delayMillis = 1500
      const probe = yield* Effect.forkChild(counters.probe, { startImmediately: true })
      assert.isDefined(probe.pollUnsafe())
    })
  )

  it.effect("a failure of the store fails no request", () =>
    Effect.gen(function* () {
      const counters = yield* countersOver({ take: () => Effect.die(new Error("lightning")) })
      assert.strictEqual(yield* allowedInTurn(counters, 3, 10), 3)
    })
  )
})
