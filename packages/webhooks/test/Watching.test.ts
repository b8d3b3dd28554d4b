import { Cryptography, DeliveryQueue, EndpointId, SecretBox, WorkNotifier } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, Metric, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as WebhookDispatcher from "../src/WebhookDispatcher.ts"
import type { SendOutcome, SendRequest } from "../src/WebhookSender.ts"
import { makeMemoryQueue } from "./MemoryQueue.ts"
import { senderThat } from "./Sender.ts"

const ok: SendOutcome = { responseStatus: 200, acknowledged: true, error: null, retryAfter: 0 }
const busy: SendOutcome = { responseStatus: 503, acknowledged: false, error: "http 503", retryAfter: 0 }

const ofBusy = { url: "https://busy.example.org/", endpointId: EndpointId.make(2) }
const answering = ({ url }: SendRequest) => Effect.succeed(url.includes("busy") ? busy : ok)

/** A dispatcher that runs for the test, what it counted, and its lines about attempts. */
const arrange = (answer: (request: SendRequest) => Effect.Effect<SendOutcome>) => {
  const memory = makeMemoryQueue()
  const lines: Array<Readonly<Record<string, unknown>>> = []
  const logger = Logger.make(({ fiber, message }) => {
    if (String(message) === "A webhook attempt failed")
      lines.push(fiber.getRef(References.CurrentLogAnnotations))
  })
  const ports = Layer.mergeAll(
    senderThat(answer),
    Layer.succeed(DeliveryQueue, memory.queue),
    Layer.mock(SecretBox)({ open: (sealed) => Effect.succeed(sealed) }),
    Layer.mock(Cryptography)({ hmacSha256: (key) => Effect.succeed(key) }),
    WorkNotifier.layer,
    Logger.layer([logger])
  )
  const run = Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(WebhookDispatcher.layer().pipe(Layer.provideMerge(ports)), scope)
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(closing)
      })
    )
    yield* TestClock.adjust("1 second")
  })
  return { ...memory, lines, run }
}

/** What was counted: the number of each outcome. */
const counted = Effect.map(Metric.snapshot, (metrics) => {
  const of = (id: string) =>
    Object.fromEntries(
      metrics.flatMap((metric) =>
        metric.id === id && metric.type === "Counter"
          ? [[metric.attributes?.["outcome"], Number(metric.state.count)]]
          : []
      )
    )
  return { attempts: of("livery_webhook_attempts_total"), deliveries: of("livery_webhook_deliveries_total") }
})

const afresh = <A, E>(body: Effect.Effect<A, E, Scope.Scope>) =>
  body.pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))

describe("what a dispatcher counts", () => {
  it.effect("attempts by outcome, deliveries by their end, the lag of first attempts; nobody's name", () =>
    Effect.gen(function* () {
      const { add, run } = arrange(answering)
      add(2, { ageMs: 40 })
      add(1, ofBusy)
      yield* run
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* counted, {
        attempts: { acknowledged: 2, http_5xx: 6 },
        deliveries: { delivered: 2, failed: 1 }
      })
      const told = (yield* Metric.snapshot).map((metric) => ({ ...metric, text: JSON.stringify(metric) }))
      const lag = told.find(({ id }) => id === "livery_webhook_lag_seconds")
      assert.deepInclude(lag?.state, { count: 3 })
      assert.notInclude(told.map(({ text }) => text).join(), "example.org")
    }).pipe(afresh)
  )

  it.effect("no delivery again that failed with its endpoint while its attempt was under way", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { add, cancel, run } = arrange((request) =>
        Effect.andThen(Deferred.await(answer), answering(request))
      )
      add(2)
      add(1, ofBusy)
      yield* run
      cancel()
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* counted, { attempts: { acknowledged: 2, http_5xx: 1 }, deliveries: {} })
    }).pipe(afresh)
  )

  it.effect("no delivery for a result that came too late, and each that fails in silence", () =>
    Effect.gen(function* () {
      const { add, run, state } = arrange(answering)
      add(1)
      state.beforeRecord = Effect.sleep("2 hours")
      yield* run
      yield* TestClock.adjust("3 hours")
      const { attempts, deliveries } = yield* counted
      assert.deepStrictEqual(deliveries, { failed: 1 })
      assert.deepStrictEqual(attempts, { acknowledged: 6, no_result: 6 })
    }).pipe(afresh)
  )
})

describe("what a dispatcher's log tells", () => {
  it.effect("each attempt that failed, in a line, and when the next will be", () =>
    Effect.gen(function* () {
      const { add, lines, run } = arrange(answering)
      add(1)
      add(1, ofBusy)
      yield* run
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(
        lines.map(({ attempt, delivery_id, error, status }) => [delivery_id, attempt, error, status]),
        [1, 2, 3, 4, 5, 6].map((attempt) => [2, attempt, "http 503", attempt < 6 ? "pending" : "failed"])
      )
      for (const [index, floor] of [60, 120, 240, 480, 960].entries()) {
        assert.isAtLeast(Number(lines[index]?.["retry_in_s"]), floor)
        assert.isAtMost(Number(lines[index]?.["retry_in_s"]), floor * 1.1)
      }
      assert.isNull(lines[5]?.["retry_in_s"])
    }).pipe(afresh)
  )

  it.effect("that no other attempt will come, once the endpoint has been disabled", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { add, cancel, lines, run } = arrange(() => Effect.as(Deferred.await(answer), busy))
      add(1)
      yield* run
      cancel()
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        lines.map(({ error, retry_in_s, status }) => [error, status, retry_in_s]),
        [["http 503", "failed", null]]
      )
    }).pipe(afresh)
  )

  it.effect("each attempt of a dispatcher that stopped, the last one too", () =>
    Effect.gen(function* () {
      const { add, lines, queue, run, stored } = arrange(answering)
      add(2)
      // Another dispatcher takes both, one of them for the last time, and is never heard of again.
      for (const row of stored.slice(1)) row.attempt = 5
      yield* queue.claim({ limit: 10, perEndpoint: 10 })
      yield* run
      assert.isEmpty(lines)
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual(
        lines.map(({ attempt, delivery_id, error, retry_in_s, status }) => [
          delivery_id,
          attempt,
          error,
          status,
          retry_in_s
        ]),
        [
          [1, 1, "no result: the dispatcher stopped", "pending", 0],
          [2, 6, "no result: the dispatcher stopped", "failed", null]
        ]
      )
      assert.deepStrictEqual(yield* counted, {
        attempts: { no_result: 2, acknowledged: 1 },
        deliveries: { failed: 1, delivered: 1 }
      })
    }).pipe(afresh)
  )

  it.effect("a failure also where it could not be written: then nobody knows what comes of it", () =>
    Effect.gen(function* () {
      const { add, lines, run, state } = arrange(() => Effect.succeed(busy))
      add(1)
      state.beforeRecord = Effect.die(new Error("terminating connection"))
      yield* run
      yield* TestClock.adjust("95 seconds")
      assert.deepStrictEqual(
        lines
          .filter(({ error }) => error === "http 503")
          .map(({ attempt, retry_in_s, status }) => [attempt, status, retry_in_s])[0],
        [1, "unknown", null]
      )
    }).pipe(afresh)
  )
})
