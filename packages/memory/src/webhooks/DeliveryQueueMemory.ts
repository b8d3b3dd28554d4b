/**
 * The domain's `DeliveryQueue` in memory. It makes the transitions of `DeliverySchedule`, for the deliveries that
 * `ClaimSelection` selects. No delivery is ever locked by another transaction.
 */
import {
  type AttemptResult,
  maxCountedBacklog,
  ClaimSelection,
  type ClaimedDelivery,
  DeliveryQueue,
  DeliverySchedule,
  type DeliveryVerdict,
  endpointDisabled,
  type EndpointId,
  RetryPolicy,
  type UnreportedAttempt,
  unreportedError,
  WallClock
} from "@livery/domain"
import { Clock, Effect } from "effect"
import { timestamp } from "../store/Deliveries.ts"
import type { DeliveryRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

/** The host of a URL, in lower case and without a last dot. */
const hostOf = (url: string) => {
  const [, host = ""] = /^[^/]*\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/u.exec(url) ?? []
  return host.toLowerCase().replace(/\.+$/u, "")
}

/** The row with its unreported attempt in its history, if it had one. */
const withUnreported = (row: DeliveryRow): DeliveryRow => {
  if (row.claimId === null) return row
  const lease = RetryPolicy.leaseSecondsOf(row.attempt)
  const startedAt = row.nextAttemptAt === null ? (row.cancelledAt ?? 0) : row.nextAttemptAt - lease
  const attempt = {
    attempt: row.attempt,
    started_at: timestamp(startedAt),
    duration_ms: lease * 1000,
    response_status: null,
    error: unreportedError
  }
  return { ...row, responseStatus: null, attempts: [...row.attempts, attempt] }
}

const unreportedOf = (row: DeliveryRow, status: UnreportedAttempt["status"]): UnreportedAttempt => {
  const { attempt, businessId, deliveryId, endpointId, eventId } = row
  return { deliveryId, businessId, endpointId, eventId, attempt, status }
}

const attemptOf = ({ delivery, durationMs, error, responseStatus, startedAt }: AttemptResult) => ({
  attempt: delivery.attempt,
  started_at: WallClock.rfc3339(startedAt),
  duration_ms: Math.round(durationMs),
  response_status: responseStatus,
  error
})

/** The endpoint that was served last, in turn from `after`. */
const lastServed = (after: number, claimed: ReadonlyArray<ClaimedDelivery>): number => {
  const ids = claimed.map(({ endpointId }) => endpointId)
  const wrapped = ids.filter((id) => id <= after)
  return wrapped.length > 0 ? Math.max(...wrapped) : Math.max(after, ...ids)
}

export const layer = inMemory(DeliveryQueue, ({ deliveries, endpoints, events, step }) => {
  let [claims, after] = [0, 0]

  const stepAt = <A>(body: (now: number) => A) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) => step(() => body(millis / 1000)))
  const endpointOf = (endpointId: EndpointId) => {
    const endpoint = endpoints.get(endpointId)
    return { enabled: endpoint?.status === "enabled", host: hostOf(endpoint?.url ?? "") }
  }

  const claimOne = (row: DeliveryRow, claimId: string, now: number): ReadonlyArray<ClaimedDelivery> => {
    const event = events.get(row.eventId)
    const endpoint = endpoints.get(row.endpointId)
    if (event === undefined || endpoint === undefined) return []
    const claimed = DeliverySchedule.claim(row, { claimId, now })
    deliveries.set(row.deliveryId, claimed)
    return [
      {
        deliveryId: row.deliveryId,
        businessId: row.businessId,
        endpointId: row.endpointId,
        eventId: row.eventId,
        eventType: event.type,
        body: event.body,
        traceParent: null,
        url: endpoint.url,
        sealedSecret: endpoint.sealedSecret,
        retiredSecrets: endpoint.retiredSecrets
          .filter(({ until }) => until > now)
          .map(({ sealed }) => sealed),
        attempt: claimed.attempt,
        claimId,
        ageMs: Math.round((now - row.createdAt) * 1000)
      }
    ]
  }

  const failOne = (row: DeliveryRow) => {
    const isLastAttempt = row.status === "pending" && row.attempt >= RetryPolicy.maxAttempts
    deliveries.set(row.deliveryId, {
      ...DeliverySchedule.fail(withUnreported(row)),
      claimId: null,
      lastError: isLastAttempt ? unreportedError : endpointDisabled
    })
  }

  /** The row that a claim still holds. */
  const heldBy = ({ claimId, deliveryId }: ClaimedDelivery) => {
    const row = deliveries.get(deliveryId)
    return row?.claimId === claimId ? row : undefined
  }

  const recordOne = (result: AttemptResult, now: number): DeliveryVerdict => {
    const row = heldBy(result.delivery)
    if (row === undefined) return "late"
    const { acknowledged, delivery, error, responseStatus, retryIn } = result
    const isCancelled = row.status === "failed"
    const { claimId } = delivery
    const recorded = DeliverySchedule.recordResult(row, { claimId, now, acknowledged, retryIn })
    deliveries.set(row.deliveryId, {
      ...recorded,
      responseStatus,
      lastError: isCancelled ? row.lastError : error,
      attempts: [...row.attempts, attemptOf(result)]
    })
    return isCancelled ? "cancelled" : recorded.status
  }

  return {
    claim: (bounds) =>
      stepAt((now) => {
        const select = () => ClaimSelection.select(deliveries.where(), { ...bounds, after, endpointOf, now })
        const first = select()
        for (const row of [...first.failed, ...first.abandoned]) failOne(row)
        for (const row of first.expired)
          deliveries.set(row.deliveryId, {
            ...DeliverySchedule.expire(withUnreported(row), now),
            lastError: unreportedError
          })
        // Deliveries whose claim has expired are due now.
        const selected = first.expired.length === 0 ? first.claimed : select().claimed
        const claimId = `claim-${(claims += 1)}`
        const claimed = selected.flatMap((row) => claimOne(row, claimId, now))
        after = lastServed(after, claimed)
        const ended = [...first.failed, ...first.abandoned].filter((row) => row.claimId !== null)
        return {
          claimed,
          unreported: [
            ...first.expired.map((row) => unreportedOf(row, "pending")),
            ...ended.map((row) => unreportedOf(row, "failed"))
          ],
          failed: first.failed.length,
          isHeldBack:
            claimed.length === 0 && deliveries.find((row) => DeliverySchedule.isDue(row, now)) !== undefined,
          databaseMillis: now * 1000
        }
      }),
    record: (results) => stepAt((now) => results.map((result) => recordOne(result, now))),
    release: (released) =>
      stepAt((now) => {
        for (const claim of released) {
          const row = heldBy(claim)
          if (row !== undefined)
            deliveries.set(row.deliveryId, DeliverySchedule.release(row, { claimId: claim.claimId, now }))
        }
        return []
      }),
    backlog: stepAt((now) => {
      const due = deliveries.where(
        (row) =>
          row.status === "pending" &&
          (DeliverySchedule.isDue(row, now) || DeliverySchedule.hasExpired(row, now))
      )
      const oldest = Math.min(now, ...due.map(({ nextAttemptAt }) => nextAttemptAt ?? now))
      return { due: Math.min(due.length, maxCountedBacklog), oldestDueSeconds: now - oldest }
    })
  }
})
