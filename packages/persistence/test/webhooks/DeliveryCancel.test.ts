import { EndpointRepository } from "@livery/domain"
import type { BusinessId, ClaimedDelivery, DeliveryQueue, EndpointId } from "@livery/domain"
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
  refused,
  waitingAre
} from "./Scenario.ts"

const standing = (rows: ReadonlyArray<{ readonly status: string; readonly attempt: number }>) =>
  rows.map(({ attempt, status }) => [status, attempt])

describe("cancelling", () => {
  it.live(
    "waiting and claimed deliveries fail immediately; claimed ones are returned until their attempts are recorded",
    () =>
      Effect.gen(function* () {
        const { business, deliveries, endpoint, listed, queue } = yield* prepared
        yield* emit(business, 5)
        const held = yield* claim(2)
        yield* disable(endpoint.endpoint_id)
        assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 2)
        const reported = yield* listed
        assert.deepStrictEqual(
          reported.map(({ last_error, next_attempt_at, status }) => [status, last_error, next_attempt_at]),
          Array.from({ length: 5 }, () => ["failed", "endpoint disabled", null])
        )
        assert.deepStrictEqual(yield* claim(), [])
        assert.deepStrictEqual(yield* queue.record(held.slice(0, 1).map(acknowledged)), ["cancelled"])
        assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 1)
        yield* queue.release(held.slice(1))
        assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 0)
      }).pipe(alone)
  )

  it.live("an attempt that was under way is kept in the history, and the delivery stays failed", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint, listed, queue } = yield* prepared
      yield* emit(business, 2)
      const [one, other] = yield* claim()
      yield* disable(endpoint.endpoint_id)
      yield* deliveries.cancel(business, endpoint.endpoint_id)
      for (const [delivery, result] of [
        [one, acknowledged],
        [other, refused]
      ] as const)
        if (delivery !== undefined) yield* queue.record([result(delivery)])
      const received = yield* listed
      assert.deepStrictEqual(standing(received), [
        ["failed", 1],
        ["failed", 1]
      ])
      assert.sameDeepMembers(
        received.map(({ attempts, last_error, response_status }) => [
          attempts.map((attempt) => attempt.response_status),
          last_error,
          response_status
        ]),
        [
          [[200], "endpoint disabled", 200],
          [[503], "endpoint disabled", 503]
        ]
      )
    }).pipe(alone)
  )

  it.live("a claim of a stopped dispatcher is waited for no longer than its POST could start", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business)
      yield* claimOne
      yield* disable(endpoint.endpoint_id)
      assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 1)
      const pass = (seconds: number) =>
        sql`UPDATE webhook_deliveries SET cancelled_at = cancelled_at - make_interval(secs => ${seconds})`
      yield* pass(14)
      assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 1)
      yield* pass(3)
      assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 0)
    }).pipe(alone)
  )

  it.live("does not affect an enabled endpoint, another endpoint, or another business's", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint, listed } = yield* prepared
      const stranger = yield* newBusiness
      yield* emit(business, 2)
      yield* deliveries.cancel(business, endpoint.endpoint_id)
      yield* disable(endpoint.endpoint_id)
      yield* deliveries.cancel(stranger, endpoint.endpoint_id)
      const second = yield* newEndpoint(business)
      yield* emit(business)
      yield* disable(second.endpoint_id)
      yield* deliveries.cancel(business, second.endpoint_id)
      assert.deepStrictEqual(standing(yield* listed), [
        ["pending", 0],
        ["pending", 0]
      ])
    }).pipe(alone)
  )

  it.live("enabled again, failed deliveries stay failed, and new events are sent", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint, listed } = yield* prepared
      const endpoints = yield* EndpointRepository
      yield* emit(business, 2)
      yield* endpoints.update(business, endpoint.endpoint_id, { ...endpoint, status: "disabled" })
      yield* deliveries.cancel(business, endpoint.endpoint_id)
      yield* emit(business)
      yield* endpoints.update(business, endpoint.endpoint_id, endpoint)
      yield* passTime
      assert.deepStrictEqual(yield* claim(), [])
      yield* emit(business)
      assert.strictEqual((yield* claimOne).attempt, 1)
      assert.deepStrictEqual(standing(yield* listed), [
        ["pending", 1],
        ["failed", 0],
        ["failed", 0]
      ])
    }).pipe(alone)
  )
})

