import { ApiKeyRepository, CountersUnavailable, RateCounters, TripRepository } from "@livery/domain"
import { PgClient, RateCountersPg } from "@livery/persistence"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { countersOver } from "../../../../test/support/RateCountersContract.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { business } from "../support/People.ts"
import { type Answer, openServer, refusedAs, type TestServer } from "../support/TestServer.ts"

const standing = ({ headers }: Answer) =>
  ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) => headers.get(name))

layer(PortsInMemory)("every response has the rate limit's headers", (it) => {
  it.effect("whatever the outcome of its request is", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const server = yield* openServer({ limits: { business: 11, auth: 12, public: 13 } }).pipe(
        Effect.provideService(TripRepository, {
          ...(yield* TripRepository),
          find: () => Effect.die(new Error("lightning"))
        })
      )
      const credential = { credential: key }
      for (const [status, limit, answer] of [
        [200, "11", yield* server.send("GET", "/ping", credential)],
        [422, "11", yield* server.send("POST", "/trips", { ...credential, body: {} })],
        [400, "11", yield* server.send("POST", "/trips", { ...credential, text: "{" })],
        [404, "11", yield* server.send("GET", "/trips/x", credential)],
        [500, "11", yield* server.send("GET", "/trips/1", credential)],
        [401, "13", yield* server.send("GET", "/ping")],
        [403, "13", yield* server.send("GET", "/me", credential)],
        [404, "13", yield* server.send("GET", "/nowhere")],
        [404, "13", yield* server.sendTo("GET", "/nowhere")],
        [405, "13", yield* server.send("PUT", "/trips")],
        [401, "12", yield* server.send("POST", "/auth/refresh", { body: { refresh_token: "no such" } })],
        [422, "12", yield* server.send("POST", "/auth/login", { body: {} })]
      ] as const) {
        const [reported, remaining, resetsAt] = standing(answer)
        assert.deepStrictEqual([answer.status, reported], [status, limit], answer.text)
        assert.match(remaining ?? "", /^\d+$/u)
        assert.strictEqual(Number(resetsAt) % 60, 0)
      }
    })
  )

  it.effect("also if its request failed before the caller was counted", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 13 } }).pipe(
        Effect.provideService(ApiKeyRepository, {
          ...(yield* ApiKeyRepository),
          businessOf: () => Effect.die(new Error("lightning"))
        })
      )
      const answer = yield* server.send("GET", "/ping", { credential: `lvk_${"a".repeat(43)}` })
      refusedAs(answer, 500, "server_error")
      assert.deepStrictEqual(standing(answer).slice(0, 2), ["13", "12"])
    })
  )

  it.effect("except those of probes, of the documentation and of pre-flights, which are not counted", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 1 } })
      for (const [method, path] of [
        ["GET", "/health/live"],
        ["GET", "/health/ready"],
        ["GET", "/openapi.json"],
        ["OPTIONS", "/api/v1/trips"],
        ["OPTIONS", "/nowhere"]
      ] as const) {
        const answer = yield* server.sendTo(method, path)
        assert.isBelow(answer.status, 300, path)
        assert.deepStrictEqual(standing(answer), [null, null, null], path)
      }
      assert.strictEqual(standing(yield* server.send("GET", "/nowhere"))[1], "0")
    })
  )

  it.effect("requests for unknown paths are limited by address", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 2 } })
      const ask = (method: string, path: string, peer: string) => server.send(method, path, { peer })
      assert.strictEqual((yield* ask("GET", "/nowhere", "192.0.2.1")).status, 404)
      assert.strictEqual((yield* ask("PUT", "/trips", "192.0.2.1")).status, 405)
      const refused = yield* ask("GET", "/nowhere", "192.0.2.1")
      refusedAs(refused, 429, "rate_limited")
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/u)
      assert.strictEqual((yield* ask("GET", "/nowhere", "192.0.2.2")).status, 404)
    })
  )
})

