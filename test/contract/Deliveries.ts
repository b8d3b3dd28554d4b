/** Endpoints, events and deliveries for contracts. */
import {
  type AttemptResult,
  type BusinessId,
  type ClaimedDelivery,
  DeliveryQueue,
  type EmittedEventType,
  EndpointRepository,
  EventLog,
  type EventType
} from "@livery/domain"
import { Effect } from "effect"
import { at, unique } from "./Contract.ts"
import { newBusiness } from "./Given.ts"

/** A new endpoint of a business. */
export const newEndpoint = Effect.fnUntraced(function* (
  businessId: BusinessId,
  events: ReadonlyArray<EventType> = ["trip.created"]
) {
  const endpoints = yield* EndpointRepository
  return yield* endpoints.insert(businessId, {
    url: "https://example.org/hook",
    events,
    sealedSecret: "sealed"
  })
})

/** An event of a business, which is not recorded yet. */
export const eventOf = (businessId: BusinessId, type: EmittedEventType = "trip.created") => {
  const eventId = unique("evt")
  return { eventId, businessId, type, body: JSON.stringify({ id: eventId, note: "naïve ☕" }) }
}

/** Records an event of a business, and returns its id. */
export const emit = Effect.fnUntraced(function* (businessId: BusinessId, type?: EmittedEventType) {
  const events = yield* EventLog
  const event = eventOf(businessId, type)
  yield* events.record(event)
  return event
})

/** Claims every delivery that is due. */
export const claimAll = Effect.gen(function* () {
  const queue = yield* DeliveryQueue
  return yield* queue.claim({ limit: 1000, perEndpoint: 1000 })
})

/** A business with an endpoint, in a queue without other due deliveries. */
export const prepared = Effect.gen(function* () {
  yield* claimAll
  const business = yield* newBusiness
  return { business, endpoint: yield* newEndpoint(business), queue: yield* DeliveryQueue }
})

const result =
  (outcome: Pick<AttemptResult, "acknowledged" | "responseStatus" | "error" | "retryIn">) =>
  (delivery: ClaimedDelivery): AttemptResult => ({
    delivery,
    startedAt: at("09:30:00"),
    durationMs: 12,
    ...outcome
  })

/** The result of an attempt that the receiver acknowledged. */
export const acknowledged = result({ acknowledged: true, responseStatus: 200, error: null, retryIn: null })

/** The result of a last attempt that the receiver refused. */
export const refused = result({
  acknowledged: false,
  responseStatus: 503,
  error: "http 503",
  retryIn: null
})

/** The result of an attempt that the receiver refused, to be repeated after so many seconds. */
export const refusedFor = (retryIn: number) =>
  result({ acknowledged: false, responseStatus: 503, error: "http 503", retryIn })
