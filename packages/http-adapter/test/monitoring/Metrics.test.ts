import { DeliveryQueue, MailOutbox, NodeBacklogs } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import { book, claims, settle, subscriber } from "../support/Webhooks.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, type TestServer } from "../support/TestServer.ts"

const scrape = (server: TestServer) => server.sendTo("GET", "/metrics")

/** The value of a series, or 0. */
const valueOf = (text: string, series: string) => {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `))
  return line === undefined ? 0 : Number(line.slice(series.length + 1))
}

layer(Ports)("GET /metrics", (it) => {
  it.effect("serves Prometheus outside of the API: no credential, no limit, not in its documentation", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { headers, status, text } = yield* scrape(server)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      assert.isNull(headers.get("x-ratelimit-limit"))
      assert.match(text, /^# TYPE livery_webhook_backlog gauge$/mu)
      for (const line of text.trimEnd().split("\n"))
        assert.match(line, /^(?:# (?:HELP|TYPE) .+|[a-zA-Z_:][\w:]*(?:\{.*\})? (?:[-+.\de]+|NaN|\+Inf))$/u)
      assert.isUndefined(
        ((yield* server.sendTo("GET", "/openapi.json")).body as { readonly paths?: Record<string, unknown> })
          .paths?.["/metrics"]
      )
      assert.strictEqual((yield* server.sendTo("POST", "/metrics")).status, 405)
    })
  )

  it.effect("counts requests by the route's pattern, without ids and other input of callers", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { path, send } = yield* subscriber(server)
      const series = 'livery_http_requests_total{method="GET",route="/api/v1/webhooks/:id",status="200"}'
      const before = valueOf((yield* scrape(server)).text, series)
      yield* send("GET", path)
      yield* send("GET", path)
      yield* server.sendTo("GET", "/somewhere/secret-word?token=secret-token")
      const { text } = yield* scrape(server)
      assert.strictEqual(valueOf(text, series) - before, 2)
      assert.isAtLeast(
        valueOf(text, 'livery_http_request_seconds_count{method="GET",route="/api/v1/webhooks/:id"}'),
        2
      )
      assert.isAtLeast(
        valueOf(text, 'livery_http_requests_total{method="GET",route="unknown",status="404"}'),
        1
      )
      assert.notInclude(text, "secret-")
    })
  )

  it.effect("shows the backlog, read every few seconds at most", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key, secret } = yield* subscriber(server)
      yield* Effect.replicateEffect(book(server, key), 3)
      yield* TestClock.adjust("3 seconds")
      const { text } = yield* scrape(server)
      assert.strictEqual(valueOf(text, "livery_webhook_backlog"), 3)
      assert.isAtLeast(valueOf(text, "livery_webhook_oldest_due_seconds"), 0)
      yield* settle(yield* claims, true)
      assert.strictEqual(valueOf((yield* scrape(server)).text, "livery_webhook_backlog"), 3)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(valueOf((yield* scrape(server)).text, "livery_webhook_backlog"), 0)
      for (const telling of [secret, key, "receiver.example.com"]) assert.notInclude(text, telling)
    })
  )

  it.effect("shows how many emails wait for a mail server, and the age of the oldest", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const outbox = yield* MailOutbox
      const waiting = Effect.gen(function* () {
        yield* TestClock.adjust("3 seconds")
        return (yield* scrape(server)).text
      })
      const before = valueOf(yield* waiting, "livery_mail_waiting")
      yield* outbox.post({ to: "ada@example.com", subject: "Invoice 7", text: "Hello" })
      const text = yield* waiting
      assert.strictEqual(valueOf(text, "livery_mail_waiting"), before + 1)
      assert.match(text, /^livery_mail_oldest_waiting_seconds [\d.]+$/mu)
      assert.notInclude(text, "ada@example.com")
    })
  )

  it.effect("shows how many events have no position in the feed yet, until the feed is read", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* subscriber(server)
      yield* Effect.replicateEffect(book(server, key), 2)
      yield* TestClock.adjust("3 seconds")
      const { text } = yield* scrape(server)
      assert.isAtLeast(valueOf(text, "livery_event_feed_lag"), 2)
      assert.isAtLeast(valueOf(text, "livery_event_feed_lag_seconds"), 0)
      yield* server.send("GET", "/events", { credential: key })
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(valueOf((yield* scrape(server)).text, "livery_event_feed_lag"), 0)
    })
  )

  it.effect("responds without the database, with NaN for its values", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { status, text } = yield* scrape(server)
      assert.strictEqual(status, 200)
      for (const name of ["livery_webhook_backlog", "livery_event_feed_lag"])
        assert.match(text, new RegExp(`^${name} NaN$`, "mu"))
    }).pipe(Effect.provide(Layer.mock(DeliveryQueue)({ backlog: Effect.die("the database is away") })))
  )

  it.effect("shows what waits on each node, and NaN for a node that does not respond or that is gone", () =>
    Effect.gen(function* () {
      const waiting = { due: 7, oldestDueSeconds: 3, events: 5, oldestSeconds: 2 }
      const one = { node: "one:5432", waiting: Option.some(waiting) }
      const two = { node: "two:5432", waiting: Option.some({ ...waiting, due: 0 }) }
      const nodes = yield* Ref.make([one, two])
      const server = yield* openServer().pipe(Effect.provideService(NodeBacklogs, Ref.get(nodes)))
      const backlogs = Effect.gen(function* () {
        yield* TestClock.adjust("3 seconds")
        const { text } = yield* scrape(server)
        assert.notMatch(text, /^livery_mail_waiting NaN$/mu)
        const of = (node: string) => valueOf(text, `livery_webhook_backlog{node="${node}:5432"}`)
        return [of("one"), of("two")]
      })
      assert.deepStrictEqual(yield* backlogs, [7, 0])
      const { text } = yield* scrape(server)
      for (const series of ["webhook_oldest_due_seconds", "event_feed_lag", "event_feed_lag_seconds"])
        assert.isAbove(valueOf(text, `livery_${series}{node="one:5432"}`), 0)
      yield* Ref.set(nodes, [{ ...one, waiting: Option.none() }, two])
      assert.deepStrictEqual(yield* backlogs, [Number.NaN, 0])
      yield* Ref.set(nodes, [one])
      assert.deepStrictEqual(yield* backlogs, [7, Number.NaN])
    })
  )
})
