/** The contract of `DeliveryQueue`, as far as it needs no passing of time. */
import { DeliveryRepository, EndpointRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { atOnce, contract } from "./Contract.ts"
import { acknowledged, claimAll, emit, newEndpoint, prepared, refused, refusedFor } from "./Deliveries.ts"
import { newBusiness } from "./Given.ts"

/** A queue with one claimed delivery. */
const claimedOne = Effect.gen(function* () {
  const given = yield* prepared
  yield* emit(given.business)
  const [delivery] = (yield* claimAll).claimed
  if (delivery === undefined) return yield* Effect.die(new Error("Nothing was claimed"))
  return { ...given, delivery }
})

export const deliveryQueue = contract("the queue of deliveries", (it) => {
  it.effect("gives each delivery to one of several concurrent claims, and loses none", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      const emitted = yield* atOnce(12, () => emit(business))
      // A claim may wait a moment for its turn.
      const claims = yield* TestClock.withLive(atOnce(4, () => queue.claim({ limit: 5, perEndpoint: 100 })))
      const rest = yield* claimAll
      const ids = [...claims, rest].flatMap(({ claimed }) => claimed.map(({ eventId }) => eventId))
      assert.deepStrictEqual(ids.sort(), emitted.map(({ eventId }) => eventId).sort())
    })
  )

  it.effect("gives an endpoint, a business and a host no more than their bounds", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      const second = yield* newEndpoint(business, ["trip.updated"])
      for (let count = 0; count < 3; count++) {
        yield* emit(business)
        yield* emit(business, "trip.updated")
      }
      const first = yield* queue.claim({ limit: 100, perEndpoint: 2, perBusiness: 3 })
      assert.lengthOf(first.claimed, 3)
      const none = yield* queue.claim({ limit: 100, perEndpoint: 100, perHost: 3 })
      assert.deepStrictEqual([none.claimed.length, none.isHeldBack], [0, true])
      yield* queue.release(first.claimed)
      const limits = new Map([[second.endpoint_id, 0]])
      const limited = yield* queue.claim({ limit: 100, perEndpoint: 100, limits })
      assert.lengthOf(limited.claimed, 3)
      assert.lengthOf((yield* claimAll).claimed, 3)
    })
  )

  it.effect("shares a small limit among the endpoints", () =>
    Effect.gen(function* () {
      const { business, endpoint, queue } = yield* prepared
      const second = yield* newEndpoint(business, ["trip.updated"])
      for (let count = 0; count < 4; count++) yield* emit(business)
      yield* emit(business, "trip.updated")
      const { claimed } = yield* queue.claim({ limit: 2, perEndpoint: 100 })
      assert.sameMembers(
        claimed.map(({ endpointId }) => endpointId),
        [endpoint.endpoint_id, second.endpoint_id]
      )
    })
  )

  it.effect("records a result once, while the claim holds", () =>
    Effect.gen(function* () {
      const { delivery, queue } = yield* claimedOne
      assert.deepStrictEqual(yield* queue.record([acknowledged(delivery)]), ["delivered"])
      assert.deepStrictEqual(yield* queue.record([acknowledged(delivery)]), ["late"])
      assert.deepStrictEqual(yield* queue.record([]), [])
      assert.deepStrictEqual((yield* claimAll).claimed, [])
    })
  )

  it.effect("gives a refused delivery again after its wait, and not after the last attempt", () =>
    Effect.gen(function* () {
      const { business, delivery, queue } = yield* claimedOne
      assert.deepStrictEqual(yield* queue.record([refusedFor(3600)(delivery)]), ["pending"])
      assert.deepStrictEqual((yield* claimAll).claimed, [])
      yield* emit(business)
      for (let attempt = 1; attempt < 6; attempt++) {
        const [claimed] = (yield* claimAll).claimed
        assert.strictEqual(claimed?.attempt, attempt)
        if (claimed !== undefined)
          assert.deepStrictEqual(yield* queue.record([refusedFor(0)(claimed)]), ["pending"])
      }
      const [last] = (yield* claimAll).claimed
      if (last !== undefined) assert.deepStrictEqual(yield* queue.record([refusedFor(0)(last)]), ["failed"])
      assert.deepStrictEqual((yield* claimAll).claimed, [])
    })
  )

  it.effect("releases a claim that was never sent, without counting an attempt", () =>
    Effect.gen(function* () {
      const { delivery, queue } = yield* claimedOne
      assert.deepStrictEqual(yield* queue.release([delivery]), [])
      const [again] = (yield* claimAll).claimed
      assert.deepInclude(again, { deliveryId: delivery.deliveryId, attempt: 1 })
      assert.notStrictEqual(again?.claimId, delivery.claimId)
      assert.deepStrictEqual(yield* queue.record([refused(delivery)]), ["late"])
      assert.deepStrictEqual(yield* queue.release([delivery]), [])
      assert.deepStrictEqual((yield* claimAll).claimed, [])
    })
  )

  it.effect("fails the due deliveries of a disabled endpoint", () =>
    Effect.gen(function* () {
      const { business, endpoint, queue } = yield* prepared
      const endpoints = yield* EndpointRepository
      const deliveries = yield* DeliveryRepository
      yield* emit(business)
      yield* endpoints.update(business, endpoint.endpoint_id, { ...endpoint, status: "disabled" })
      const claims = yield* queue.claim({ limit: 10, perEndpoint: 10 })
      assert.deepInclude(claims, { claimed: [], unreported: [], failed: 1 })
      const page = { page: 1, perPage: 10 }
      const { items } = yield* deliveries.list(business, endpoint.endpoint_id, undefined, page)
      assert.deepStrictEqual(
        items.map(({ attempt, last_error, status }) => [attempt, last_error, status]),
        [[0, "endpoint disabled", "failed"]]
      )
    })
  )

  it.effect("signs with the former secrets too, the youngest first", () =>
    Effect.gen(function* () {
      const { business, endpoint } = yield* prepared
      const endpoints = yield* EndpointRepository
      for (const sealed of ["second", "third"])
        Option.getOrThrow(yield* endpoints.replaceSecret(business, endpoint.endpoint_id, sealed))
      yield* emit(business)
      const [claimed] = (yield* claimAll).claimed
      assert.deepInclude(claimed, { sealedSecret: "third", retiredSecrets: ["second", "sealed"] })
    })
  )

  it.effect("counts the deliveries that are due", () =>
    Effect.gen(function* () {
      const { business, queue } = yield* prepared
      assert.strictEqual((yield* queue.backlog).due, 0)
      yield* emit(business)
      yield* emit(business)
      yield* emit(yield* newBusiness)
      const { due, oldestDueSeconds } = yield* queue.backlog
      assert.strictEqual(due, 2)
      assert.isAtLeast(oldestDueSeconds, 0)
      yield* claimAll
      assert.strictEqual((yield* queue.backlog).due, 0)
    })
  )
})
