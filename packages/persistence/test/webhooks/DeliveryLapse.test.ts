import { RetryPolicy } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { acknowledged, alone, claim, claimOne, disable, emit, passTime, prepared } from "./Scenario.ts"

describe("a claim of a stopped dispatcher", () => {
  it.live("is claimed again as the next attempt, and the unreported attempt is returned", () =>
    Effect.gen(function* () {
      const { business, listed } = yield* prepared
      yield* emit(business)
      const first = yield* claimOne
      yield* passTime
      const second = yield* claimOne
      assert.strictEqual(second.deliveryId, first.deliveryId)
      assert.strictEqual(second.attempt, 2)
      assert.notStrictEqual(second.claimId, first.claimId)
      const [record] = yield* listed
      assert.deepStrictEqual(
        record?.attempts.map(({ attempt, error, response_status }) => [attempt, error, response_status]),
        [[1, "no result: the dispatcher stopped", null]]
      )
    }).pipe(alone)
  )

  it.live("holds until 90 s after a first attempt, and the floor and 15 s after a later one", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business)
      for (let attempt = 1; attempt <= RetryPolicy.maxAttempts; attempt++) {
        assert.strictEqual((yield* claimOne).attempt, attempt)
        const [row] = yield* sql<{ lease: number }>`
          SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS lease FROM webhook_deliveries`
        assert.approximately(row?.lease ?? 0, RetryPolicy.leaseSecondsOf(attempt), 1)
        yield* passTime
      }
    }).pipe(alone)
  )

  it.live("fails after the sixth attempt", () =>
    Effect.gen(function* () {
      const { business, listed } = yield* prepared
      yield* emit(business)
      for (let attempt = 1; attempt <= 6; attempt++) {
        assert.strictEqual((yield* claimOne).attempt, attempt)
        yield* passTime
      }
      assert.deepStrictEqual(yield* claim(), [])
      const [record] = yield* listed
      assert.strictEqual(record?.status, "failed")
      assert.strictEqual(record?.attempt, 6)
      assert.strictEqual(record?.next_attempt_at, null)
      assert.strictEqual(record?.last_error, "no result: the dispatcher stopped")
      assert.deepStrictEqual(
        record?.attempts.map(({ attempt }) => attempt),
        [1, 2, 3, 4, 5, 6]
      )
    }).pipe(alone)
  )

  it.live("changes nothing if its result comes after another claim of the delivery", () =>
    Effect.gen(function* () {
      const { business, listed, queue } = yield* prepared
      yield* emit(business)
      const frozen = yield* claimOne
      yield* passTime
      const successor = yield* claimOne
      assert.deepStrictEqual(yield* queue.record([acknowledged(frozen)]), ["late"])
      yield* queue.release([frozen])
      assert.deepStrictEqual(
        (yield* listed).map(({ attempt, status }) => [attempt, status]),
        [[2, "pending"]]
      )
      assert.deepStrictEqual(yield* queue.record([acknowledged(successor)]), ["delivered"])
      assert.strictEqual((yield* listed)[0]?.status, "delivered")
    }).pipe(alone)
  )

  it.live("fails when its endpoint was disabled meanwhile", () =>
    Effect.gen(function* () {
      const { business, endpoint, listed } = yield* prepared
      yield* emit(business)
      yield* claimOne
      yield* disable(endpoint.endpoint_id)
      yield* passTime
      assert.deepStrictEqual(yield* claim(), [])
      assert.strictEqual((yield* listed)[0]?.last_error, "endpoint disabled")
    }).pipe(alone)
  )

  it.live("counts against its endpoint's limit when it is claimed again", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* emit(business, 30)
      assert.strictEqual((yield* claim(100, 10)).length, 10)
      yield* passTime
      const again = yield* claim(100, 4)
      assert.deepStrictEqual(
        again.map(({ attempt }) => attempt),
        [2, 2, 2, 2]
      )
    }).pipe(alone)
  )
})

describe("a claim of a dispatcher that stopped while its endpoint was disabled", () => {
  it.live("is returned and released after its lease, and the delivery stays as it was", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint, listed, queue } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business)
      yield* claimOne
      yield* passTime
      const silent = yield* claimOne
      yield* disable(endpoint.endpoint_id)
      yield* deliveries.cancel(business, endpoint.endpoint_id)
      const pass = (seconds: number) =>
        sql`UPDATE webhook_deliveries SET cancelled_at = cancelled_at - make_interval(secs => ${seconds})`
      const reported = Effect.gen(function* () {
        assert.deepStrictEqual(yield* claim(), [])
        const [record] = yield* listed
        assert.deepStrictEqual([record?.status, record?.last_error], ["failed", "endpoint disabled"])
        return record?.attempts.map(({ attempt, error }) => [attempt, error])
      })
      // The second attempt's lease is longer than the first's.
      yield* pass(RetryPolicy.leaseSecondsOf(2) - 2)
      assert.lengthOf((yield* reported) ?? [], 1)
      yield* pass(3)
      const both = [
        [1, "no result: the dispatcher stopped"],
        [2, "no result: the dispatcher stopped"]
      ]
      assert.deepStrictEqual(yield* reported, both)
      assert.isEmpty(yield* sql`SELECT 1 FROM webhook_deliveries WHERE claim_id IS NOT NULL`)
      assert.deepStrictEqual(yield* queue.record([acknowledged(silent)]), ["late"])
      assert.deepStrictEqual(yield* reported, both)
    }).pipe(alone)
  )
})
