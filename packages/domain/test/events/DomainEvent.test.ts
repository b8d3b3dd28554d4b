import { assert, it } from "@effect/vitest"
import {
  type BusinessId,
  Cryptography,
  EmittedEventType,
  EventBody,
  EventType,
  makeEvent,
  makeSampleEvent
} from "@livery/domain"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"

const businessId = 7 as BusinessId

it.effect("an event's body has its id, type, second, data and business, in that order", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_790_000_000_999)
    const event = yield* makeEvent(businessId, "trip.created", { trip_id: 1, note: "Zoë" })
    assert.match(event.eventId, /^evt_[0-9a-f]{32}$/u)
    assert.deepStrictEqual([event.businessId, event.type], [7, "trip.created"])
    assert.strictEqual(
      event.body,
      `{"id":"${event.eventId}","type":"trip.created","created":1790000000,` +
        `"data":{"trip_id":1,"note":"Zoë"},"meta":{"business_id":7}}`
    )
  }).pipe(Effect.provide(Cryptography.layerWebCrypto))
)

it.effect.prop(
  "any data is preserved in the body, which is well-formed text",
  [EmittedEventType, Schema.Record(Schema.String, Schema.Json)],
  ([type, data]) =>
    Effect.gen(function* () {
      const { body, eventId } = yield* makeEvent(businessId, type, data)
      const parsed = yield* Schema.decodeEffect(Schema.fromJsonString(EventBody))(body)
      assert.deepStrictEqual([parsed.id, parsed.type, parsed.meta.business_id], [eventId, type, 7])
      assert.deepStrictEqual(parsed.data, JSON.parse(JSON.stringify(data)))
      assert.isTrue(body.isWellFormed())
    }).pipe(Effect.provide(Cryptography.layerWebCrypto))
)

it.effect("no two events share an id", () =>
  Effect.gen(function* () {
    const events = yield* Effect.replicateEffect(makeEvent(businessId, "trip.created", {}), 500)
    assert.strictEqual(new Set(events.map(({ eventId }) => eventId)).size, 500)
  }).pipe(Effect.provide(Cryptography.layerWebCrypto))
)

it.effect("payment.failed can be subscribed to, and never emitted", () =>
  Effect.sync(() => {
    assert.isTrue(Schema.is(EventType)("payment.failed"))
    assert.isFalse(Schema.is(EmittedEventType)("payment.failed"))
    assert.deepStrictEqual<ReadonlyArray<string>>(EventType.literals, [
      ...EmittedEventType.literals,
      "payment.failed"
    ])
    // @ts-expect-error: reserved
    void makeEvent(businessId, "payment.failed", {})
    // @ts-expect-error: reserved
    void makeSampleEvent(businessId, "payment.failed", {})
  })
)
