import { DeliveryId, EndpointRepository, maxEndpointsPerBusiness, maxRetiredSecrets } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import {
  alone,
  claimOne,
  claim,
  emit,
  newBusiness,
  newEndpoint,
  passTime,
  prepared,
  waitingAre
} from "./Scenario.ts"

const page = { page: 1, perPage: 100 }

describe("endpoints", () => {
  it.live("are listed the oldest first, in pages, to their business alone", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const business = yield* newBusiness
      const made = yield* Effect.forEach(Array.from({ length: 5 }), () => newEndpoint(business))
      const first = yield* endpoints.list(business, { page: 1, perPage: 3 })
      const second = yield* endpoints.list(business, { page: 2, perPage: 3 })
      assert.deepStrictEqual([...first.items, ...second.items], made)
      assert.deepStrictEqual([first.total, first.hasMore, second.hasMore], [5, true, false])
      assert.isEmpty((yield* endpoints.list(yield* newBusiness, page)).items)
    }).pipe(alone)
  )

  it.live("one more than the limit is refused, also while the last one is not committed yet", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness
      const insert = endpoints.insert(business, {
        url: "https://example.org/",
        events: ["trip.created"],
        sealedSecret: ""
      })
      yield* Effect.forEach(Array.from({ length: maxEndpointsPerBusiness - 1 }), () => insert)
      const [inserted, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const last = yield* Effect.forkChild(
        Effect.gen(function* () {
          yield* insert
          yield* Deferred.succeed(inserted, undefined)
          yield* Deferred.await(go)
        }).pipe(sql.withTransaction)
      )
      yield* Deferred.await(inserted)
      const another = yield* Effect.forkChild(Effect.exit(insert))
      yield* waitingAre(1)
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(last)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(another)))
      assert.strictEqual((yield* endpoints.list(business, page)).total, maxEndpointsPerBusiness)
      yield* newEndpoint(yield* newBusiness)
    }).pipe(alone)
  )

  it.live(
    "a deleted endpoint is not found, does not count towards the limit, loses its secrets and keeps its deliveries",
    () =>
      Effect.gen(function* () {
        const endpoints = yield* EndpointRepository
        const { business, deliveries, endpoint, listed } = yield* prepared
        const id = endpoint.endpoint_id
        yield* emit(business, 2)
        yield* endpoints.replaceSecret(business, id, "fresh")
        yield* endpoints.remove(business, id)
        yield* deliveries.cancel(business, id)
        assert.deepStrictEqual(yield* endpoints.find(business, id), Option.none())
        assert.deepStrictEqual(yield* endpoints.lock(business, id), Option.none())
        assert.deepStrictEqual(yield* endpoints.replaceSecret(business, id, "other"), Option.none())
        assert.isEmpty((yield* endpoints.list(business, page)).items)
        const reported = yield* listed
        assert.deepStrictEqual(
          reported.map(({ status }) => status),
          ["failed", "failed"]
        )
        const [delivery] = reported
        if (delivery !== undefined)
          assert.deepStrictEqual(
            yield* deliveries.find(business, DeliveryId.make(delivery.delivery_id)),
            Option.none()
          )
        yield* emit(business)
        assert.strictEqual((yield* listed).length, 2)
        const sql = yield* SqlClient.SqlClient
        assert.notMatch(JSON.stringify(yield* sql`SELECT * FROM webhook_endpoints`), /fresh|"sealed"/u)
      }).pipe(alone)
  )
})

describe("a secret that is replaced", () => {
  it.live("signs beside the new one, the youngest first, for 24 hours", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const { business, endpoint, queue } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      yield* emit(business)
      const secrets = Effect.gen(function* () {
        const delivery = yield* claimOne
        yield* queue.release([delivery])
        return [delivery.sealedSecret, ...delivery.retiredSecrets]
      })
      const age = (hours: number) => sql`
        UPDATE webhook_endpoints SET retired_secrets = (
          SELECT jsonb_agg(jsonb_set(s, '{until}',
            to_jsonb((s ->> 'until')::timestamptz - make_interval(secs => ${hours * 3600}::float8))))
          FROM jsonb_array_elements(retired_secrets) s)`
      assert.deepStrictEqual(yield* secrets, ["sealed"])
      yield* endpoints.replaceSecret(business, endpoint.endpoint_id, "second")
      assert.deepStrictEqual(yield* secrets, ["second", "sealed"])
      yield* age(12)
      yield* endpoints.replaceSecret(business, endpoint.endpoint_id, "third")
      assert.deepStrictEqual(yield* secrets, ["third", "second", "sealed"])
      yield* age(11.99)
      assert.deepStrictEqual(yield* secrets, ["third", "second", "sealed"])
      yield* age(0.02)
      assert.deepStrictEqual(yield* secrets, ["third", "second"])
      yield* age(12)
      assert.deepStrictEqual(yield* secrets, ["third"])
      yield* endpoints.replaceSecret(business, endpoint.endpoint_id, "fourth")
      assert.deepStrictEqual(yield* secrets, ["fourth", "third"])
    }).pipe(alone)
  )

  it.live("is not lost when others are replaced at the same time", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const { business, endpoint } = yield* prepared
      const secrets = ["second", "third", "fourth", "fifth"]
      yield* Effect.forEach(
        secrets,
        (secret) => endpoints.replaceSecret(business, endpoint.endpoint_id, secret),
        { concurrency: "unbounded" }
      )
      yield* emit(business)
      const { retiredSecrets, sealedSecret } = yield* claimOne
      assert.sameMembers([sealedSecret, ...retiredSecrets], ["sealed", ...secrets])
      assert.strictEqual(retiredSecrets.at(-1), "sealed")
    }).pipe(alone)
  )

  it.live("is refused while too many replaced secrets still sign", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const { business, endpoint } = yield* prepared
      for (let round = 0; round < maxRetiredSecrets; round++)
        assert.isTrue(
          Option.isSome(yield* endpoints.replaceSecret(business, endpoint.endpoint_id, `s${round}`))
        )
      assert.isTrue(Option.isNone(yield* endpoints.replaceSecret(business, endpoint.endpoint_id, "more")))
      yield* emit(business)
      assert.strictEqual((yield* claimOne).retiredSecrets.length, maxRetiredSecrets)
    }).pipe(alone)
  )
})

it.live("deliveries of a suspended business continue", () =>
  Effect.gen(function* () {
    const { business, queue } = yield* prepared
    const sql = yield* SqlClient.SqlClient
    yield* emit(business, 2)
    yield* sql`UPDATE businesses SET status = 'D' WHERE business_id = ${business}`
    const held = yield* claim()
    assert.lengthOf(held, 2)
    yield* queue.release(held)
    yield* passTime
    assert.lengthOf(yield* claim(), 2)
  }).pipe(alone)
)
