/** The use cases of deliveries: listing, retrying, sending a sample (docs/api/webhooks.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { Conflict, NotFound, orNotFound } from "../kernel/Errors.ts"
import type { DeliveryId, EndpointId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { deliveryRecord, type DeliveryStatus } from "./Delivery.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { makeSampleEvent } from "../events/DomainEvent.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { sampleData } from "./EventData.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { SampleInput } from "./SampleInput.ts"

/** The business that the data belongs to. */
type Owner = Pick<ActingBusiness, "business_id">

const dropped = () =>
  new Conflict({ reason: "The event of the delivery was dropped, because its retention period is over" })

const disabled = () => new Conflict({ reason: "The endpoint is disabled; enable it first" })

/** `NotFound` where the endpoint or the delivery is absent or another business's. */
export class WebhookDeliveries extends Context.Service<WebhookDeliveries>()(
  "@livery/domain/WebhookDeliveries",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const endpoints = yield* EndpointRepository
      const deliveries = yield* DeliveryRepository
      const audit = yield* AuditLog
      const cryptography = yield* Cryptography

      const checkEndpoint = Effect.fnUntraced(function* (
        { business_id }: Owner,
        endpointId: EndpointId
      ): Effect.fn.Return<void, NotFound> {
        yield* orNotFound("webhook endpoint")(yield* endpoints.find(business_id, endpointId))
      })

      const deliveryOf = Effect.fnUntraced(function* ({ business_id }: Owner, deliveryId: DeliveryId) {
        return yield* orNotFound("webhook delivery")(yield* deliveries.find(business_id, deliveryId))
      })

      return {
        /**
         * A page of an endpoint's deliveries, newest first, each with its attempts; only those of `status` if it is
         * given.
         */
        list: traced("WebhookDeliveries.list")(function* (
          owner: Owner,
          endpointId: EndpointId,
          status: DeliveryStatus | undefined,
          page: PageRequest
        ) {
          yield* checkEndpoint(owner, endpointId)
          return mapPage(yield* deliveries.list(owner.business_id, endpointId, status, page), deliveryRecord)
        }),

        /**
         * Sends a failed delivery's event again, as a new delivery with six attempts of its own. `NotFound` also if the
         * delivery is not of the given endpoint, `Conflict` if it is not failed, its endpoint is disabled or its event
         * was dropped. An `actor` from outside of the business is recorded in the audit log.
         */
        retry: traced("WebhookDeliveries.retry")(function* (
          owner: Owner,
          { deliveryId, endpointId }: { readonly deliveryId: DeliveryId; readonly endpointId?: EndpointId },
          actor?: string
        ) {
          return yield* atomically(transaction, function* () {
            const { endpointId: actual, record } = yield* deliveryOf(owner, deliveryId)
            if (endpointId !== undefined && endpointId !== actual)
              return yield* new NotFound({ resource: "webhook delivery" })
            if (record.status !== "failed")
              return yield* new Conflict({ reason: `The delivery is ${record.status}, not failed` })
            const created = yield* deliveries.sendAgain(owner.business_id, deliveryId)
            if (Option.isNone(created)) {
              const endpoint = yield* orNotFound("webhook endpoint")(
                yield* endpoints.find(owner.business_id, actual)
              )
              return yield* endpoint.status === "enabled" ? dropped() : disabled()
            }
            if (actor !== undefined)
              yield* audit.record({
                actor,
                action: "webhook_delivery.retried",
                subject: `webhook_delivery:${deliveryId}`,
                businessId: owner.business_id,
                after: { delivery_id: created.value, event_id: record.event_id }
              })
            return deliveryRecord((yield* deliveryOf(owner, created.value)).record)
          })
        }),

        /**
         * Sends sample data of that type, marked as a test, to this endpoint only and whether or not it subscribes to
         * the type; signed, retried and recorded like any other delivery. `Conflict` if the endpoint is disabled.
         */
        sendSample: traced("WebhookDeliveries.sendSample")(function* (
          owner: Owner,
          endpointId: EndpointId,
          { event_type }: SampleInput
        ) {
          const event = yield* makeSampleEvent(owner.business_id, event_type, sampleData[event_type]).pipe(
            Effect.provideService(Cryptography, cryptography)
          )
          return yield* atomically(transaction, function* () {
            yield* checkEndpoint(owner, endpointId)
            const sent = yield* deliveries.sendSample(event, endpointId)
            if (Option.isNone(sent)) return yield* disabled()
            return deliveryRecord((yield* deliveryOf(owner, sent.value)).record)
          })
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(WebhookDeliveries, WebhookDeliveries.make)
}
