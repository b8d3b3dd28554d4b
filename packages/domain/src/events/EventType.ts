/** The events a business can subscribe to (docs/api/webhooks.md). */
import { Schema } from "effect"
import { emittedEventTypes, reservedEventTypes } from "./ReceivedEvent.ts"

/** The event types that happen. */
export const EmittedEventType = Schema.Literals(emittedEventTypes)
export type EmittedEventType = typeof EmittedEventType.Type

/** Every event type. `payment.failed` is reserved: accepted on subscribing, never emitted. */
export const EventType = Schema.Literals([...emittedEventTypes, ...reservedEventTypes])
export type EventType = typeof EventType.Type
