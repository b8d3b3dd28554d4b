import { PlatformSettings, RateCounters } from "@livery/domain"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { RateLimits } from "../../src/http/access/RateLimits.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { assign, business, login, operator, setStatus } from "../support/People.ts"
import { type Answer, type Ask, openServer, record, refusedAs } from "../support/TestServer.ts"

const standing = ({ headers }: Answer) =>
  ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) => headers.get(name))

const allowed = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status !== 429).length

/** Advances to the start of the next window. Returns the window's end in Unix seconds. */
const nextWindow = Effect.gen(function* () {
  const now = yield* TestClock.testClockWith((clock) => clock.currentTimeMillis)
  yield* TestClock.adjust(60_000 - (now % 60_000))
  return Math.floor(now / 60_000) * 60 + 120
})

layer(PortsInMemory)("a business", (it) => {
  it.effect("has a number of requests a minute for all its callers, and each response has the counts", () =>
    Effect.gen(function* () {
      const plain = yield* openServer()
      const { key, token } = yield* business(plain)
      const server = yield* openServer({ limits: { business: 3 } })
      const end = String(yield* nextWindow)
      const answers = [
        yield* server.send("GET", "/ping", { credential: key }),
        yield* server.send("GET", "/trips/999", { credential: token }),
        yield* server.send("GET", "/trips?page=0", { credential: key })
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 404, 422]
      )
      assert.deepStrictEqual(answers.map(standing), [
        ["3", "2", end],
        ["3", "1", end],
        ["3", "0", end]
      ])
      yield* TestClock.adjust("15 seconds")
      const refused = yield* server.send("POST", "/trips", { credential: key, body: {} })
      refusedAs(refused, 429, "rate_limited")
      assert.deepStrictEqual(standing(refused), ["3", "0", end])
      assert.strictEqual(refused.headers.get("retry-after"), "45")
    })
  )

  it.effect("of N+20 requests at once, exactly N pass", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const server = yield* openServer({ limits: { business: 30 } })
      yield* nextWindow
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => server.send("GET", "/ping", { credential: key })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(allowed(answers), 30)
      const remaining = answers.map(standing).map(([, left]) => Number(left))
      assert.deepStrictEqual(
        remaining.sort((one, other) => other - one).slice(0, 30),
        Array.from({ length: 30 }, (_, index) => 29 - index)
      )
    })
  )

  it.effect("may continue in the next minute of the clock, and no earlier", () =>
    Effect.gen(function* () {
      const { key } = yield* business(yield* openServer())
      const server = yield* openServer({ limits: { business: 1 } })
      const ping = server.send("GET", "/ping", { credential: key })
      yield* nextWindow
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual((yield* ping).status, 200)
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual([(yield* ping).status, (yield* ping).headers.get("retry-after")], [429, "1"])
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* ping).status, 200)
    })
  )

  it.effect("does not use another's limit", () =>
    Effect.gen(function* () {
      const plain = yield* openServer()
      const one = yield* business(plain)
      const other = yield* business(plain)
      yield* assign(other.businessId, one.userId)
      const server = yield* openServer({ limits: { business: 1 } })
      yield* nextWindow
      const token = String(record(yield* login(server, one))["access_token"])
      const ping = (credential: string, id: number) =>
        server.send("GET", "/ping", { credential, business: id })
      assert.strictEqual((yield* ping(token, one.businessId)).status, 200)
      refusedAs(yield* ping(one.key, one.businessId), 429, "rate_limited")
      assert.strictEqual((yield* ping(other.key, other.businessId)).status, 200)
      // One person acts for both, and each business has its own limit.
      refusedAs(yield* ping(token, other.businessId), 429, "rate_limited")
    })
  )

  it.effect("a user without a business is limited as a person", () =>
    Effect.gen(function* () {
      const { token } = yield* operator(yield* openServer())
      const server = yield* openServer({ limits: { business: 2 } })
      yield* nextWindow
      const me = server.send("GET", "/me", { credential: token })
      const answers = [yield* me, yield* me, yield* me]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 429]
      )
      assert.strictEqual(standing(yield* me)[0], "2")
    })
  )
})

