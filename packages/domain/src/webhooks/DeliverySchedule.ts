/**
 * The life of a delivery in the queue, as pure transitions. The queue's SQL does the same to its rows in bulk; here
 * it can be read, simulated and compared with.
 *
 *     waiting ── claim ──> held ── recordResult ──> delivered | failed | waiting, later
 *        ^                  │
 *        ├──── release ─────┤   never sent: uncounted
 *        └───── lapse ──────┘   went silent: counted; failed after the last attempt
 *
 * Whatever is pending can be cancelled: it fails at once, and a claim that stands then may still tell how its attempt
 * ended, until it lapses, which it does a lease after the cancelling.
 *
 * All times are seconds on one clock, the queue's own.
 */
import { deliveryMachine, type DeliveryStatus } from "./Delivery.ts"
import type { DomainEvent } from "../events/DomainEvent.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { EventType } from "../events/EventType.ts"
import { maximumAttempts, recoveryAfter } from "./RetryPolicy.ts"

/** Where a delivery stands. */
export interface Scheduled {
  readonly status: DeliveryStatus
  /** Attempts made, one under way included. */
  readonly attempt: number
  /** The claim that holds it, or null while nobody does. */
  readonly claimId: string | null
  /** When it is due; while it is held, when that claim lapses; null once it is final. */
  readonly nextAttemptAt: number | null
  /** When it was cancelled, if it ever was. */
  readonly cancelledAt: number | null
}

/** Whether the event, at the moment of its commit, is one for this endpoint. */
export const isSubscribed = (
  endpoint: Pick<Endpoint, "business_id" | "events" | "status">,
  event: Pick<DomainEvent, "businessId"> & { readonly type: EventType }
): boolean =>
  endpoint.business_id === event.businessId &&
  endpoint.status === "enabled" &&
  endpoint.events.includes(event.type)

/** A delivery as it is written with its event: due at once. */
export const created = (now: number): Scheduled => ({
  status: "pending",
  attempt: 0,
  claimId: null,
  nextAttemptAt: now,
  cancelledAt: null
})

const hasCome = ({ nextAttemptAt }: Scheduled, now: number) => nextAttemptAt !== null && nextAttemptAt <= now

/** Whether nobody holds it and its time has come. */
export const isDue = (delivery: Scheduled, now: number): boolean =>
  delivery.claimId === null && hasCome(delivery, now)

/** Whether its claim may still end well. */
export const isHeld = (delivery: Scheduled, now: number): boolean =>
  delivery.status === "pending" && delivery.claimId !== null && !hasCome(delivery, now)

/** When its claim lapses, or null if there is none. */
export const lapsesAt = ({ attempt, cancelledAt, claimId, nextAttemptAt }: Scheduled): number | null => {
  if (claimId === null) return null
  return nextAttemptAt ?? (cancelledAt === null ? null : cancelledAt + recoveryAfter(attempt))
}

/** Whether its dispatcher has been silent for longer than its lease. */
export const hasLapsed = (delivery: Scheduled, now: number): boolean => {
  const end = lapsesAt(delivery)
  return end !== null && end <= now
}

const ended = <D extends Scheduled>(delivery: D, status: DeliveryStatus): D =>
  deliveryMachine.can(delivery.status, status)
    ? { ...delivery, status, claimId: null, nextAttemptAt: null }
    : delivery

/** Gives up on it when it was looked at and may not be sent. What is final stays as it is. */
export const abandon = <D extends Scheduled>(delivery: D): D => ended(delivery, "failed")

/** Fails it because its endpoint was disabled or deleted. Its claim stands, for what is under way. */
export const cancel = <D extends Scheduled>(delivery: D, now: number): D =>
  delivery.status === "pending"
    ? { ...delivery, status: "failed", nextAttemptAt: null, cancelledAt: now }
    : delivery

/**
 * What a lapsed claim leaves: a delivery that is due, or a failed one when that was the last attempt, or when it had
 * been cancelled. Anything else stays as it is.
 */
export const lapse = <D extends Scheduled>(delivery: D, now: number): D => {
  if (!hasLapsed(delivery, now)) return delivery
  if (delivery.status !== "pending") return { ...delivery, claimId: null }
  return delivery.attempt >= maximumAttempts ? ended(delivery, "failed") : { ...delivery, claimId: null }
}

/**
 * Takes a due or lapsed delivery for one more attempt, which counts from here on, and holds it until the lease ends.
 * Anything else, a seventh attempt too, stays as it is.
 */
export const claim = <D extends Scheduled>(
  delivery: D,
  { claimId, now }: { readonly claimId: string; readonly now: number }
): D => {
  const waiting = lapse(delivery, now)
  if (!isDue(waiting, now) || waiting.attempt >= maximumAttempts) return waiting
  const attempt = waiting.attempt + 1
  return { ...waiting, attempt, claimId, nextAttemptAt: now + recoveryAfter(attempt) }
}

/**
 * Gives back what was never sent: the attempt does not count, and it is due at once unless it was cancelled. Fenced
 * by the claim.
 */
export const release = <D extends Scheduled>(
  delivery: D,
  { claimId, now }: { readonly claimId: string; readonly now: number }
): D =>
  delivery.claimId === claimId
    ? {
        ...delivery,
        attempt: delivery.attempt - 1,
        claimId: null,
        nextAttemptAt: delivery.status === "pending" ? now : null
      }
    : delivery

/**
 * Writes what an attempt came to. Fenced by the claim: the result of another changes nothing. What was cancelled
 * meanwhile stays failed.
 */
export const recordResult = <D extends Scheduled>(
  delivery: D,
  result: {
    readonly claimId: string
    readonly now: number
    readonly acknowledged: boolean
    /** Seconds until the next attempt; null when there is none to come. */
    readonly retryIn: number | null
  }
): D => {
  if (delivery.claimId !== result.claimId) return delivery
  if (delivery.status !== "pending") return { ...delivery, claimId: null }
  if (result.acknowledged) return ended(delivery, "delivered")
  return result.retryIn === null || delivery.attempt >= maximumAttempts
    ? ended(delivery, "failed")
    : { ...delivery, claimId: null, nextAttemptAt: result.now + result.retryIn }
}
