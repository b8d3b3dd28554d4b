import { assert, describe, it } from "@effect/vitest"
import {
  type DeliveryId,
  EmittedEventType,
  type EndpointId,
  EndpointInput,
  EventBody,
  eventData,
  sampleData,
  SampleInput,
  operatorMoves
} from "@livery/domain"
import { Effect, Schema } from "effect"
import { decoded } from "../support/Decoding.ts"
import { webhookPorts } from "../support/WebhookPorts.ts"
import { business } from "../support/People.ts"

const prepared = Effect.gen(function* () {
  const all = yield* webhookPorts
  const made = yield* Effect.replicateEffect(
    all.webhooks((it) =>
      it.subscribe(
        business(1),
        decoded(EndpointInput, { url: "https://example.com/", events: ["trip.created"] })
      )
    ),
    2
  )
  const [id, otherId] = made.map(({ endpoint_id }) => endpoint_id as EndpointId) as [EndpointId, EndpointId]
  const sample = (event_type: EmittedEventType, of = 1, endpoint = id) =>
    all.deliveries((it) => it.sendSample(business(of), endpoint, { event_type }))
  const settle = (status: "failed" | "delivered" | "pending") => {
    for (const { deliveryId } of all.sent()) all.store.deliveries.change(deliveryId, { status })
  }
  return { ...all, id, otherId, sample, settle }
})

describe("a sample", () => {
  it.effect("of each type goes to the endpoint, marked as a test, with data of that type's shape", () =>
    Effect.gen(function* () {
      const { calls, sample, store } = yield* prepared
      for (const type of EmittedEventType.literals) {
        const record = yield* sample(type)
        assert.deepInclude(record, { event_type: type, status: "pending", attempt: 0 })
        const body = yield* Schema.decodeEffect(Schema.fromJsonString(EventBody))(
          store.events.get(record.event_id)?.body ?? ""
        )
        assert.deepStrictEqual(body.meta, { business_id: 1, test: true })
        assert.deepStrictEqual([body.id, body.type], [record.event_id, type])
        assert.deepStrictEqual(body.data, JSON.parse(JSON.stringify(sampleData[type])))
        assert.isTrue(Schema.is(Schema.Union([eventData[type].data]))(body.data), type)
      }
      assert.deepStrictEqual([...new Set(calls)], ["sendSample inside"])
    })
  )

  it.effect("contains a trip of the event's status", () =>
    Effect.sync(() => {
      for (const type of ["trip.created", "trip.updated", "trip.completed", "trip.cancelled"] as const) {
        const { allowed_transitions, status } = sampleData[type]
        assert.deepStrictEqual(allowed_transitions, operatorMoves(status))
      }
    })
  )

  it.effect("cannot have an event type that is never sent", () =>
    Effect.sync(() => assert.isFalse(Schema.is(SampleInput)({ event_type: "payment.failed" })))
  )

  it.effect("for a disabled endpoint is a conflict, for an absent or another business's not found", () =>
    Effect.gen(function* () {
      const { id, sample, sent, webhooks } = yield* prepared
      assert.strictEqual((yield* Effect.flip(sample("trip.created", 2)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(sample("trip.created", 1, 99 as EndpointId)))._tag, "NotFound")
      yield* webhooks((it) => it.update(business(1), id, { status: "disabled" }))
      assert.strictEqual((yield* Effect.flip(sample("trip.created")))._tag, "Conflict")
      assert.isEmpty(sent())
    })
  )
})

describe("retry", () => {
  it.effect("sends a failed delivery's event as a new delivery", () =>
    Effect.gen(function* () {
      const { audit, calls, deliveries, sample, sent, settle } = yield* prepared
      const { delivery_id, event_id } = yield* sample("trip.created")
      settle("failed")
      calls.length = 0
      const again = yield* deliveries((it) =>
        it.retry(business(1), { deliveryId: delivery_id as DeliveryId })
      )
      assert.deepInclude(again, { event_id, status: "pending", attempt: 0 })
      assert.notStrictEqual(again.delivery_id, delivery_id)
      assert.lengthOf(sent(), 2)
      assert.deepStrictEqual(calls, ["sendAgain inside"])
      assert.isEmpty(audit)
    })
  )

  it.effect(
    "by a caller from outside the business is recorded in the audit log, in the same transaction",
    () =>
      Effect.gen(function* () {
        const { audit, calls, deliveries, sample, settle } = yield* prepared
        const { delivery_id, event_id } = yield* sample("trip.created")
        settle("failed")
        yield* deliveries((it) =>
          it.retry(business(1), { deliveryId: delivery_id as DeliveryId }, "cli:anna")
        )
        assert.include(calls, "audit inside")
        assert.deepStrictEqual(audit, [
          {
            actor: "cli:anna",
            action: "webhook_delivery.retried",
            subject: `webhook_delivery:${delivery_id}`,
            businessId: business(1).business_id,
            after: { delivery_id: 2, event_id }
          }
        ])
      })
  )

  it.effect(
    "of a delivery that is not failed, or whose endpoint is disabled, is a conflict; of another business's, not found",
    () =>
      Effect.gen(function* () {
        const { audit, deliveries, id, otherId, sample, sent, settle, webhooks } = yield* prepared
        const deliveryId = (yield* sample("trip.created")).delivery_id as DeliveryId
        const retry = (of: number, endpointId: EndpointId) =>
          Effect.flip(deliveries((it) => it.retry(business(of), { deliveryId, endpointId }, "cli:anna")))
        for (const status of ["pending", "delivered"] as const) {
          settle(status)
          assert.strictEqual((yield* retry(1, id)).message, `The delivery is ${status}, not failed`)
        }
        settle("failed")
        assert.strictEqual((yield* retry(2, id))._tag, "NotFound")
        assert.strictEqual((yield* retry(1, otherId))._tag, "NotFound")
        yield* webhooks((it) => it.update(business(1), id, { status: "disabled" }))
        assert.strictEqual((yield* retry(1, id))._tag, "Conflict")
        assert.lengthOf(sent(), 1)
        assert.isEmpty(audit)
      })
  )
})

it.effect("only its business can list an endpoint's deliveries, also by status", () =>
  Effect.gen(function* () {
    const { deliveries, id, sample } = yield* prepared
    yield* sample("trip.created")
    const page = { page: 1, perPage: 25 }
    const list = (of: number, status?: "pending" | "failed") =>
      deliveries((it) => it.list(business(of), id, status, page))
    assert.lengthOf((yield* list(1)).items, 1)
    assert.lengthOf((yield* list(1, "pending")).items, 1)
    assert.isEmpty((yield* list(1, "failed")).items)
    assert.deepInclude(yield* Effect.flip(list(2)), { _tag: "NotFound", message: "No such webhook endpoint" })
  })
)
