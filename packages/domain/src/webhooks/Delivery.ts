/** A delivery: one event to be sent to one endpoint (docs/api/webhooks.md). */
import { type DateTime, Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import * as StateMachine from "../kernel/StateMachine.ts"
import type { BusinessId, DeliveryId, EndpointId } from "../kernel/Ids.ts"
import { EventType } from "../events/EventType.ts"

/** The status of a delivery. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** `pending → delivered | failed`; the last two are final. */
export const deliveryMachine = StateMachine.make<DeliveryStatus>("delivery", DeliveryStatus.literals, {
  pending: { delivered: ["system"], failed: ["system"] },
  delivered: {},
  failed: {}
})

/** Whether a delivery is still to be sent. */
export const isPending = ({ status }: { readonly status: DeliveryStatus }): boolean =>
  !deliveryMachine.isTerminal(status)

/** One attempt: its start, its duration and its outcome. */
export const Attempt = Schema.Struct({
  attempt: Schema.Int,
  started_at: Schema.String,
  duration_ms: Schema.Int,
  response_status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String)
})
export type Attempt = typeof Attempt.Type

/**
 * The fields of a delivery. `attempt` counts the attempts made; `next_attempt_at` is null when none is due. Times are
 * texts, since the database formats them.
 */
export const deliveryFields = Field.ofNobody({
  delivery_id: Field.assigned(Value.unchanged(Schema.Int)),
  event_id: Field.assigned(Value.unboundedText),
  event_type: Field.assigned(Value.unchanged(EventType)),
  status: Field.assigned(Value.unchanged(DeliveryStatus)),
  attempt: Field.assigned(Value.unchanged(Schema.Int)),
  next_attempt_at: Field.assignedOrNull(Value.unboundedText),
  last_error: Field.assignedOrNull(Value.unboundedText),
  response_status: Field.assignedOrNull(Value.unchanged(Schema.Int)),
  created_at: Field.assigned(Value.unboundedText),
  attempts: Field.assigned(Value.unchanged(Schema.Array(Attempt))),
  allowed_transitions: Field.computed(Schema.Array(DeliveryStatus))
})

/** A delivery as stored. */
export const Delivery = Field.storedOf(deliveryFields)
export type Delivery = typeof Delivery.Type

/** A delivery in a response. `allowed_transitions` is empty: only the dispatcher changes a delivery. */
export const DeliveryRecord = Field.recordOf(deliveryFields)
export type DeliveryRecord = typeof DeliveryRecord.Type

const encode = Field.encoderOf<typeof deliveryFields, void>(deliveryFields, {
  allowed_transitions: ({ status }) => deliveryMachine.next(status, "operator")
})

/** The record of a delivery. */
export const deliveryRecord = (delivery: Delivery): DeliveryRecord => encode(delivery)

/** A claimed delivery, with everything that one attempt needs. The attempt is already counted. */
export interface ClaimedDelivery {
  readonly deliveryId: DeliveryId
  readonly businessId: BusinessId
  readonly endpointId: EndpointId
  readonly eventId: string
  readonly eventType: EventType
  /** The stored body, sent byte for byte. */
  readonly body: string
  /** The `traceparent` of the traced request that caused the event; null if it was not traced. */
  readonly traceParent: string | null
  readonly url: string
  readonly sealedSecret: string
  /** Replaced secrets of the endpoint that still sign beside it, the youngest first. */
  readonly retiredSecrets: ReadonlyArray<string>
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /**
   * Fences the result: it is written only while this is the delivery's latest claim. Deliveries that were claimed
   * together share it.
   */
  readonly claimId: string
  /** The age of the delivery when it was claimed, by the database's clock, in milliseconds. */
  readonly ageMs: number
}

/** The outcome of an attempt. */
export interface AttemptResult {
  readonly delivery: ClaimedDelivery
  readonly startedAt: DateTime.Utc
  readonly durationMs: number
  /** Whether a 2xx acknowledged receipt. */
  readonly acknowledged: boolean
  /** The status of the response, or null when there was none. */
  readonly responseStatus: number | null
  /**
   * A short reason of the failure, without secrets and without anything learned from an internal address; null on
   * success.
   */
  readonly error: string | null
  /** Seconds until the next attempt, counted by the database from the time of writing; null if there is none. */
  readonly retryIn: number | null
}

/** An attempt without a result, because its dispatcher stopped. */
export interface UnreportedAttempt {
  readonly deliveryId: DeliveryId
  readonly businessId: BusinessId
  readonly endpointId: EndpointId
  readonly eventId: string
  readonly attempt: number
  /** The current status of its delivery: `pending` if it was claimed again. */
  readonly status: "pending" | "failed"
}

/** The outcome of a claim. */
export interface Claims {
  /** Deliveries to send. */
  readonly claimed: ReadonlyArray<ClaimedDelivery>
  /** Attempts of stopped dispatchers, each reported once. */
  readonly unreported: ReadonlyArray<UnreportedAttempt>
  /** How many deliveries the claim made `failed`. */
  readonly failed: number
  /** Whether a limit held back due deliveries, which can be claimed after others have ended. */
  readonly isHeldBack: boolean
  /** The database's time at the claim, in Unix milliseconds. */
  readonly databaseMillis: number
}

/**
 * The outcome of writing a result: the delivery's new status; `cancelled` if the delivery had failed before because its
 * endpoint was disabled, so that the attempt is only added to its history; `late` if the claim had ended and nothing
 * was written; `locked` if another transaction has locked the delivery and nothing is written yet.
 */
export type DeliveryVerdict = DeliveryStatus | "cancelled" | "late" | "locked"

/** The number of deliveries that are due and not being attempted, and how long the oldest has been due. */
export interface Backlog {
  /** Counted to {@link maxCountedBacklog}. */
  readonly due: number
  readonly oldestDueSeconds: number
}

/** The limit of counting a backlog, so that counting a long one stays cheap. */
export const maxCountedBacklog = 100_000
