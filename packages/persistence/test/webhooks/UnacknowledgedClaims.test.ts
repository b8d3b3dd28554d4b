import { assert, describe, it } from "@effect/vitest"
import { DeliveryQueue } from "@livery/domain"
import { Effect, Fiber, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as DeliveryQueuePg from "../../src/webhooks/DeliveryQueuePg.ts"
import { rowsRead } from "./RowsRead.ts"
import { acknowledged, aloneAndUncancelled, claim, emit, prepared, waitingAre } from "./Scenario.ts"

const deliveries = 10

/** A claim that is abandoned while it waits for a lock. It is executed afterwards, and its answer is lost. */
const unacknowledgedClaim = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const claimed = Effect.map(
    sql<{ count: number }>`SELECT count(*)::int FROM webhook_deliveries WHERE claim_id IS NOT NULL`,
    ([row]) => row?.count ?? 0
  )
  const before = yield* claimed
  const [locked, finished] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const holder = yield* sql`LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE`.pipe(
    Effect.andThen(locked.open),
    Effect.andThen(finished.await),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* locked.await
  const claiming = yield* Effect.forkChild(claim(100, 100))
  yield* waitingAre(1)
  yield* Fiber.interrupt(claiming)
  yield* finished.open
  yield* Fiber.join(holder)
  const after = yield* Effect.repeat(claimed, { until: (count) => count > before, times: 5_000 })
  assert.strictEqual(after - before, deliveries, "it was executed")
})

describe("deliveries of an unacknowledged claim", () => {
  it.live("are claimed by the next claim of the same dispatcher, and their attempt does not count", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* emit(business, deliveries)
      yield* unacknowledgedClaim
      const claims = yield* claim(100, 100)
      assert.deepStrictEqual(
        claims.map(({ attempt }) => attempt),
        Array.from({ length: deliveries }, () => 1)
      )
    }).pipe(aloneAndUncancelled)
  )

  it.live("are released, and other claims of this and of other dispatchers are kept", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const other = yield* DeliveryQueue.pipe(Effect.provide(Layer.fresh(DeliveryQueuePg.layer)))
      yield* emit(business, 1)
      const [known] = yield* claim()
      yield* emit(business, 1)
      const others = yield* other.claim({ limit: 100, perEndpoint: 100 })
      assert.strictEqual(others.claimed.length, 1)
      yield* emit(business, deliveries)
      yield* unacknowledgedClaim
      const again = yield* claim(100, 100)
      assert.strictEqual(again.length, deliveries)
      for (const { deliveryId } of again)
        assert.notInclude([known?.deliveryId, others.claimed[0]?.deliveryId], deliveryId)
    }).pipe(aloneAndUncancelled)
  )

  it.live("are searched among claimed deliveries only, however many are settled", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* emit(business, 1_000)
      yield* queue.record((yield* claim(1_000, 1_000)).map(acknowledged))
      yield* emit(business, deliveries)
      yield* unacknowledgedClaim
      const { answer, found, scanned } = yield* rowsRead(claim(100, 100))
      assert.deepStrictEqual([answer.length, scanned], [deliveries, 0])
      assert.isAtMost(found, 20 * deliveries)
    }).pipe(aloneAndUncancelled)
  )

  it.live("are not waited for while another transaction has locked them", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business, deliveries)
      yield* unacknowledgedClaim
      const [locked, finished] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      const holder = yield* sql`SELECT 1 FROM webhook_deliveries FOR UPDATE`.pipe(
        Effect.andThen(locked.open),
        Effect.andThen(finished.await),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* locked.await
      yield* emit(business, 1)
      assert.strictEqual((yield* claim(100, 100)).length, 1)
      yield* finished.open
      yield* Fiber.join(holder)
    }).pipe(aloneAndUncancelled)
  )
})
