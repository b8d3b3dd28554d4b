import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import {
  acknowledged,
  alone,
  claim,
  claimOne,
  disable,
  emit,
  newBusiness,
  newEndpoint,
  passTime,
  prepared,
  refused
} from "./Scenario.ts"

describe("claiming", () => {
  it.live("a claim has all data that an attempt needs, and counts the attempt", () =>
    Effect.gen(function* () {
      const { business, endpoint, listed } = yield* prepared
      yield* emit(business)
      const delivery = yield* claimOne
      assert.strictEqual(delivery.attempt, 1)
      assert.strictEqual(delivery.businessId, business)
      assert.strictEqual(delivery.endpointId, endpoint.endpoint_id)
      assert.strictEqual(delivery.body, JSON.stringify({ id: delivery.eventId }))
      assert.strictEqual(delivery.url, "https://example.org/hook")
      assert.strictEqual(delivery.sealedSecret, "sealed")
      assert.deepStrictEqual(
        (yield* listed).map(({ attempt, next_attempt_at, status }) => [attempt, next_attempt_at, status]),
        [[1, null, "pending"]]
      )
      assert.deepStrictEqual(yield* claim(), [])
    }).pipe(alone)
  )

  it.live("four concurrent dispatchers never claim the same delivery, and each attempt is counted once", () =>
    Effect.gen(function* () {
      const businesses = yield* Effect.forEach(Array.from({ length: 5 }), () => newBusiness)
      yield* Effect.forEach(businesses, (business) => newEndpoint(business), { discard: true })
      yield* Effect.forEach(businesses, (business) => emit(business, 80), { discard: true })
      const dispatcher = Effect.gen(function* () {
        const mine: Array<number> = []
        for (let round = 0; round < 30; round++)
          mine.push(...(yield* claim(20, 1000)).map((d) => d.deliveryId))
        return mine
      })
      const held = (yield* Effect.all([dispatcher, dispatcher, dispatcher, dispatcher], {
        concurrency: "unbounded"
      })).flat()
      assert.strictEqual(held.length, 400)
      assert.strictEqual(new Set(held).size, 400)
      const sql = yield* SqlClient.SqlClient
      const counts = yield* sql`SELECT attempt, count(*) FROM webhook_deliveries GROUP BY attempt`
      assert.deepStrictEqual(counts, [{ attempt: 1, count: 400 }])
    }).pipe(alone)
  )

  it.live("a dispatcher does not wait for the end of a long transaction in which another claims", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business, 6)
      yield* claim(3)
      yield* passTime
      const held = yield* Deferred.make<number>()
      const ended = yield* Deferred.make<void>()
      const slow = Effect.gen(function* () {
        // Deliveries whose claim has expired, and waiting ones.
        yield* Deferred.succeed(held, (yield* claim(4)).length)
        yield* Deferred.await(ended)
      }).pipe(sql.withTransaction)
      const claiming = yield* Effect.forkChild(slow)
      assert.strictEqual(yield* Deferred.await(held), 4)
      assert.strictEqual((yield* claim()).length, 2)
      yield* Deferred.succeed(ended, undefined)
      yield* Fiber.join(claiming)
    }).pipe(alone)
  )

  it.live("a backlog of one endpoint leaves slots for every other", () =>
    Effect.gen(function* () {
      const loud = yield* newBusiness
      const loudEndpoint = yield* newEndpoint(loud)
      yield* emit(loud, 300)
      const quiet = yield* Effect.forEach(Array.from({ length: 15 }), () => newBusiness)
      yield* Effect.forEach(quiet, (business) => Effect.andThen(newEndpoint(business), emit(business, 1)))
      const first = yield* claim(100, 10)
      const served = new Set(first.map(({ endpointId }) => endpointId))
      assert.strictEqual(served.size, 16)
      assert.isAtMost(first.filter(({ endpointId }) => endpointId === loudEndpoint.endpoint_id).length, 10)
    }).pipe(alone)
  )

  it.live("small claims serve every endpoint in turn", () =>
    Effect.gen(function* () {
      const businesses = yield* Effect.forEach(Array.from({ length: 6 }), () => newBusiness)
      yield* Effect.forEach(businesses, (business) =>
        Effect.andThen(newEndpoint(business), emit(business, 20))
      )
      const turns: Array<number> = []
      for (let round = 0; round < 4; round++) turns.push(...(yield* claim(3, 10)).map((d) => d.endpointId))
      assert.strictEqual(turns.length, 12)
      assert.deepStrictEqual(
        [...new Set(turns)].map((id) => turns.filter((turn) => turn === id).length),
        [2, 2, 2, 2, 2, 2]
      )
    }).pipe(alone)
  )

  it.live(
    "an endpoint never has more deliveries in flight than its limit, and gets the next when one ends",
    () =>
      Effect.gen(function* () {
        const { business, queue } = yield* prepared
        yield* emit(business, 30)
        const flying = yield* claim(100, 10)
        assert.strictEqual(flying.length, 10)
        assert.deepStrictEqual(yield* claim(100, 10), [])
        yield* queue.record(flying.slice(0, 3).map(acknowledged))
        assert.strictEqual((yield* claim(100, 10)).length, 3)
      }).pipe(alone)
  )

  it.live("a delivery that is not due is not claimed", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* emit(business)
      yield* queue.record([refused(yield* claimOne)])
      assert.deepStrictEqual(yield* claim(), [])
      yield* passTime
      assert.strictEqual((yield* claimOne).attempt, 2)
    }).pipe(alone)
  )

  it.live("deliveries of a disabled endpoint fail without being sent", () =>
    Effect.gen(function* () {
      const { business, endpoint, listed } = yield* prepared
      yield* emit(business, 3)
      yield* disable(endpoint.endpoint_id)
      assert.deepStrictEqual(yield* claim(), [])
      assert.deepStrictEqual(
        (yield* listed).map(({ attempt, last_error, status }) => [attempt, last_error, status]),
        Array.from({ length: 3 }, () => [0, "endpoint disabled", "failed"])
      )
    }).pipe(alone)
  )
})
