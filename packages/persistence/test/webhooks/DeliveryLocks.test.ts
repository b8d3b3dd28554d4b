import { EndpointRepository, SecretBox } from "@livery/domain"
import type { ClaimedDelivery, DeliveryQueue } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as EndpointSecrets from "../../src/webhooks/EndpointSecrets.ts"
import { acknowledged, alone, claim, emit, newEndpoint, prepared, refused, waitingAre } from "./Scenario.ts"

const standing = (rows: ReadonlyArray<{ readonly status: string; readonly attempt: number }>) =>
  rows.map(({ attempt, status }) => [status, attempt])

describe("a delivery that another transaction has locked does not delay others", () => {
  /**
   * Claims four deliveries, runs an effect while another transaction has locked the second one, and then claims the
   * due ones.
   */
  const withLock = Effect.fnUntraced(function* <A, E, R>(
    act: (claims: ReadonlyArray<ClaimedDelivery>, queue: DeliveryQueue["Service"]) => Effect.Effect<A, E, R>
  ) {
    const { business, listed, queue } = yield* prepared
    const sql = yield* SqlClient.SqlClient
    yield* emit(business, 4)
    const claims = (yield* claim()).toSorted((one, other) => one.deliveryId - other.deliveryId)
    const [locked, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const locking = yield* Effect.forkChild(
      Effect.gen(function* () {
        yield* sql`SELECT 1 FROM webhook_deliveries WHERE delivery_id = ${claims[1]?.deliveryId ?? 0} FOR UPDATE`
        yield* Deferred.succeed(locked, undefined)
        yield* Deferred.await(finish)
      }).pipe(sql.withTransaction)
    )
    yield* Deferred.await(locked)
    const during = yield* act(claims, queue)
    yield* Deferred.succeed(finish, undefined)
    yield* Fiber.join(locking)
    return { claims, during, afterwards: yield* act(claims, queue), records: yield* listed }
  })

  it.live("in a batch of results", () =>
    Effect.gen(function* () {
      const { afterwards, during, records } = yield* withLock((claims, queue) =>
        queue.record(claims.map(acknowledged))
      )
      assert.deepStrictEqual(during, ["delivered", "locked", "delivered", "delivered"])
      assert.deepStrictEqual(afterwards, ["late", "delivered", "late", "late"])
      assert.deepStrictEqual(
        standing(records),
        [1, 2, 3, 4].map(() => ["delivered", 1])
      )
    }).pipe(alone)
  )

  it.live("in a batch of claims to release", () =>
    Effect.gen(function* () {
      const { afterwards, claims, during, records } = yield* withLock((toRelease, queue) =>
        queue.release(toRelease)
      )
      assert.deepStrictEqual([during, afterwards], [claims.slice(1, 2), []])
      assert.deepStrictEqual(
        standing(records),
        [1, 2, 3, 4].map(() => ["pending", 0])
      )
    }).pipe(alone)
  )
})

it.live("disabling an endpoint under load causes no deadlock, and leaves no pending delivery", () =>
  Effect.gen(function* () {
    const { business, deliveries, endpoint, queue } = yield* prepared
    const endpoints = yield* EndpointRepository
    const sql = yield* SqlClient.SqlClient
    const id = endpoint.endpoint_id
    const switchTo = (status: "enabled" | "disabled") =>
      Effect.gen(function* () {
        yield* endpoints.update(business, id, { ...endpoint, status })
        yield* deliveries.cancel(business, id)
      }).pipe(sql.withTransaction)
    const dispatcher = Effect.gen(function* () {
      for (let round = 0; round < 40; round++) {
        const held = (yield* claim(40, 1000)).toReversed()
        let claims: ReadonlyArray<ClaimedDelivery> = held
        let results = held.map((delivery) => ({ ...refused(delivery), retryIn: 0 }))
        // Records the locked ones again, as a dispatcher does.
        while (claims.length > 0 && results.length > 0)
          if (round % 3 === 0) claims = yield* queue.release(claims)
          else {
            const verdicts = yield* queue.record(results)
            results = results.filter((_, index) => verdicts[index] === "locked")
          }
      }
    })
    const operator = Effect.gen(function* () {
      for (let round = 0; round < 25; round++) {
        yield* emit(business, 20)
        yield* switchTo("disabled")
        yield* switchTo("enabled")
      }
    })
    yield* Effect.all([dispatcher, dispatcher, operator], { concurrency: "unbounded" })
    yield* switchTo("disabled")
    assert.strictEqual((yield* deliveries.cancel(business, id)).startable, 0)
    assert.isEmpty(
      yield* sql`SELECT 1 FROM webhook_deliveries WHERE status = 'pending' OR claim_id IS NOT NULL`
    )
  }).pipe(alone)
)

describe("an endpoint whose secrets are sealed anew", () => {
  it.live("does not delay the events of its business", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const [locked, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const box = SecretBox.of({
        open: (sealed) =>
          Deferred.succeed(locked, undefined).pipe(Effect.andThen(Deferred.await(finish)), Effect.as(sealed)),
        seal: Effect.succeed
      })
      const resealing = yield* EndpointSecrets.reseal(() => undefined).pipe(
        Effect.provideService(SecretBox, box),
        Effect.forkChild
      )
      yield* Deferred.await(locked)
      const ended = yield* Effect.raceFirst(
        Effect.as(emit(business), "stored"),
        Effect.as(waitingAre(1), "waits for the lock")
      )
      yield* Deferred.succeed(finish, undefined)
      const resealed = yield* Fiber.join(resealing)
      assert.strictEqual(ended, "stored")
      assert.deepStrictEqual(resealed, { resealed: 1, unreadable: [] })
    }).pipe(alone)
  )

  it.live("is not a deleted one, which has no secret", () =>
    Effect.gen(function* () {
      const { business } = yield* prepared
      const endpoints = yield* EndpointRepository
      const { endpoint_id } = yield* newEndpoint(business)
      yield* endpoints.remove(business, endpoint_id)
      const box = SecretBox.of({
        open: (sealed) => (sealed === "" ? Effect.die("nothing is sealed") : Effect.succeed(sealed)),
        seal: Effect.succeed
      })
      const resealed = yield* EndpointSecrets.reseal(() => undefined).pipe(
        Effect.provideService(SecretBox, box)
      )
      assert.deepStrictEqual(resealed, { resealed: 1, unreadable: [] })
    }).pipe(alone)
  )
})
