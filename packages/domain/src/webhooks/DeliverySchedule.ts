/**
 * The life of a delivery in the queue, as pure transitions. The queue in memory uses these functions; the queue's SQL makes
 * the same transitions in bulk, and tests compare the two.
 *
 *     waiting ── claim ──> claimed ── recordResult ──> delivered | failed | waiting, later
 *        ^                   │
 *        ├───── release ─────┤   never sent: the attempt does not count
 *        └────── expire ─────┘   no result within the lease: the attempt counts; failed after the last one
 *
 * A pending delivery can be cancelled: it fails at once. If it was claimed, the claim may still report the end of its
 * attempt, and expires one lease after the cancelling.
 *
 * All times are seconds of the queue's own clock.
 */
import { deliveryMachine, type DeliveryStatus, isPending } from "./Delivery.ts"
import type { DomainEvent } from "../events/DomainEvent.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { EventType } from "../events/EventType.ts"
import { maxAttempts, leaseSecondsOf } from "./RetryPolicy.ts"

/** The state of a delivery in the queue. */
export interface Scheduled {
  readonly status: DeliveryStatus
  /** Attempts made, including one under way. */
  readonly attempt: number
  /** The current claim, or null. */
  readonly claimId: string | null
  /** The time when it is due; while it is claimed, the time when that claim expires; null once it is final. */
  readonly nextAttemptAt: number | null
  /** The time when it was cancelled, or null. */
  readonly cancelledAt: number | null
}

/** Whether an event that commits now is delivered to this endpoint. */
export const isSubscribed = (
  endpoint: Pick<Endpoint, "business_id" | "events" | "status">,
  event: Pick<DomainEvent, "businessId"> & { readonly type: EventType }
): boolean =>
  endpoint.business_id === event.businessId &&
  endpoint.status === "enabled" &&
  endpoint.events.includes(event.type)

/** A new delivery, due immediately. */
export const created = (now: number): Scheduled => ({
  status: "pending",
  attempt: 0,
  claimId: null,
  nextAttemptAt: now,
  cancelledAt: null
})

const hasCome = ({ nextAttemptAt }: Scheduled, now: number) => nextAttemptAt !== null && nextAttemptAt <= now

/** Whether it is unclaimed and due. */
export const isDue = (delivery: Scheduled, now: number): boolean =>
  delivery.claimId === null && hasCome(delivery, now)

/** Whether it is claimed and its lease has not ended. */
export const isHeld = (delivery: Scheduled, now: number): boolean =>
  isPending(delivery) && delivery.claimId !== null && !hasCome(delivery, now)

/** The time when its claim expires, or null without a claim. */
export const expiresAt = ({ attempt, cancelledAt, claimId, nextAttemptAt }: Scheduled): number | null => {
  if (claimId === null) return null
  return nextAttemptAt ?? (cancelledAt === null ? null : cancelledAt + leaseSecondsOf(attempt))
}

/** The time when it was claimed, while it is claimed and pending, or null. */
export const claimedAt = ({ attempt, claimId, nextAttemptAt }: Scheduled): number | null =>
  claimId === null || nextAttemptAt === null ? null : nextAttemptAt - leaseSecondsOf(attempt)

/** Whether its claim has expired without a result. */
export const hasExpired = (delivery: Scheduled, now: number): boolean => {
  const end = expiresAt(delivery)
  return end !== null && end <= now
}

const ended = <D extends Scheduled>(delivery: D, status: DeliveryStatus): D =>
  deliveryMachine.can(delivery.status, status)
    ? { ...delivery, status, claimId: null, nextAttemptAt: null }
    : delivery

/** Fails a delivery that must not be sent. A final delivery is unchanged. */
export const fail = <D extends Scheduled>(delivery: D): D => ended(delivery, "failed")

/** Fails a delivery because its endpoint was disabled or deleted. Its claim stays, for the running attempt. */
export const cancel = <D extends Scheduled>(delivery: D, now: number): D =>
  isPending(delivery) ? { ...delivery, status: "failed", nextAttemptAt: null, cancelledAt: now } : delivery

/**
 * Removes an expired claim. The delivery becomes failed after its last attempt or if it was cancelled. Otherwise it is
 * due since the time of that claim, so that it comes before deliveries that became due later. Any other delivery is
 * unchanged.
 */
export const expire = <D extends Scheduled>(delivery: D, now: number): D => {
  if (!hasExpired(delivery, now)) return delivery
  if (!isPending(delivery)) return { ...delivery, claimId: null }
  return delivery.attempt >= maxAttempts
    ? ended(delivery, "failed")
    : { ...delivery, claimId: null, nextAttemptAt: claimedAt(delivery) }
}

/**
 * Claims a delivery that is due or whose claim has expired, for one more attempt until the lease ends. The attempt counts
 * immediately. Any other delivery is unchanged, including one with six attempts.
 */
export const claim = <D extends Scheduled>(
  delivery: D,
  { claimId, now }: { readonly claimId: string; readonly now: number }
): D => {
  const waiting = expire(delivery, now)
  if (!isDue(waiting, now) || waiting.attempt >= maxAttempts) return waiting
  const attempt = waiting.attempt + 1
  return { ...waiting, attempt, claimId, nextAttemptAt: now + leaseSecondsOf(attempt) }
}

/**
 * Releases a claim that was never sent: its attempt does not count, and the delivery is due immediately unless it was
 * cancelled. Nothing changes if it is not the current claim.
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
        nextAttemptAt: isPending(delivery) ? now : null
      }
    : delivery

/**
 * Writes the result of an attempt. Nothing changes if it is not of the current claim. A delivery that was cancelled
 * meanwhile stays failed.
 */
export const recordResult = <D extends Scheduled>(
  delivery: D,
  result: {
    readonly claimId: string
    readonly now: number
    readonly acknowledged: boolean
    /** Seconds until the next attempt; null if there is none. */
    readonly retryIn: number | null
  }
): D => {
  if (delivery.claimId !== result.claimId) return delivery
  if (!isPending(delivery)) return { ...delivery, claimId: null }
  if (result.acknowledged) return ended(delivery, "delivered")
  return result.retryIn === null || delivery.attempt >= maxAttempts
    ? ended(delivery, "failed")
    : { ...delivery, claimId: null, nextAttemptAt: result.now + result.retryIn }
}
