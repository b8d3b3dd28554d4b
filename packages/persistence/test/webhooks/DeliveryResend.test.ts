import { Cryptography, DeliveryId, makeSampleEvent, WorkNotifier } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import {
  abandoned,
  acknowledged,
  alone,
  claim,
  claimOne,
  disable,
  emit,
  newBusiness,
  newEndpoint,
  prepared
} from "./Scenario.ts"

/** Whether the dispatcher was notified. */
const rung = Effect.gen(function* () {
  const before = yield* Clock.currentTimeMillis
  yield* WorkNotifier.use((notifier) => notifier.wait("deliveries", Duration.seconds(1)))
  return (yield* Clock.currentTimeMillis) - before < 900
})

const sample = (business: Parameters<typeof makeSampleEvent>[0]) =>
  makeSampleEvent(business, "invoice.paid", { invoice_id: 7, status: "paid" }).pipe(
    Effect.provide(Cryptography.layerWebCrypto)
  )

describe("sending again", () => {
  it.live("a failed delivery's event is sent again as a new delivery, with six attempts of its own", () =>
    Effect.gen(function* () {
      const { business, deliveries, listed, queue } = yield* prepared
      yield* emit(business)
      const failed = yield* claimOne
      yield* queue.record([abandoned(failed)])
      yield* rung
      const again = Option.getOrUndefined(yield* deliveries.sendAgain(business, failed.deliveryId))
      assert.isTrue(yield* rung)
      const delivery = yield* claimOne
      assert.strictEqual(delivery.deliveryId, again)
      assert.deepStrictEqual(
        [delivery.eventId, delivery.body, delivery.attempt],
        [failed.eventId, failed.body, 1]
      )
      assert.deepStrictEqual(
        (yield* listed).map(({ status }) => status),
        ["pending", "failed"]
      )
    }).pipe(alone)
  )

  it.live(
    "a delivery that has not failed, of a disabled endpoint or of another business is not sent, and nothing is written",
    () =>
      Effect.gen(function* () {
        const { business, deliveries, endpoint, listed, queue } = yield* prepared
        yield* emit(business, 1)
        const pending = DeliveryId.make((yield* listed)[0]?.delivery_id ?? 0)
        const none = Option.none<DeliveryId>()
        assert.deepStrictEqual(yield* deliveries.sendAgain(business, pending), none)
        yield* queue.record([acknowledged(yield* claimOne)])
        assert.deepStrictEqual(yield* deliveries.sendAgain(business, pending), none)
        yield* emit(business, 1)
        const failed = yield* claimOne
        yield* queue.record([abandoned(failed)])
        assert.deepStrictEqual(yield* deliveries.sendAgain(yield* newBusiness, failed.deliveryId), none)
        yield* disable(endpoint.endpoint_id)
        assert.deepStrictEqual(yield* deliveries.sendAgain(business, failed.deliveryId), none)
        assert.lengthOf(yield* listed, 2)
      }).pipe(alone)
  )
})

describe("a sample", () => {
  it.live("goes to one endpoint, whether or not it subscribes to the type", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint } = yield* prepared
      yield* newEndpoint(business, ["invoice.paid"])
      const event = yield* sample(business)
      yield* rung
      const sent = Option.getOrUndefined(yield* deliveries.sendSample(event, endpoint.endpoint_id))
      assert.isTrue(yield* rung)
      const delivery = yield* claimOne
      assert.deepStrictEqual(
        [delivery.deliveryId, delivery.endpointId, delivery.eventType, delivery.body],
        [sent, endpoint.endpoint_id, "invoice.paid", event.body]
      )
    }).pipe(alone)
  )

  it.live("for a disabled endpoint or another business's is not written at all", () =>
    Effect.gen(function* () {
      const { business, deliveries, endpoint } = yield* prepared
      const sql = yield* SqlClient.SqlClient
      const stranger = yield* sample(yield* newBusiness)
      assert.isTrue(Option.isNone(yield* deliveries.sendSample(stranger, endpoint.endpoint_id)))
      yield* disable(endpoint.endpoint_id)
      const event = yield* sample(business)
      assert.isTrue(Option.isNone(yield* deliveries.sendSample(event, endpoint.endpoint_id)))
      assert.isEmpty(yield* sql`SELECT 1 FROM events`)
    }).pipe(alone)
  )
})

it.live("the backlog is the number of due deliveries that are not claimed, and the age of the oldest", () =>
  Effect.gen(function* () {
    const { business, queue } = yield* prepared
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* queue.backlog, { due: 0, oldestDueSeconds: 0 })
    yield* emit(business, 3)
    yield* claim()
    yield* emit(business, 2)
    yield* sql`UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() - interval '1 minute'
      WHERE claim_id IS NULL AND delivery_id = (SELECT max(delivery_id) FROM webhook_deliveries)`
    const { due, oldestDueSeconds } = yield* queue.backlog
    assert.strictEqual(due, 2)
    assert.approximately(oldestDueSeconds, 60, 5)
  }).pipe(alone)
)
