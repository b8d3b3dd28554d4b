/** The contract of `DeliveryRepository`. */
import { DeliveryRepository, EndpointRepository, EventHistory } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { acknowledged, claimAll, emit, eventOf, prepared, refused } from "./Deliveries.ts"
import { newBusiness, wholeList } from "./Given.ts"

/** An endpoint with a delivery, which has been claimed. */
const claimedOne = Effect.gen(function* () {
  const given = yield* prepared
  const deliveries = yield* DeliveryRepository
  const endpoints = yield* EndpointRepository
  const { eventId } = yield* emit(given.business)
  const [delivery] = (yield* claimAll).claimed
  if (delivery === undefined) return yield* Effect.die(new Error("Nothing was claimed"))
  const { endpoint_id } = given.endpoint
  const record = Effect.map(
    deliveries.find(given.business, delivery.deliveryId),
    (found) => Option.getOrThrow(found).record
  )
  const disable = endpoints.update(given.business, endpoint_id, { ...given.endpoint, status: "disabled" })
  return { ...given, deliveries, endpoints, delivery, eventId, endpoint_id, record, disable }
})

export const deliveryRepository = contract("a webhook delivery", (it) => {
  it.effect("is shown with its attempts", () =>
    Effect.gen(function* () {
      const { business, deliveries, delivery, endpoint_id, eventId, queue, record } = yield* claimedOne
      assert.deepInclude(yield* record, {
        event_id: eventId,
        event_type: "trip.created",
        status: "pending",
        attempt: 1,
        next_attempt_at: null,
        last_error: null,
        attempts: []
      })
      yield* queue.record([refused(delivery)])
      assert.deepInclude(yield* record, {
        status: "failed",
        attempt: 1,
        next_attempt_at: null,
        last_error: "http 503",
        response_status: 503,
        attempts: [
          {
            attempt: 1,
            started_at: "2026-11-20T09:30:00Z",
            duration_ms: 12,
            response_status: 503,
            error: "http 503"
          }
        ]
      })
      const found = Option.getOrThrow(yield* deliveries.find(business, delivery.deliveryId))
      assert.strictEqual(found.endpointId, endpoint_id)
      assert.deepStrictEqual(yield* deliveries.find(yield* newBusiness, delivery.deliveryId), Option.none())
    })
  )

  it.effect("is listed, the newest first, by status", () =>
    Effect.gen(function* () {
      const { business, deliveries, delivery, endpoint_id, queue } = yield* claimedOne
      yield* queue.record([acknowledged(delivery)])
      yield* emit(business)
      const list = (status?: "pending" | "delivered" | "failed", page = wholeList) =>
        Effect.map(deliveries.list(business, endpoint_id, status, page), ({ items, ...rest }) => ({
          ...rest,
          statuses: items.map((item) => item.status)
        }))
      const both = { statuses: ["pending" as const, "delivered" as const], total: 2, hasMore: false }
      assert.deepStrictEqual(yield* list(), both)
      assert.deepStrictEqual((yield* list("delivered")).statuses, ["delivered"])
      assert.deepStrictEqual(yield* list("failed"), { statuses: [], total: 0, hasMore: false })
      const first = yield* list(undefined, { page: 1, perPage: 1 })
      assert.deepStrictEqual(first, { statuses: ["pending"], total: 2, hasMore: true })
    })
  )

  it.effect("is sent again if it failed and its endpoint is enabled", () =>
    Effect.gen(function* () {
      const { business, deliveries, delivery, disable, endpoint, endpoint_id, endpoints, eventId, queue } =
        yield* claimedOne
      const again = deliveries.sendAgain(business, delivery.deliveryId)
      assert.deepStrictEqual(yield* again, Option.none())
      yield* queue.record([refused(delivery)])
      yield* disable
      assert.deepStrictEqual(yield* again, Option.none())
      yield* endpoints.update(business, endpoint_id, endpoint)
      assert.deepStrictEqual(
        yield* deliveries.sendAgain(yield* newBusiness, delivery.deliveryId),
        Option.none()
      )
      const sent = Option.getOrThrow(yield* again)
      const [claimed] = (yield* claimAll).claimed
      assert.deepInclude(claimed, { deliveryId: sent, eventId, attempt: 1 })
      yield* endpoints.remove(business, endpoint_id)
      assert.deepStrictEqual(yield* deliveries.find(business, sent), Option.none())
    })
  )

  it.effect("of a sample goes to its endpoint alone, if that is enabled", () =>
    Effect.gen(function* () {
      const { business, deliveries, disable, endpoint_id } = yield* claimedOne
      const history = yield* EventHistory
      const sample = eventOf(business)
      const sent = Option.getOrThrow(yield* deliveries.sendSample(sample, endpoint_id))
      const [claimed, ...others] = (yield* claimAll).claimed
      assert.deepInclude(claimed, { deliveryId: sent, body: sample.body })
      assert.deepStrictEqual(others, [])
      yield* disable
      const refusedSample = yield* deliveries.sendSample(eventOf(business), endpoint_id)
      assert.deepStrictEqual(refusedSample, Option.none())
      const { bodies } = Option.getOrThrow(yield* history.after(business, undefined, 10))
      assert.notInclude(bodies, sample.body)
    })
  )

  it.effect("is cancelled with its endpoint; an attempt under way may still report its end", () =>
    Effect.gen(function* () {
      const { business, deliveries, delivery, disable, endpoint_id, queue, record } = yield* claimedOne
      yield* emit(business)
      assert.deepStrictEqual(yield* deliveries.cancel(business, endpoint_id), { failed: 0, startable: 0 })
      yield* disable
      assert.deepStrictEqual(yield* deliveries.cancel(business, endpoint_id), { failed: 2, startable: 1 })
      assert.deepInclude(yield* record, { status: "failed", last_error: "endpoint disabled", attempts: [] })
      assert.deepStrictEqual(yield* queue.record([acknowledged(delivery)]), ["cancelled"])
      const { attempts, last_error, status } = yield* record
      assert.deepStrictEqual([attempts.length, last_error, status], [1, "endpoint disabled", "failed"])
      assert.deepStrictEqual(yield* deliveries.cancel(business, endpoint_id), { failed: 0, startable: 0 })
    })
  )
})
