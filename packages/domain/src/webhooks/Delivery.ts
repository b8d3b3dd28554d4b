/** A delivery: one event on its way to one endpoint (specification, Webhook delivery record). */
import { Context, type DateTime, type Effect, Schema } from "effect"
import * as StateMachine from "../kernel/StateMachine.ts"
import type { BusinessId, DeliveryId, EndpointId } from "../kernel/Ids.ts"
import { EventType } from "../events/EventType.ts"

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** `pending → delivered | failed`; both ends are final. */
export const deliveryMachine = StateMachine.make<DeliveryStatus>("delivery", DeliveryStatus.literals, {
  pending: { delivered: ["system"], failed: ["system"] },
  delivered: {},
  failed: {}
})

/** One attempt that was made: when, how long it took, and how it ended. */
export const Attempt = Schema.Struct({
  attempt: Schema.Int,
  started_at: Schema.String,
  duration_ms: Schema.Int,
  response_status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String)
})
export type Attempt = typeof Attempt.Type

/** A delivery as it stands. `attempt` counts the attempts made; `next_attempt_at` is null when none is due. */
export const DeliveryRecord = Schema.Struct({
  delivery_id: Schema.Int,
  event_id: Schema.String,
  event_type: EventType,
  status: DeliveryStatus,
  attempt: Schema.Int,
  next_attempt_at: Schema.NullOr(Schema.String),
  last_error: Schema.NullOr(Schema.String),
  response_status: Schema.NullOr(Schema.Int),
  created_at: Schema.String,
  attempts: Schema.Array(Attempt)
})
export type DeliveryRecord = typeof DeliveryRecord.Type

/** A delivery in an answer: with what may still become of it. */
export const DeliveryAnswer = Schema.Struct({
  ...DeliveryRecord.fields,
  allowed_transitions: Schema.Array(DeliveryStatus)
})
export type DeliveryAnswer = typeof DeliveryAnswer.Type

/** The answer that tells a delivery. */
export const deliveryAnswer = (delivery: DeliveryRecord): DeliveryAnswer => ({
  ...delivery,
  allowed_transitions: deliveryMachine.next(delivery.status)
})

/** A delivery that a dispatcher holds: all that one attempt needs. The attempt is already counted. */
export interface ClaimedDelivery {
  readonly deliveryId: DeliveryId
  readonly businessId: BusinessId
  readonly endpointId: EndpointId
  readonly eventId: string
  readonly eventType: EventType
  /** The stored body, sent as it stands. */
  readonly body: string
  readonly url: string
  readonly sealedSecret: string
  /** Former secrets of the endpoint that still sign beside it, the youngest first. */
  readonly retiredSecrets: ReadonlyArray<string>
  /** Which attempt this is, from 1. */
  readonly attempt: number
  /** Fences the result: it is recorded only while this claim is the delivery's latest. What one look claimed may share it. */
  readonly claimId: string
  /** How long ago, by the database's clock, the delivery came to be when it was claimed, in milliseconds. */
  readonly ageMs: number
}

/** How an attempt ended. */
export interface AttemptResult {
  readonly delivery: ClaimedDelivery
  readonly startedAt: DateTime.Utc
  readonly durationMs: number
  /** Whether a 2xx acknowledged receipt. */
  readonly acknowledged: boolean
  /** The status of the answer, or null when there was none. */
  readonly responseStatus: number | null
  /** Why it failed, short, without secrets and without what an internal address would tell; null on success. */
  readonly error: string | null
  /** Seconds until the next attempt, counted by the database from now; null when there is none to come. */
  readonly retryIn: number | null
}

/** An attempt of which nobody will tell the end, since its dispatcher stopped. */
export interface SilentAttempt {
  readonly deliveryId: DeliveryId
  readonly businessId: BusinessId
  readonly endpointId: EndpointId
  readonly eventId: string
  readonly attempt: number
  /** Where its delivery stands now: `pending` if it was claimed again. */
  readonly status: "pending" | "failed"
}

/** What a dispatcher's look at the queue came to. */
export interface Claims {
  /** To be sent. */
  readonly claimed: ReadonlyArray<ClaimedDelivery>
  /** What was written for dispatchers that had gone silent. */
  readonly silent: ReadonlyArray<SilentAttempt>
  /** How many deliveries became `failed` by it. */
  readonly failed: number
}

/**
 * What became of a delivery when a result was written: where it stands now; or `cancelled`, since it had failed before,
 * with its endpoint, and has the attempt in its history only; or `late`, since the claim had ended, and nothing was
 * written.
 */
export type DeliveryVerdict = DeliveryStatus | "cancelled" | "late"

/** What waits: deliveries that are due and not under way, and for how long the oldest of them is due. */
export interface Backlog {
  /** Counted to {@link backlogCountedAtMost}. */
  readonly due: number
  readonly oldestDueSeconds: number
}

/** A backlog is counted this far and no further, so that looking at it costs little however long it is. */
export const backlogCountedAtMost = 100_000

/**
 * The port to the durable queue of deliveries, for dispatchers. Time is the database's own, so that dispatchers on
 * several machines agree on what is due.
 *
 * - `claim`: takes due deliveries, fairly over endpoints: at most `perEndpoint` in flight for each, `perBusiness`
 *   for all endpoints of one business, and `limit` in all; counts their attempt, gives them a claim id and each a time
 *   after which another dispatcher may take it. Deliveries of endpoints that are disabled or deleted, and those
 *   whose sixth attempt went silent, become `failed` instead. Tells also which attempts it found silent: those of
 *   claims that lapsed, each told once, whatever became of its delivery. Claims made at the same instant by several
 *   dispatchers do not see each other: for that moment, each of them may fill the bounds.
 * - `record`: writes results of which the claim still holds. A result that comes after its lease counts as long as
 *   nobody has taken the delivery over; once somebody has, it changes nothing. Of a delivery whose endpoint was
 *   disabled while the attempt was under way, the attempt is kept and the delivery stays `failed`. Answers what
 *   became of each, in the order of the results.
 * - `release`: gives claims back that were never sent, uncounting their attempt.
 * - `backlog`: what waits now; that includes what a silent dispatcher held, once its claim has lapsed.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    readonly claim: (options: {
      readonly limit: number
      readonly perEndpoint: number
      /** Without a bound unless told. */
      readonly perBusiness?: number | undefined
    }) => Effect.Effect<Claims>
    readonly record: (results: ReadonlyArray<AttemptResult>) => Effect.Effect<ReadonlyArray<DeliveryVerdict>>
    readonly release: (claims: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void>
    readonly backlog: Effect.Effect<Backlog>
  }
>()("@livery/domain/DeliveryQueue") {}
