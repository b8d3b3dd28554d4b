import { EndpointId } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Metric, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { SendRequest } from "../src/posting/WebhookSender.ts"
import { busy, makeTestDispatcher, ok } from "./support/TestDispatcher.ts"

const ofBusy = { url: "https://busy.example.org/", endpointId: EndpointId.make(2) }
const answering = ({ url }: SendRequest) => Effect.succeed(url.includes("busy") ? busy : ok)

/** The counters by outcome, without those at 0. */
const counted = Effect.map(Metric.snapshot, (metrics) => {
  const of = (id: string) =>
    Object.fromEntries(
      metrics.flatMap((metric) =>
        metric.id === id && metric.type === "Counter" && Number(metric.state.count) > 0
          ? [[metric.attributes?.["outcome"], Number(metric.state.count)]]
          : []
      )
    )
  return { attempts: of("livery_webhook_attempts_total"), deliveries: of("livery_webhook_deliveries_total") }
})

const withOwnMetrics = <A, E>(body: Effect.Effect<A, E, Scope.Scope>) =>
  body.pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))

describe("the metrics of a dispatcher", () => {
  it.effect("have a counter at 0 for each outcome from the start", () =>
    Effect.gen(function* () {
      const { run } = makeTestDispatcher(answering)
      yield* run()
      const counters = (yield* Metric.snapshot).filter(({ type }) => type === "Counter")
      const outcomesOf = (name: string) =>
        counters.flatMap(({ attributes, id }) => (id === name ? [attributes?.["outcome"]] : []))
      assert.includeMembers(outcomesOf("livery_webhook_attempts_total"), [
        "acknowledged",
        "http_5xx",
        "timeout"
      ])
      assert.sameMembers(outcomesOf("livery_webhook_deliveries_total"), ["delivered", "failed"])
      assert.deepStrictEqual(yield* counted, { attempts: {}, deliveries: {} })
    }).pipe(withOwnMetrics)
  )

  it.effect(
    "count attempts by outcome, deliveries by end and the lag of first attempts, without any name",
    () =>
      Effect.gen(function* () {
        const { add, run } = makeTestDispatcher(answering)
        add(2, { ageMs: 40 })
        add(1, ofBusy)
        yield* run()
        yield* TestClock.adjust("1 second")
        yield* TestClock.adjust("2 hours")
        assert.deepStrictEqual(yield* counted, {
          attempts: { acknowledged: 2, http_5xx: 6 },
          deliveries: { delivered: 2, failed: 1 }
        })
        const metrics = (yield* Metric.snapshot).map((metric) => ({
          ...metric,
          text: JSON.stringify(metric)
        }))
        const lag = metrics.find(({ id }) => id === "livery_webhook_lag_seconds")
        assert.deepInclude(lag?.state, { count: 3 })
        assert.notInclude(metrics.map(({ text }) => text).join(), "example.org")
      }).pipe(withOwnMetrics)
  )

  it.effect("do not count a delivery again that was cancelled during its attempt", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { add, cancel, run } = makeTestDispatcher((request) =>
        Effect.andThen(Deferred.await(answer), answering(request))
      )
      add(2)
      add(1, ofBusy)
      yield* run()
      yield* TestClock.adjust("1 second")
      cancel()
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* counted, { attempts: { acknowledged: 2, http_5xx: 1 }, deliveries: {} })
    }).pipe(withOwnMetrics)
  )

  it.effect(
    "do not count a delivery for a result that came too late, and count each that fails without a result",
    () =>
      Effect.gen(function* () {
        const { add, run, state } = makeTestDispatcher(answering)
        add(1)
        state.beforeRecord = Effect.sleep("2 hours")
        yield* run()
        yield* TestClock.adjust("1 second")
        yield* TestClock.adjust("3 hours")
        const { attempts, deliveries } = yield* counted
        assert.deepStrictEqual(deliveries, { failed: 1 })
        assert.deepStrictEqual(attempts, { acknowledged: 6, no_result: 6 })
      }).pipe(withOwnMetrics)
  )
})

describe("the log of a dispatcher", () => {
  it.effect("has a line for each failed attempt, with the wait until the next", () =>
    Effect.gen(function* () {
      const { add, failureLogs, run } = makeTestDispatcher(answering)
      add(1)
      add(1, ofBusy)
      yield* run()
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(
        failureLogs.map(({ attempt, delivery_id, error, status }) => [delivery_id, attempt, error, status]),
        [1, 2, 3, 4, 5, 6].map((attempt) => [2, attempt, "http 503", attempt < 6 ? "pending" : "failed"])
      )
      for (const [index, floor] of [60, 120, 240, 480, 960].entries()) {
        assert.isAtLeast(Number(failureLogs[index]?.["retry_in_s"]), floor)
        assert.isAtMost(Number(failureLogs[index]?.["retry_in_s"]), floor * 1.1)
      }
      assert.isNull(failureLogs[5]?.["retry_in_s"])
    }).pipe(withOwnMetrics)
  )

  it.effect("shows no next attempt once the endpoint has been disabled", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { add, cancel, failureLogs, run } = makeTestDispatcher(() =>
        Effect.as(Deferred.await(answer), busy)
      )
      add(1)
      yield* run()
      yield* TestClock.adjust("1 second")
      cancel()
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        failureLogs.map(({ error, retry_in_s, status }) => [error, status, retry_in_s]),
        [["http 503", "failed", null]]
      )
    }).pipe(withOwnMetrics)
  )

  it.effect("has a line for each attempt of a stopped dispatcher, also for the last one", () =>
    Effect.gen(function* () {
      const { add, failureLogs, queue, run, stored } = makeTestDispatcher(answering)
      add(2)
      // Another dispatcher claims both, one of them for the last time, and stops.
      for (const row of stored.slice(1)) row.attempt = 5
      yield* queue.claim({ limit: 10, perEndpoint: 10 })
      yield* run()
      yield* TestClock.adjust("1 second")
      assert.isEmpty(failureLogs)
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual(
        failureLogs.map(({ attempt, delivery_id, error, retry_in_s, status }) => [
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
    }).pipe(withOwnMetrics)
  )

  it.effect("has a line for a failure that could not be written, with an unknown status", () =>
    Effect.gen(function* () {
      const { add, failureLogs, run, state } = makeTestDispatcher(() => Effect.succeed(busy))
      add(1)
      state.beforeRecord = Effect.die(new Error("terminating connection"))
      yield* run()
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("95 seconds")
      assert.deepStrictEqual(
        failureLogs
          .filter(({ error }) => error === "http 503")
          .map(({ attempt, retry_in_s, status }) => [attempt, status, retry_in_s])[0],
        [1, "unknown", null]
      )
    }).pipe(withOwnMetrics)
  )
})
