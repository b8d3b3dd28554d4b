import { assert, describe, it } from "@effect/vitest"
import { DeliveryQueue } from "@livery/domain"
import { Clock, Context, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as DeliveryQueuePg from "../../src/webhooks/DeliveryQueuePg.ts"
import { acknowledged, alone, claim, emit, newBusiness, newEndpoint, passTime, prepared } from "./Scenario.ts"

const many = (count: number) => Array.from({ length: count })

describe("the share of a business", () => {
  it.live("limits the deliveries in flight of its twenty endpoints, and leaves the rest to others", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* Effect.forEach(many(19), () => newEndpoint(business))
      yield* emit(business, 20)
      const quiet = yield* newBusiness
      yield* newEndpoint(quiet)
      yield* emit(quiet)
      const first = yield* claim(400, 10, 40)
      const loud = first.filter(({ businessId }) => businessId === business)
      assert.strictEqual(loud.length, 40)
      assert.strictEqual(first.length, 41)
      // Each of its endpoints has an even share.
      assert.deepStrictEqual(
        [...new Set(loud.map(({ endpointId }) => endpointId))].map(
          (id) => loud.filter(({ endpointId }) => endpointId === id).length
        ),
        many(20).map(() => 2)
      )
      assert.deepStrictEqual(yield* claim(400, 10, 40), [])
    }).pipe(alone)
  )

  it.live("is used again as attempts of any of its endpoints end", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* Effect.forEach(many(4), () => newEndpoint(business))
      yield* emit(business, 20)
      const held = yield* claim(100, 10, 12)
      assert.strictEqual(held.length, 12)
      yield* queue.record(held.slice(0, 5).map(acknowledged))
      assert.strictEqual((yield* claim(100, 10, 12)).length, 5)
    }).pipe(alone)
  )

  it.live("goes to its endpoints in turn when it is smaller than their number", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* Effect.forEach(many(5), () => newEndpoint(business))
      yield* emit(business)
      const served: Array<number> = []
      for (let round = 0; round < 3; round++) {
        const held = yield* claim(100, 10, 2)
        served.push(...held.map(({ endpointId }) => endpointId))
        yield* queue.record(held.map(acknowledged))
      }
      assert.strictEqual(new Set(served).size, 6)
    }).pipe(alone)
  )

  it.live("does not delay another business once it is used up, with any number of endpoints", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const quiet = yield* newBusiness
      yield* Effect.forEach(many(14), () => newEndpoint(business))
      yield* newEndpoint(quiet)
      yield* Effect.forEach(many(15), () => newEndpoint(business))
      yield* emit(business, 3)
      yield* claim(100, 10, 30)
      yield* emit(quiet)
      assert.deepStrictEqual(
        (yield* claim(5, 10, 30)).map(({ businessId }) => businessId),
        [quiet]
      )
    }).pipe(alone)
  )

  it.live("holds for deliveries that are claimed again after their dispatcher has stopped", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* newEndpoint(business)
      yield* emit(business, 10)
      assert.strictEqual((yield* claim(100, 10, 12)).length, 12)
      yield* passTime
      assert.strictEqual((yield* claim(100, 10, 4)).length, 4)
      assert.deepStrictEqual(yield* claim(100, 10, 4), [])
    }).pipe(alone)
  )
})

describe("several dispatchers", () => {
  it.live("have one limit for an endpoint and one for a business together", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      yield* newEndpoint(business)
      yield* emit(business, 30)
      const rounds = yield* Effect.forEach(many(4), () => claim(7, 10, 15))
      const held = rounds.flat()
      assert.strictEqual(held.length, 15)
      for (const id of new Set(held.map(({ endpointId }) => endpointId)))
        assert.isAtMost(held.filter(({ endpointId }) => endpointId === id).length, 10)
    }).pipe(alone)
  )

  it.live("keep to the limits also when they claim concurrently", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* newEndpoint(business)
      yield* emit(business, 80)
      const dispatchers = yield* Effect.forEach(many(6), () =>
        Layer.build(Layer.fresh(DeliveryQueuePg.layer)).pipe(
          Effect.map((context) => Context.get(context, DeliveryQueue))
        )
      )
      for (let round = 0; round < 15; round++) {
        const claims = yield* Effect.forEach(
          dispatchers,
          ({ claim: claimAtOnce }) => claimAtOnce({ limit: 100, perEndpoint: 10, perBusiness: 15 }),
          { concurrency: "unbounded" }
        )
        const held = claims.flatMap(({ claimed }) => claimed)
        assert.strictEqual(held.length, 15, `round ${round}`)
        assert.strictEqual(new Set(held.map(({ deliveryId }) => deliveryId)).size, held.length)
        for (const id of new Set(held.map(({ endpointId }) => endpointId)))
          assert.isAtMost(held.filter(({ endpointId }) => endpointId === id).length, 10)
        yield* queue.release(held)
      }
    }).pipe(Effect.scoped, alone)
  )

  it.effect(
    "wait half a second for one that is stopped while it claims, and then claim without the lock",
    () =>
      Effect.gen(function* () {
        const { business } = yield* prepared
        const sql = yield* SqlClient.SqlClient
        yield* emit(business, 4)
        const [claimed, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const stopped = yield* Effect.forkChild(
          Effect.gen(function* () {
            yield* claim(1)
            yield* Deferred.succeed(claimed, undefined)
            yield* Deferred.await(finish)
          }).pipe(sql.withTransaction)
        )
        yield* Deferred.await(claimed)
        const waiting = yield* Effect.forkChild(claim(1))
        const passing = yield* TestClock.adjust("5 millis").pipe(
          Effect.andThen(Effect.yieldNow),
          Effect.forever,
          Effect.forkChild
        )
        assert.strictEqual((yield* Fiber.join(waiting)).length, 1)
        yield* Fiber.interrupt(passing)
        // From then on, it does not wait: the clock stands still.
        assert.deepStrictEqual([(yield* claim(1)).length, (yield* claim(1)).length], [1, 1])
        yield* Deferred.succeed(finish, undefined)
        yield* Fiber.join(stopped)
        // A claim that found the lock free is followed by one that waits for it again.
        yield* emit(business, 2)
        assert.strictEqual((yield* claim(1)).length, 1)
        const [locked, unlock] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holder = yield* Effect.forkChild(
          Effect.gen(function* () {
            yield* sql`SELECT FROM webhook_claim_lock FOR NO KEY UPDATE`
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(unlock)
          }).pipe(sql.withTransaction)
        )
        yield* Deferred.await(locked)
        const clock = yield* Clock.Clock
        const slept = yield* Deferred.make<string>()
        const sleeping: Clock.Clock = {
          currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
          currentTimeMillis: clock.currentTimeMillis,
          currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
          currentTimeNanos: clock.currentTimeNanos,
          monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
          monotonicTimeNanos: clock.monotonicTimeNanos,
          sleep: (duration) =>
            Duration.toMillis(duration) < 6
              ? Effect.andThen(Deferred.succeed(slept, "waits"), clock.sleep(duration))
              : clock.sleep(duration)
        }
        const claims = claim(1).pipe(Effect.as("claims"), Effect.provideService(Clock.Clock, sleeping))
        const first = yield* Effect.raceFirst(Deferred.await(slept), claims)
        yield* Deferred.succeed(unlock, undefined)
        yield* Fiber.join(holder)
        assert.strictEqual(first, "waits")
      }).pipe(alone)
  )

  it.live("claim although the data comes from a cluster with later transaction numbers", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* sql`SELECT setval('webhook_last_claim', 9000000000)`
      yield* emit(business, 2)
      assert.strictEqual((yield* claim(1)).length, 1)
      assert.strictEqual((yield* claim(1)).length, 1)
      const [row] = yield* sql<{ last: number }>`SELECT last_value AS last FROM webhook_last_claim`
      assert.isBelow(row?.last ?? Infinity, 9_000_000_000)
    }).pipe(alone)
  )
})

