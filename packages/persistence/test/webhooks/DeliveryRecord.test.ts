import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import {
  abandoned,
  acknowledged,
  alone,
  claim,
  claimOne,
  disable,
  emit,
  newEndpoint,
  passTime,
  prepared,
  refused
} from "./Scenario.ts"

describe("recording", () => {
  it.live("an acknowledged delivery is delivered, and final", () =>
    Effect.gen(function* () {
      const { business, listed, queue } = yield* prepared
      yield* emit(business)
      const delivery = yield* claimOne
      assert.deepStrictEqual(yield* queue.record([acknowledged(delivery)]), ["delivered"])
      assert.deepStrictEqual(yield* queue.record([refused(delivery)]), ["late"])
      const [record] = yield* listed
      assert.strictEqual(record?.status, "delivered")
      assert.deepStrictEqual(record?.attempts, [
        { attempt: 1, started_at: "2026-11-20T09:30:00Z", duration_ms: 12, response_status: 200, error: null }
      ])
    }).pipe(alone)
  )

  it.live("a refused delivery is due again when the wait has passed, counted from the recording", () =>
    Effect.gen(function* () {
      const { business, listed, queue } = yield* prepared
      yield* emit(business)
      yield* queue.record([refused(yield* claimOne)])
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ wait: number }>`
        SELECT extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS wait FROM webhook_deliveries`
      assert.approximately(row?.wait ?? 0, 60, 1)
      const [record] = yield* listed
      assert.match(record?.next_attempt_at ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u)
      assert.strictEqual(record?.last_error, "http 503")
      assert.strictEqual(record?.response_status, 503)
    }).pipe(alone)
  )

  it.live("a failure without a wait is final", () =>
    Effect.gen(function* () {
      const { business, listed, queue } = yield* prepared
      yield* emit(business)
      yield* queue.record([abandoned(yield* claimOne)])
      yield* passTime
      assert.deepStrictEqual(yield* claim(), [])
      assert.strictEqual((yield* listed)[0]?.status, "failed")
    }).pipe(alone)
  )

  it.live("a batch returns the outcome of each delivery, in the order of the results", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint, queue } = yield* prepared
      const other = yield* newEndpoint(business)
      yield* emit(business, 5)
      const claims = (yield* claim()).toSorted((one, next) => one.endpointId - next.endpointId)
      const mine = claims.filter(({ endpointId }) => endpointId === endpoint.endpoint_id)
      assert.deepStrictEqual(yield* queue.record(mine.slice(0, 2).map(acknowledged)), [
        "delivered",
        "delivered"
      ])
      yield* disable(other.endpoint_id)
      yield* deliveries.cancel(business, other.endpoint_id)
      const results = claims
        .map((delivery, index) => [acknowledged, refused, abandoned][index % 3]?.(delivery))
        .filter((result) => result !== undefined)
        .toReversed()
      const expected = results.map(({ acknowledged: isAcknowledged, delivery, retryIn }) => {
        if (delivery.endpointId === other.endpoint_id) return "cancelled"
        if (mine.indexOf(delivery) < 2) return "late"
        if (isAcknowledged) return "delivered"
        return retryIn === null ? "failed" : "pending"
      })
      assert.strictEqual(new Set(expected).size, 5)
      assert.deepStrictEqual(yield* queue.record(results), expected)
    }).pipe(alone)
  )

  it.live("a sixth failure is final, also with a Retry-After", () =>
    Effect.gen(function* () {
      const { business, listed, queue } = yield* prepared
      yield* emit(business)
      for (let attempt = 1; attempt <= 6; attempt++) {
        yield* queue.record([refused(yield* claimOne)])
        yield* passTime
      }
      assert.deepStrictEqual(yield* claim(), [])
      assert.strictEqual((yield* listed)[0]?.status, "failed")
    }).pipe(alone)
  )
})

it.live("a released claim is due at once, and its attempt is not counted", () =>
  Effect.gen(function* () {
    const { business, listed, queue } = yield* prepared
    yield* emit(business)
    yield* queue.release([yield* claimOne])
    assert.strictEqual((yield* listed)[0]?.attempt, 0)
    assert.strictEqual((yield* claimOne).attempt, 1)
  }).pipe(alone)
)
