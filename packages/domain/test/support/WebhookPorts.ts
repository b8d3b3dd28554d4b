/** Webhook endpoints and deliveries in memory, as the ports promise them. */
import {
  AddressPolicy,
  AuditLog,
  Cryptography,
  type DeliveryId,
  type Delivery,
  DeliveryRepository,
  type DomainEvent,
  type Endpoint,
  type EndpointId,
  EndpointRepository,
  SecretBox,
  WebhookDeliveries,
  Webhooks
} from "@livery/domain"
import type { AuditEntry } from "@livery/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { memoryTransactions } from "./MemoryTransactions.ts"

interface Kept {
  endpoint: Endpoint
  sealedSecret: string
  deleted: boolean
}

interface Sent {
  readonly businessId: number
  readonly endpointId: EndpointId
  readonly event: DomainEvent | undefined
  record: Delivery
}

const pending = (delivery_id: number, event_id: string, event_type: Delivery["event_type"]) => ({
  delivery_id,
  event_id,
  event_type,
  status: "pending" as const,
  attempt: 0,
  next_attempt_at: "2026-11-20T09:30:00Z",
  last_error: null,
  response_status: null,
  created_at: "2026-11-20T09:30:00Z",
  attempts: []
})

/**
 * Use cases over ports in memory, and what the ports hold. `failing` and `unsettled` are what cancelling answers, call
 * by call.
 */
export const webhookPorts = Effect.gen(function* () {
  const transaction = memoryTransactions()
  const calls: Array<string> = []
  const kept: Array<Kept> = []
  const sent: Array<Sent> = []
  const audit: Array<AuditEntry> = []
  const unsettled: Array<number> = []
  const failing: Array<number> = []

  const ofBusiness = (businessId: number, id: EndpointId) =>
    kept.find(
      ({ deleted, endpoint }) =>
        !deleted && endpoint.business_id === businessId && endpoint.endpoint_id === id
    )
  const found = (businessId: number, id: EndpointId) =>
    Option.map(Option.fromUndefinedOr(ofBusiness(businessId, id)), ({ endpoint }) => endpoint)
  const noting = <A>(what: string, answer: () => A) => transaction.noting(calls, what, Effect.sync(answer))

  const Endpoints = Layer.mock(EndpointRepository)({
    insert: (business_id, { events, sealedSecret, url }) =>
      Effect.sync(() => {
        const created_at = DateTime.makeUnsafe(0)
        const endpoint_id = (kept.length + 1) as EndpointId
        const endpoint: Endpoint = {
          endpoint_id,
          business_id,
          url,
          events,
          status: "enabled",
          created_at,
          updated_at: created_at
        }
        kept.push({ endpoint, sealedSecret, deleted: false })
        return endpoint
      }),
    find: (businessId, id) => Effect.sync(() => found(businessId, id)),
    lock: (businessId, id) => noting("hold", () => found(businessId, id)),
    update: (businessId, id, standing) =>
      noting("update", () => {
        const held = ofBusiness(businessId, id)
        if (held === undefined) throw new Error("updated without being held")
        held.endpoint = { ...held.endpoint, ...standing }
        return held.endpoint
      }),
    replaceSecret: (businessId, id, sealedSecret) =>
      noting("replaceSecret", () => {
        const held = ofBusiness(businessId, id)
        if (held === undefined || held.sealedSecret.startsWith("worn")) return Option.none()
        held.sealedSecret = sealedSecret
        return Option.some(held.endpoint)
      }),
    remove: (businessId, id) =>
      noting("remove", () => {
        const held = ofBusiness(businessId, id)
        if (held !== undefined) held.deleted = true
      })
  })

  const send = (businessId: number, endpointId: EndpointId, event: DomainEvent | undefined, from?: Sent) => {
    if (ofBusiness(businessId, endpointId)?.endpoint.status !== "enabled") return Option.none<DeliveryId>()
    const delivery_id = sent.length + 1
    const { event_id, event_type } = from?.record ?? { event_id: event?.eventId, event_type: event?.type }
    sent.push({
      businessId,
      endpointId,
      event,
      record: pending(delivery_id, event_id ?? "", event_type ?? "trip.created")
    })
    return Option.some(delivery_id as DeliveryId)
  }
  const deliveryOf = (businessId: number, id: number) =>
    sent.find((one) => one.businessId === businessId && one.record.delivery_id === id)

  const Deliveries = Layer.mock(DeliveryRepository)({
    list: (businessId, endpointId, status) =>
      Effect.sync(() => ({
        items: sent
          .filter((one) => one.businessId === businessId && one.endpointId === endpointId)
          .map(({ record }) => record)
          .filter((record) => status === undefined || record.status === status),
        total: undefined,
        hasMore: false
      })),
    find: (businessId, id) =>
      Effect.sync(() =>
        Option.map(Option.fromUndefinedOr(deliveryOf(businessId, id)), ({ endpointId, record }) => ({
          endpointId,
          record
        }))
      ),
    sendAgain: (businessId, id) =>
      noting("sendAgain", () => {
        const from = deliveryOf(businessId, id)
        return from?.record.status === "failed"
          ? send(businessId, from.endpointId, from.event, from)
          : Option.none()
      }),
    sendSample: (event, endpointId) => noting("sendSample", () => send(event.businessId, endpointId, event)),
    cancel: () =>
      noting("cancel", () => ({ failed: failing.shift() ?? 0, unsettled: unsettled.shift() ?? 0 }))
  })

  const context = yield* Layer.build(
    Layer.merge(Webhooks.layer, WebhookDeliveries.layer).pipe(
      Layer.provide(
        Layer.mergeAll(
          Endpoints,
          Deliveries,
          transaction.layer,
          Cryptography.layerWebCrypto,
          Layer.succeed(AddressPolicy, AddressPolicy.of({ allows: (url) => url.startsWith("https://") })),
          Layer.mock(SecretBox)({ seal: (plain) => Effect.succeed(`sealed ${plain}`) }),
          Layer.succeed(
            AuditLog,
            AuditLog.of({ record: (entry) => noting("audit", () => void audit.push(entry)) })
          )
        )
      )
    )
  )
  const webhooks = <A, E>(use: (it: Webhooks["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Webhooks.use(use), context)
  const deliveries = <A, E>(use: (it: WebhookDeliveries["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(WebhookDeliveries.use(use), context)
  return { kept, sent, calls, audit, failing, unsettled, webhooks, deliveries }
})
