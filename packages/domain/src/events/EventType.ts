/** The events a business can subscribe to (docs/api/webhooks.md). */
import { Schema } from "effect"

/** The event types that happen. */
export const EmittedEventType = Schema.Literals([
  "trip.created",
  "trip.updated",
  "trip.completed",
  "trip.cancelled",
  "driver.assigned",
  "quote.accepted",
  "invoice.created",
  "invoice.updated",
  "invoice.paid",
  "payment.succeeded"
])
export type EmittedEventType = typeof EmittedEventType.Type

/** Every event type. `payment.failed` is reserved: accepted on subscribing, never emitted. */
export const EventType = Schema.Literals([...EmittedEventType.literals, "payment.failed"])
export type EventType = typeof EventType.Type