describe("a receiver's host", () => {
  const at = (url: string, count: number) =>
    Effect.gen(function* () {
      const business = yield* newBusiness
      yield* newEndpoint(business, ["trip.created"], url)
      yield* emit(business, count)
      return business
    })

  it.live("has one limit over all businesses, in any notation of the host", () =>
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      yield* at("https://hooks.example.com/a", 10)
      yield* at("https://HOOKS.example.com:8443/b", 10)
      yield* at("https://hooks.example.com./c", 10)
      const other = yield* at("https://other.example.com/?https://hooks.example.com/", 10)
      const { claimed, isHeldBack } = yield* queue.claim({ limit: 100, perEndpoint: 10, perHost: 12 })
      assert.strictEqual(claimed.filter(({ businessId }) => businessId === other).length, 10)
      assert.lengthOf(claimed, 22)
      assert.isFalse(isHeldBack)
      const next = yield* queue.claim({ limit: 100, perEndpoint: 20, perHost: 12 })
      assert.deepStrictEqual([next.claimed.length, next.isHeldBack], [0, true])
    }).pipe(alone)
  )
})

describe("attempts that hang", () => {
  /** Moves the times of all deliveries in flight by some seconds. */
  const age = (seconds: number) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (
        sql
      ) => sql`UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - make_interval(secs => ${seconds})
        WHERE claim_id IS NOT NULL`
    )
  const bounds = { limit: 100, perEndpoint: 5, perBusiness: 10 }

  it.live("for a second leave their business's share to its other endpoints", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* newEndpoint(business)
      yield* emit(business, 20)
      const first = (yield* queue.claim(bounds)).claimed
      assert.lengthOf(first, 10)
      const healthy = yield* newEndpoint(business)
      yield* emit(business, 3)
      assert.lengthOf((yield* queue.claim(bounds)).claimed, 0)
      yield* age(1.1)
      yield* queue.record(first.slice(0, 1).map(acknowledged))
      const { claimed } = yield* queue.claim(bounds)
      assert.lengthOf(
        claimed.filter(({ endpointId }) => endpointId === healthy.endpoint_id),
        3
      )
    }).pipe(alone)
  )

  it.live("that use up their business's limit leave two for each of its endpoints", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      yield* newEndpoint(business)
      yield* emit(business, 20)
      yield* queue.claim(bounds)
      yield* age(1.1)
      const healthy = yield* newEndpoint(business)
      yield* emit(business, 5)
      const { claimed } = yield* queue.claim(bounds)
      assert.deepStrictEqual(
        claimed.map(({ endpointId }) => endpointId),
        many(2).map(() => healthy.endpoint_id)
      )
    }).pipe(alone)
  )

  it.live("count against the limit that a dispatcher sends for their endpoint", () =>
    Effect.gen(function* () {
      const { business, endpoint, queue } = yield* prepared
      yield* emit(business, 20)
      const limits = new Map([[endpoint.endpoint_id, 2]])
      assert.lengthOf((yield* queue.claim({ ...bounds, limits })).claimed, 2)
      yield* age(1.1)
      assert.lengthOf((yield* queue.claim({ ...bounds, limits })).claimed, 0)
      limits.set(endpoint.endpoint_id, 8)
      assert.lengthOf((yield* queue.claim({ ...bounds, limits })).claimed, 6)
    }).pipe(alone)
  )
})
