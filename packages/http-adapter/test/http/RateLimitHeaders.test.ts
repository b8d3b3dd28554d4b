import { ApiKeyRepository, CountersAway, RateCounters, TripRepository } from "@livery/domain"
import { PgClient, RateCountersPg } from "@livery/persistence"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { Ports } from "../support/TestPorts.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { business } from "../support/People.ts"
import { type Answer, openWire, refusedAs } from "../support/Wire.ts"

const standing = ({ headers }: Answer) =>
  ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) => headers.get(name))

layer(Ports)("every answer says where its caller stands", (it) => {
  it.effect("whatever became of the request", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openWire())
      const wire = yield* openWire({ limits: { business: 11, auth: 12, public: 13 } }).pipe(
        Effect.provideService(TripRepository, {
          ...(yield* TripRepository),
          find: () => Effect.die(new Error("lightning"))
        })
      )
      const credential = { credential: key }
      for (const [status, limit, answer] of [
        [200, "11", yield* wire.send("GET", "/ping", credential)],
        [422, "11", yield* wire.send("POST", "/trips", { ...credential, body: {} })],
        [400, "11", yield* wire.send("POST", "/trips", { ...credential, text: "{" })],
        [404, "11", yield* wire.send("GET", "/trips/x", credential)],
        [500, "11", yield* wire.send("GET", "/trips/1", credential)],
        [401, "13", yield* wire.send("GET", "/ping")],
        [403, "13", yield* wire.send("GET", "/me", credential)],
        [404, "13", yield* wire.send("GET", "/nowhere")],
        [404, "13", yield* wire.sendTo("GET", "/")],
        [405, "13", yield* wire.send("PUT", "/trips")],
        [401, "12", yield* wire.send("POST", "/auth/refresh", { body: { refresh_token: "no such" } })],
        [422, "12", yield* wire.send("POST", "/auth/login", { body: {} })]
      ] as const) {
        const [told, remaining, resetsAt] = standing(answer)
        assert.deepStrictEqual([answer.status, told], [status, limit], answer.text)
        assert.match(remaining ?? "", /^\d+$/u)
        assert.strictEqual(Number(resetsAt) % 60, 0)
      }
    })
  )

  it.effect("also a fault that came before anybody was counted", () =>
    Effect.gen(function* () {
      const wire = yield* openWire({ limits: { public: 13 } }).pipe(
        Effect.provideService(ApiKeyRepository, {
          ...(yield* ApiKeyRepository),
          businessOf: () => Effect.die(new Error("lightning"))
        })
      )
      const answer = yield* wire.send("GET", "/ping", { credential: `lvk_${"a".repeat(43)}` })
      refusedAs(answer, 500, "server_error")
      assert.deepStrictEqual(standing(answer).slice(0, 2), ["13", "12"])
    })
  )

  it.effect("but those of probes, of the documentation and of pre-flights: nobody is counted for them", () =>
    Effect.gen(function* () {
      const wire = yield* openWire({ limits: { public: 1 } })
      for (const [method, path] of [
        ["GET", "/health/live"],
        ["GET", "/health/ready"],
        ["GET", "/openapi.json"],
        ["GET", "/docs"],
        ["OPTIONS", "/api/v1/trips"],
        ["OPTIONS", "/nowhere"]
      ] as const) {
        const answer = yield* wire.sendTo(method, path)
        assert.isBelow(answer.status, 300, path)
        assert.deepStrictEqual(standing(answer), [null, null, null], path)
      }
      assert.strictEqual(standing(yield* wire.send("GET", "/nowhere"))[1], "0")
    })
  )

  it.effect("who asks for what is not there is limited by address", () =>
    Effect.gen(function* () {
      const wire = yield* openWire({ limits: { public: 2 } })
      const ask = (method: string, path: string, peer: string) => wire.send(method, path, { peer })
      assert.strictEqual((yield* ask("GET", "/nowhere", "192.0.2.1")).status, 404)
      assert.strictEqual((yield* ask("PUT", "/trips", "192.0.2.1")).status, 405)
      const refused = yield* ask("GET", "/nowhere", "192.0.2.1")
      refusedAs(refused, 429, "rate_limited")
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/u)
      assert.strictEqual((yield* ask("GET", "/nowhere", "192.0.2.2")).status, 404)
    })
  )
})

layer(Ports)("while the counters are away", (it) => {
  const away = Effect.sync(() => {
    let asked = 0
    const counters = RateCounters.of({
      countNow: () => undefined,
      count: () =>
        Effect.suspend(() => {
          asked += 1
          return Effect.fail(new CountersAway({ reason: "the cable is cut" }))
        })
    })
    return { counters, asked: () => asked }
  })

  it.effect("a business is served, and who has yet to sign in is refused", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openWire())
      const { counters } = yield* away
      const wire = yield* openWire({ counters, limits: { business: 7 } })
      const served = yield* wire.send("GET", "/ping", { credential: key })
      assert.strictEqual(served.status, 200)
      assert.deepStrictEqual(standing(served).slice(0, 2), ["7", "7"])
      refusedAs(yield* wire.send("GET", "/ping"), 401, "unauthorized")
      const refused = yield* wire.send("POST", "/auth/login", { body: {} })
      refusedAs(refused, 429, "rate_limited")
      assert.strictEqual(refused.headers.get("retry-after"), "5")
    })
  )

  it.effect("by a fault of theirs it is the same", () =>
    Effect.gen(function* () {
      const counters = RateCounters.of({
        countNow: () => undefined,
        count: () => Effect.die(new Error("lightning"))
      })
      const wire = yield* openWire({ counters })
      refusedAs(yield* wire.send("GET", "/nowhere"), 404, "not_found")
      refusedAs(yield* wire.send("POST", "/auth/login", { body: {} }), 429, "rate_limited")
    })
  )

  it.effect("they are asked once a second, so that not every request waits for them, and the log tells", () =>
    Effect.gen(function* () {
      const { asked, counters } = yield* away
      const { lines } = yield* CapturedLog
      const before = lines.length
      const wire = yield* openWire({ counters })
      for (let times = 0; times < 5; times++) yield* wire.send("GET", "/ping")
      assert.strictEqual(asked(), 1)
      yield* TestClock.adjust("1 second")
      yield* wire.send("GET", "/ping")
      assert.strictEqual(asked(), 2)
      assert.lengthOf(
        lines.slice(before).filter((line) => line.includes("the cable is cut") && line.includes("WARN")),
        2
      )
    })
  )
})

layer(Ports)("two nodes with counters in one database", (it) => {
  it.effect("let through exactly as many as one", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openWire())
      const { url } = yield* TestDatabase.create
      const node = Effect.gen(function* () {
        const built = yield* Layer.build(
          Layer.fresh(RateCountersPg.layer.pipe(Layer.provide(PgClient.layer({ url }))))
        )
        return yield* openWire({
          counters: yield* Effect.provideContext(RateCounters, built),
          limits: { business: 20 }
        })
      })
      const nodes = [yield* node, yield* node]
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => nodes[index % 2]),
        (wire) => wire?.send("GET", "/ping", { credential: key }) ?? Effect.die("no node"),
        { concurrency: "unbounded" }
      )
      // The database's clock is real: if its minute turned meanwhile, each minute lets through its own.
      const windows = Map.groupBy(answers, (answer) => standing(answer)[2])
      for (const window of windows.values())
        assert.strictEqual(window.filter(({ status }) => status === 200).length, Math.min(20, window.length))
    })
  )
})