describe("a claim that another dispatcher makes while the endpoint is being disabled", () => {
  const cancelTwice = Effect.fnUntraced(function* (
    business: BusinessId,
    endpointId: EndpointId,
    beforeCommit: Effect.Effect<void>
  ) {
    const { deliveries } = yield* prepared
    const sql = yield* SqlClient.SqlClient
    yield* Effect.gen(function* () {
      yield* disable(endpointId)
      yield* deliveries.cancel(business, endpointId)
      yield* beforeCommit
    }).pipe(sql.withTransaction)
    return (yield* deliveries.cancel(business, endpointId)).startable
  })

  it.live("before the commit, of an event that was committed meanwhile, is found and waited for", () =>
    Effect.gen(function* () {
      const { business, endpoint, listed } = yield* prepared
      const scenario = yield* Effect.context<SqlClient.SqlClient>()
      const ended = yield* Deferred.make<number>()
      const meanwhile = yield* Deferred.make<void>()
      const done = yield* Deferred.make<void>()
      const disabling = yield* Effect.forkChild(
        cancelTwice(
          business,
          endpoint.endpoint_id,
          Effect.andThen(Deferred.succeed(meanwhile, undefined), Deferred.await(done))
        ).pipe(
          Effect.provideContext(scenario),
          Effect.tap((count) => Deferred.succeed(ended, count))
        )
      )
      yield* Deferred.await(meanwhile)
      yield* emit(business)
      // For this dispatcher, the endpoint is still enabled.
      yield* claimOne
      yield* Deferred.succeed(done, undefined)
      assert.strictEqual(yield* Deferred.await(ended), 1)
      yield* Fiber.join(disabling)
      assert.deepStrictEqual(standing(yield* listed), [["failed", 1]])
    }).pipe(alone)
  )

  it.live("and has not committed makes the cancellation wait for its commit", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint, listed } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business)
      const held = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const claiming = yield* Effect.forkChild(
        Effect.gen(function* () {
          yield* claimOne
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(go)
        }).pipe(sql.withTransaction)
      )
      yield* Deferred.await(held)
      yield* disable(endpoint.endpoint_id)
      const cancelling = yield* Effect.forkChild(deliveries.cancel(business, endpoint.endpoint_id))
      yield* waitingAre(1)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(claiming)
      assert.deepStrictEqual(yield* Fiber.join(cancelling), { failed: 1, startable: 1 })
      assert.deepStrictEqual(standing(yield* listed), [["failed", 1]])
    }).pipe(alone)
  )

  it.live("a delivery that an earlier change inserts late fails without being sent", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint, listed } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      const [written, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const changing = yield* Effect.forkChild(
        Effect.gen(function* () {
          yield* emit(business)
          yield* Deferred.succeed(written, undefined)
          yield* Deferred.await(go)
        }).pipe(sql.withTransaction)
      )
      yield* Deferred.await(written)
      yield* disable(endpoint.endpoint_id)
      assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 0)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(changing)
      assert.deepStrictEqual(yield* claim(), [])
      assert.deepStrictEqual(standing(yield* listed), [["failed", 0]])
    }).pipe(alone)
  )
})

describe("while the transaction that disables an endpoint is open", () => {
  const whileDisabling = Effect.fnUntraced(function* <A, E, R>(
    act: (delivery: ClaimedDelivery, queue: DeliveryQueue["Service"]) => Effect.Effect<A, E, R>
  ) {
    const { business, deliveries, endpoint, listed, queue } = yield* prepared
    const sql = yield* SqlClient.SqlClient
    yield* emit(business)
    const delivery = yield* claimOne
    const [cancelled, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const disabling = yield* Effect.forkChild(
      Effect.gen(function* () {
        yield* disable(endpoint.endpoint_id)
        yield* deliveries.cancel(business, endpoint.endpoint_id)
        yield* Deferred.succeed(cancelled, undefined)
        yield* Deferred.await(finish)
      }).pipe(sql.withTransaction)
    )
    yield* Deferred.await(cancelled)
    const during = yield* act(delivery, queue)
    yield* Deferred.succeed(finish, undefined)
    yield* Fiber.join(disabling)
    const afterwards = yield* act(delivery, queue)
    assert.strictEqual((yield* deliveries.cancel(business, endpoint.endpoint_id)).startable, 0)
    return { during, afterwards, delivery, records: yield* listed }
  })

  it.live("a result is not written, and kept in the history afterwards", () =>
    Effect.gen(function* () {
      const { afterwards, during, records } = yield* whileDisabling((delivery, queue) =>
        queue.record([acknowledged(delivery)])
      )
      assert.deepStrictEqual([during, afterwards], [["locked"], ["cancelled"]])
      assert.deepStrictEqual(standing(records), [["failed", 1]])
      assert.lengthOf(records[0]?.attempts ?? [], 1)
    }).pipe(alone)
  )

  it.live("a claim is not released, and can be afterwards", () =>
    Effect.gen(function* () {
      const { afterwards, delivery, during, records } = yield* whileDisabling((claimed, queue) =>
        queue.release([claimed])
      )
      assert.deepStrictEqual([during, afterwards], [[delivery], []])
      assert.deepStrictEqual(standing(records), [["failed", 0]])
    }).pipe(alone)
  )
})
