import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { TestClock } from "effect/testing"
import { makeDatabaseClock } from "../../src/time/DatabaseClock.ts"

const now = 1_800_000_000_000
const offsetMetric = Effect.map(
  Metric.snapshot,
  (metrics) => metrics.find(({ id }) => id === "livery_webhook_clock_offset_seconds")?.state
)
const prepared = Effect.andThen(TestClock.setTime(now), makeDatabaseClock)

describe("the time for signatures", () => {
  it.effect("is the machine's while its clock is within a minute of the database's", () =>
    Effect.gen(function* () {
      const { currentMillis, observe } = yield* prepared
      assert.strictEqual(currentMillis(), now)
      for (const databaseMillis of [now, now + 59_000, now - 59_000]) {
        yield* observe({ databaseMillis, sentAt: now })
        assert.strictEqual(currentMillis(), now)
      }
    })
  )

  it.effect("is the database's when the clock is off by more than a minute, until it is right again", () =>
    Effect.gen(function* () {
      const { currentMillis, observe } = yield* prepared
      for (const offset of [75_000, -75_000, 3_600_000]) {
        yield* observe({ databaseMillis: now + offset, sentAt: now })
        assert.strictEqual(currentMillis(), now + offset)
      }
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(currentMillis(), now + 3_610_000)
      yield* observe({ databaseMillis: now + 10_500, sentAt: now + 10_000 })
      assert.strictEqual(currentMillis(), now + 10_000)
    })
  )

  it.effect("is not changed by a claim that took minutes", () =>
    Effect.gen(function* () {
      const { currentMillis, observe } = yield* prepared
      yield* TestClock.adjust("5 minutes")
      for (const databaseMillis of [now, now + 150_000, now + 300_000]) {
        yield* observe({ databaseMillis, sentAt: now })
        assert.strictEqual(currentMillis(), now + 300_000)
      }
    })
  )

  it.effect("has its difference in a metric", () =>
    Effect.gen(function* () {
      const { observe } = yield* prepared
      yield* observe({ databaseMillis: now - 75_000, sentAt: now })
      assert.deepInclude(yield* offsetMetric, { value: -75 })
      yield* observe({ databaseMillis: now + 500, sentAt: now })
      assert.deepInclude(yield* offsetMetric, { value: 0.5 })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})