layer(PortsInMemory)("while the store of the counters is unavailable", (it) => {
  /** Counters over a store that fails or answers. */
  const shared = Effect.gen(function* () {
    const state = { isAway: true }
    const counters = yield* countersOver({
      take: (demands) =>
        Effect.suspend(() => {
          if (state.isAway) return Effect.fail(new CountersUnavailable({ reason: "the cable is cut" }))
          return Effect.succeed({
            used: demands.map(({ count }) => count),
            resetsAt: 6_000_000_000,
            remainingMillis: 60_000
          })
        })
    })
    return { state, counters }
  })

  const login = (server: TestServer) => server.send("POST", "/auth/login", { body: {} })

  it.effect("a business is served, and limited by what the node counts in memory", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const { counters } = yield* shared
      const server = yield* openServer({ counters, limits: { business: 3 } })
      const answers: Array<Answer> = []
      for (let time = 0; time < 5; time++)
        answers.push(yield* server.send("GET", "/ping", { credential: key }))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 429, 429]
      )
      assert.deepStrictEqual(
        answers.map((answer) => standing(answer)[1]),
        ["2", "1", "0", "0", "0"]
      )
    })
  )

  it.effect("sign-ins are counted in memory at first, then fail with the reason", () =>
    Effect.gen(function* () {
      const { counters, state } = yield* shared
      const server = yield* openServer({ counters, limits: { auth: 3 } })
      const early = [yield* login(server), yield* login(server), yield* login(server), yield* login(server)]
      assert.deepStrictEqual(
        early.map(({ status }) => status),
        [422, 422, 422, 429]
      )
      assert.strictEqual((yield* server.sendTo("GET", "/health/ready")).status, 200)
      yield* TestClock.adjust("5 seconds")
      const refused = yield* login(server)
      refusedAs(refused, 500, "server_error")
      assert.strictEqual(refused.headers.get("retry-after"), "5")
      assert.include(refused.text, "the rate counters do not answer")
      const ready = yield* server.sendTo("GET", "/health/ready")
      refusedAs(ready, 503, "server_error")
      assert.include(ready.text, "the rate counters do not answer")
      refusedAs(yield* server.send("GET", "/ping"), 401, "unauthorized")
      state.isAway = false
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* login(server)).status, 422)
      assert.strictEqual((yield* server.sendTo("GET", "/health/ready")).status, 200)
    })
  )

  it.effect("a node without any request is not ready either", () =>
    Effect.gen(function* () {
      const { counters } = yield* shared
      const server = yield* openServer({ counters })
      assert.strictEqual((yield* server.sendTo("GET", "/health/ready")).status, 200)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* server.sendTo("GET", "/health/ready")).status, 503)
    })
  )

  it.effect("the log has a line about it once a minute, and one at its end", () =>
    Effect.gen(function* () {
      const { lines } = yield* CapturedLog
      const before = lines.length
      const { counters, state } = yield* shared
      const server = yield* openServer({ counters })
      for (let time = 0; time < 5; time++) yield* server.send("GET", "/ping")
      yield* TestClock.adjust("90 seconds")
      state.isAway = false
      yield* TestClock.adjust("1 second")
      const said = lines.slice(before).filter((line) => line.includes("rate counters"))
      assert.lengthOf(
        said.filter((line) => line.includes("the cable is cut") && line.includes("WARN")),
        2
      )
      assert.lengthOf(
        said.filter((line) => line.includes("answer again")),
        1
      )
    })
  )
})

layer(PortsInMemory)("two nodes with counters in one database", (it) => {
  it.effect("let through no more than the limit, and fewer by no more than what one holds unused", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const { url } = yield* TestDatabase.create
      const node = Effect.gen(function* () {
        const built = yield* Layer.build(
          Layer.fresh(RateCountersPg.layer.pipe(Layer.provide(PgClient.layer({ url }))))
        )
        return yield* openServer({
          counters: yield* Effect.provideContext(RateCounters, built),
          limits: { business: 20 }
        })
      })
      const nodes = [yield* node, yield* node]
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => nodes[index % 2]),
        (server) => server?.send("GET", "/ping", { credential: key }) ?? Effect.die("no node"),
        { concurrency: "unbounded" }
      )
      // The database's clock is real: if its minute turned meanwhile, each minute lets through its own.
      const windows = Map.groupBy(answers, (answer) => standing(answer)[2])
      for (const window of windows.values()) {
        const passed = window.filter(({ status }) => status === 200).length
        assert.isAtMost(passed, 20)
        assert.isAtLeast(passed, Math.min(18, window.length))
      }
    })
  )
})
