import { RateCounters } from "@livery/domain"
import { RedisRateCounters } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { createClient } from "@redis/client"
import { Clock, Effect, Layer, Redacted, Schedule } from "effect"
import { rateCountersContract } from "../../../../test/support/RateCountersContract.ts"
import { redisIsThere, redisServer } from "./RedisServer.ts"

const node = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const built = yield* Layer.build(Layer.fresh(RedisRateCounters.layer({ url })))
  return yield* RateCounters.pipe(Effect.provideContext(built))
})

const patiently = { schedule: Schedule.spaced("20 millis"), times: 500 }

/** Nodes of a server that runs, connected. */
const nodes = Effect.fnUntraced(function* (count: number) {
  const server = yield* redisServer
  yield* server.start
  const all = yield* Effect.forEach(Array.from({ length: count }), () => node(server.url))
  yield* Effect.forEach(all, (counters) => Effect.retry(counters.count("first"), patiently))
  return { server, all }
})

const secondsNow = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)

describe.skipIf(!redisIsThere)("counters in Redis", () => {
  it.live("are exact over two nodes", () =>
    Effect.gen(function* () {
      const { all } = yield* nodes(2)
      yield* rateCountersContract.exact("busy", all)
    })
  )

  it.live("end their windows with the minute of Redis' clock, keep keys apart, and leave none behind", () =>
    Effect.gen(function* () {
      const { all, server } = yield* nodes(1)
      const [counters] = all
      if (counters === undefined) return assert.fail("no node")
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
      const counters = yield* node(server.url)
      const began = yield* Clock.currentTimeMillis
      const { _tag } = yield* Effect.flip(counters.count("any"))
      assert.strictEqual(_tag, "CountersAway")
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 1000)
      yield* server.start
      assert.strictEqual((yield* Effect.retry(counters.count("any"), patiently)).used, 1)
      yield* server.end
      yield* Effect.flip(counters.count("any"))
      yield* server.start
      yield* Effect.retry(counters.count("any"), patiently)
    })
  )

  it.live("do not wait for a Redis that does not respond", () =>
    Effect.gen(function* () {
      const { all, server } = yield* nodes(1)
      yield* server.signal("SIGSTOP")
      const began = yield* Clock.currentTimeMillis
      const refusals = yield* Effect.forEach(all, (counters) => Effect.flip(counters.count("any")))
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 2000)
      assert.include(refusals[0]?.message, "250 ms")
      yield* server.signal("SIGCONT")
      yield* Effect.forEach(all, (counters) => Effect.retry(counters.count("any"), patiently))
    })
  )
})