layer(PortsInMemory)("an address", (it) => {
  const wrong = { body: { email: "nobody@example.com", password: "wrong password" } }

  it.effect(
    "may send a number of requests a minute to all public auth routes together, whether they succeed or fail",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer({ limits: { auth: 3 } })
        const end = String(yield* nextWindow)
        const from = (peer: string) => ({ ...wrong, peer })
        refusedAs(yield* server.send("POST", "/auth/login", from("192.0.2.1")), 401, "invalid_credentials")
        refusedAs(yield* server.send("POST", "/auth/register", from("192.0.2.1")), 422, "invalid_request")
        const last = yield* server.send("POST", "/auth/verify-email", from("192.0.2.1"))
        assert.deepStrictEqual([last.status, ...standing(last)], [422, "3", "0", end])
        refusedAs(yield* server.send("POST", "/auth/login", from("192.0.2.1")), 429, "rate_limited")
        refusedAs(yield* server.send("POST", "/auth/login", from("192.0.2.2")), 401, "invalid_credentials")
      })
  )

  it.effect("that tries credentials is limited exactly, also for concurrent requests", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 5 } })
      yield* nextWindow
      const answers = yield* Effect.all(
        Array.from({ length: 25 }, (_, index) =>
          server.send("GET", "/ping", { credential: `lvk_guess${index}`, peer: "192.0.2.1" })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(allowed(answers), 5)
      for (const answer of answers)
        refusedAs(answer, answer.status, answer.status === 429 ? "rate_limited" : "unauthorized")
    })
  )

  it.effect("that is refused for any other reason has the headers, and counts too", () =>
    Effect.gen(function* () {
      const plain = yield* openServer()
      const one = yield* business(plain)
      const closed = yield* business(plain)
      yield* assign(closed.businessId, one.userId)
      yield* setStatus(closed.businessId, "D")
      const refusals: ReadonlyArray<readonly [Ask, string, number, string]> = [
        [{ credential: one.key }, "/me", 403, "forbidden"],
        [{ credential: one.token }, "/ping", 422, "business_required"],
        [{ credential: one.token, business: 999_999 }, "/ping", 403, "forbidden"],
        [{ credential: one.token, business: "x" }, "/ping", 422, "invalid_request"],
        [{ credential: closed.key }, "/ping", 403, "account_suspended"]
      ]
      for (const [ask, path, status, type] of refusals) {
        const server = yield* openServer({ limits: { public: 1 } })
        yield* nextWindow
        const refused = yield* server.send("GET", path, ask)
        refusedAs(refused, status, type)
        assert.deepStrictEqual(standing(refused).slice(0, 2), ["1", "0"])
        refusedAs(yield* server.send("GET", path, ask), 429, "rate_limited")
      }
    })
  )

  it.effect("of IPv6 counts by its /64", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { auth: 1 } })
      yield* nextWindow
      const status = (peer: string) =>
        Effect.map(server.send("POST", "/auth/login", { ...wrong, peer }), ({ status }) => status)
      assert.strictEqual(yield* status("2001:db8:0:1::1"), 401)
      assert.strictEqual(yield* status("2001:db8:0:1:ffff::2"), 429)
      assert.strictEqual(yield* status("2001:DB8:0000:0001::3"), 429)
      assert.strictEqual(yield* status("2001:db8:0:2::1"), 401)
      assert.strictEqual(yield* status("::ffff:192.0.2.1"), 401)
      assert.strictEqual(yield* status("192.0.2.1"), 429)
    })
  )

  it.effect("is the connection's own unless proxies are trusted, whatever X-Forwarded-For says", () =>
    Effect.gen(function* () {
      const ask = Effect.fnUntraced(function* (trustedProxies: number, chains: ReadonlyArray<string>) {
        const server = yield* openServer({ limits: { auth: 1 }, trustedProxies })
        yield* nextWindow
        return yield* Effect.forEach(chains, (chain) =>
          Effect.map(
            server.send("POST", "/auth/login", {
              ...wrong,
              peer: "198.51.100.7",
              headers: chain === "" ? {} : { "x-forwarded-for": chain }
            }),
            ({ status }) => status
          )
        )
      })
      assert.deepStrictEqual(yield* ask(0, ["", "192.0.2.1", "192.0.2.2"]), [401, 429, 429])
      // With one proxy, the entries before the last are the client's own claim.
      assert.deepStrictEqual(
        yield* ask(1, ["192.0.2.1", "192.0.2.2", "203.0.113.9, 192.0.2.1", "192.0.2.1:4711"]),
        [401, 401, 429, 429]
      )
      assert.deepStrictEqual(
        yield* ask(2, ["192.0.2.1, 10.0.0.1", "192.0.2.2, 10.0.0.1", "9.9.9.9, 192.0.2.1, 10.0.0.2"]),
        [401, 401, 429]
      )
      // Without the header, the request came through no proxy.
      assert.deepStrictEqual(yield* ask(1, ["", "", "192.0.2.1"]), [401, 429, 401])
    })
  )
})

it.effect(
  "a caller may retry after 1 to 60 whole seconds, rounded up, also if the clock of the counters differs",
  () =>
    Effect.gen(function* () {
      const window = { resetsAt: 0 }
      const count = () => ({ used: 2, resetsAt: window.resetsAt })
      const Counters = Layer.succeed(RateCounters, {
        count: () => Effect.sync(count),
        countNow: count,
        isUnavailable: () => false,
        probe: Effect.void
      })
      const Settings = Layer.mock(PlatformSettings)({ current: () => assert.fail("The limit is given") })
      const limits = yield* RateLimits.pipe(
        Effect.provide(Layer.provide(RateLimits.layer({ business: 1 }), [Counters, Settings]))
      )
      for (const [now, resetsAt, seconds] of [
        [0, 45, 45],
        [500, 45, 45],
        [44_999, 45, 1],
        [45_000, 45, 1],
        [50_000, 45, 1],
        [50_000, 300, 60]
      ] as const) {
        yield* TestClock.setTime(now)
        window.resetsAt = resetsAt
        assert.strictEqual(
          limits.countNow("business", "1")?.retryAfterSeconds,
          seconds,
          `${resetsAt} s at ${now} ms`
        )
      }
    })
)
