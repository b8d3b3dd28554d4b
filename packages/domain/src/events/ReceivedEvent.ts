/**
 * The event that receivers get, as a plain type. This file imports nothing, so that programs which import only
 * `@livery/domain/verify` compile without Effect's types.
 */

/** The event types that happen. */
export const emittedEventTypes = [
  "trip.created",
  "trip.updated",
  "trip.completed",
  "trip.cancelled",
  "driver.assigned",
  "quote.accepted",
  "invoice.created",
  "invoice.updated",
  "invoice.paid",
  "payment.succeeded",
  "payment.reversed"
] as const

/** The event types that can be subscribed to but never happen. */
export const reservedEventTypes = ["payment.failed"] as const

/** The JSON body of a delivery (docs/api/webhooks.md): the type of the schema `EventBody` of `@livery/domain`. */
export interface EventBody {
  /** `evt_` and 32 hex digits; constant across attempts, the value to de-duplicate on. */
  readonly id: string
  readonly type: (typeof emittedEventTypes)[number] | (typeof reservedEventTypes)[number]
  /** Unix seconds of the change. */
  readonly created: number
  readonly data: { readonly [field: string]: unknown }
  readonly meta: {
    readonly business_id: number
    /** True in a test delivery, whose data is a sample. Absent otherwise. */
    readonly test?: true
  }
}
