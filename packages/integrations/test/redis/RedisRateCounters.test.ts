import { RateStore } from "@livery/domain"
import { RedisRateCounters } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { createClient } from "@redis/client"
import { Clock, Context, Effect, Layer, Redacted, Schedule } from "effect"
import {
  countersOver,
  rateCountersContract,
  rateStoreContract
} from "../../../../test/support/RateCountersContract.ts"
import { redisIsThere, redisServer } from "./RedisServer.ts"

const node = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const built = yield* Layer.build(Layer.fresh(RedisRateCounters.store({ url })))
  const store = yield* RateStore.pipe(Effect.provideContext(built))
  return { store, counters: yield* countersOver(store) }
})

const patiently = { schedule: Schedule.spaced("20 millis"), times: 500 }

const byMachineClock = Effect.provideService(Clock.Clock, Context.get(Context.empty(), Clock.Clock))

/** Nodes of a server that runs, connected. */
const nodes = Effect.fnUntraced(function* (count: number) {
  const server = yield* redisServer
  yield* byMachineClock(server.start)
  const all = yield* Effect.forEach(Array.from({ length: count }), () => node(server.url))
  yield* byMachineClock(Effect.forEach(all, ({ store }) => Effect.retry(store.take([]), patiently)))
  return { server, all }
})

const secondsNow = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)

describe.skipIf(!redisIsThere)("counters in Redis", () => {
  // The clock of the test stands still, so that no request is counted in memory however slow Redis is.
  it.effect("are exact on a node, and give two nodes blocks that do not overlap and leave no gap", () =>
    Effect.gen(function* () {
      const { all } = yield* nodes(2)
      const [one] = all
      if (one === undefined) return assert.fail("no node")
      yield* rateCountersContract.exact("one", one.counters)
      yield* rateStoreContract.disjoint(
        "busy",
        all.map(({ store }) => store)
      )
      yield* rateStoreContract.together("several", one.store)
    })
  )

  it.live("end their windows with the minute of Redis' clock, keep keys apart, and leave none behind", () =>
    Effect.gen(function* () {
      const { all, server } = yield* nodes(1)
      const [one] = all
      if (one === undefined) return assert.fail("no node")
      const { counters } = one
      yield* rateCountersContract.ends("any", counters, yield* secondsNow)
      yield* rateCountersContract.apart("one", counters)
      const lives = yield* Effect.promise(async () => {
        const client = await createClient({ url: Redacted.value(server.url), RESP: 2 }).connect()
        const keys = await client.keys("*")
        const lives = await Promise.all(keys.map((key) => client.pTTL(key)))
        client.destroy()
        return lives
      })
      assert.isAbove(lives.length, 2)
      for (const life of lives) assert.isTrue(life > 0 && life <= 60_000, String(life))
    })
  )

  it.live("build while Redis is unreachable, fail at once, and reconnect by themselves", () =>
    Effect.gen(function* () {
      const server = yield* redisServer
      const { counters, store } = yield* node(server.url)
      assert.strictEqual((yield* Effect.flip(store.take([])))._tag, "CountersUnavailable")
      // The node counts by itself meanwhile.
      assert.strictEqual((yield* counters.count("any", 9)).used, 1)
      yield* server.start
      yield* Effect.retry(store.take([]), patiently)
      yield* server.end
      yield* Effect.flip(store.take([]))
      yield* server.start
      yield* Effect.retry(store.take([]), patiently)
    })
  )

  it.live("do not wait for a Redis that does not respond", () =>
    Effect.gen(function* () {
      const { all, server } = yield* nodes(1)
      const [one] = all
      if (one === undefined) return assert.fail("no node")
      yield* server.signal("SIGSTOP")
      assert.deepStrictEqual(
        (yield* Effect.all([one.counters.count("any", 9), one.counters.count("any", 9)], {
          concurrency: "unbounded"
        })).map(({ used }) => used),
        [1, 2]
      )
      yield* server.signal("SIGCONT")
      yield* Effect.retry(one.store.take([]), patiently)
    })
  )
})
