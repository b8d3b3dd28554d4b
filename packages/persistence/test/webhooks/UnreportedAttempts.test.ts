import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { alone, claimAll, claimOne, disable, emit, passTime, prepared } from "./Scenario.ts"

const nothing = { claimed: [], unreported: [], failed: 0 }
const find = (limit?: number) =>
  Effect.map(claimAll(limit), ({ claimed, failed, unreported }) => ({ claimed, failed, unreported }))

describe("a claim reports", () => {
  it.live("an unreported attempt once, when its delivery is due again", () =>
    Effect.gen(function* () {
      const { business, endpoint } = yield* prepared
      yield* emit(business, 1)
      const first = yield* claimOne
      yield* passTime
      yield* emit(business, 2)
      const { claimed, failed, unreported } = yield* find()
      assert.lengthOf(claimed, 3)
      assert.strictEqual(failed, 0)
      assert.deepStrictEqual(unreported, [
        {
          businessId: business,
          endpointId: endpoint.endpoint_id,
          deliveryId: first.deliveryId,
          eventId: first.eventId,
          attempt: 1,
          status: "pending"
        }
      ])
      assert.deepStrictEqual(yield* find(), nothing)
    }).pipe(alone)
  )

  it.live("an unreported sixth attempt, and that its delivery has failed", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* emit(business)
      for (let attempt = 1; attempt <= 6; attempt++) {
        yield* claimOne
        yield* passTime
      }
      const { claimed, failed, unreported } = yield* find()
      assert.isEmpty(claimed)
      assert.deepStrictEqual(
        unreported.map(({ attempt, status }) => [attempt, status]),
        [[6, "failed"]]
      )
      assert.strictEqual(failed, 1)
      assert.deepStrictEqual(yield* find(), nothing)
    }).pipe(alone)
  )

  it.live("deliveries that fail because their endpoint is disabled, and which of them had an attempt", () =>
    Effect.gen(function* () {
      const { business, endpoint } = yield* prepared
      yield* emit(business)
      const held = yield* claimOne
      yield* passTime
      yield* emit(business, 3)
      yield* disable(endpoint.endpoint_id)
      const { claimed, failed, unreported } = yield* find()
      assert.isEmpty(claimed)
      assert.deepStrictEqual(
        unreported.map(({ attempt, deliveryId, status }) => [deliveryId, attempt, status]),
        [[held.deliveryId, 1, "failed"]]
      )
      assert.strictEqual(failed, 4)
      assert.deepStrictEqual(yield* find(), nothing)
    }).pipe(alone)
  )

  it.live("an unreported attempt of a cancelled delivery, which does not fail twice", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business, 2)
      const { claimed } = yield* find(1)
      yield* disable(endpoint.endpoint_id)
      assert.deepStrictEqual(yield* deliveries.cancel(business, endpoint.endpoint_id), {
        failed: 2,
        startable: 1
      })
      assert.deepStrictEqual(yield* deliveries.cancel(business, endpoint.endpoint_id), {
        failed: 0,
        startable: 1
      })
      assert.deepStrictEqual(yield* find(), nothing)
      yield* sql`UPDATE webhook_deliveries SET cancelled_at = cancelled_at - interval '91 seconds'`
      const { failed, unreported } = yield* find()
      assert.deepStrictEqual(
        unreported.map(({ attempt, deliveryId, status }) => [deliveryId, attempt, status]),
        [[claimed[0]?.deliveryId, 1, "failed"]]
      )
      assert.strictEqual(failed, 0)
      assert.deepStrictEqual(yield* find(), nothing)
    }).pipe(alone)
  )
})
