import {
  BusinessId,
  ClaimSelection,
  DeliveryId,
  DeliveryQueue,
  DeliverySchedule,
  EndpointId
} from "@livery/domain"
import type {
  AttemptResult,
  ClaimedDelivery,
  DeliveryStatus,
  DeliveryVerdict,
  UnreportedAttempt
} from "@livery/domain"
import { Clock, Effect } from "effect"

interface Stored extends ClaimSelection.Queued {
  readonly content: Omit<ClaimedDelivery, "attempt" | "claimId">
  status: DeliveryStatus
  attempt: number
  claimId: string | null
  nextAttemptAt: number | null
  cancelledAt: number | null
}

interface State {
  claims: number
  readonly recorded: Array<AttemptResult>
  readonly released: Array<ClaimedDelivery>
  /** Runs before a claim, to delay or to fail it. */
  beforeClaim: Effect.Effect<void>
  /** Runs before a record, to delay or to fail it. */
  beforeRecord: Effect.Effect<void>
  /** How far the database's clock is ahead of the test's, in milliseconds. */
  databaseAhead: number
  /** Whether another transaction has locked a delivery. */
  isLocked: (deliveryId: number) => boolean
}

/** A queue in memory that follows the port's rules, by the fiber's clock, with faults on demand. */
export const makeMemoryQueue = () => {
  const stored: Array<Stored> = []
  const state: State = {
    claims: 0,
    recorded: [],
    released: [],
    beforeClaim: Effect.void,
    beforeRecord: Effect.void,
    databaseAhead: 0,
    isLocked: () => false
  }
  const add = (count = 1, over: Partial<Stored["content"]> = {}) => {
    for (let n = 0; n < count; n++) {
      const eventId = `evt_${String(stored.length + 1).padStart(32, "0")}`
      const content = {
        deliveryId: DeliveryId.make(stored.length + 1),
        businessId: BusinessId.make(1),
        endpointId: EndpointId.make(1),
        eventId,
        eventType: "trip.created" as const,
        body: JSON.stringify({ id: eventId, type: "trip.created", data: { note: "naïve ☕" } }),
        traceParent: null,
        url: "https://hooks.example.org/",
        sealedSecret: "sealed:whsec_test",
        retiredSecrets: [],
        ageMs: 20,
        ...over
      }
      const { businessId, endpointId } = content
      stored.push({ content, businessId, endpointId, ...DeliverySchedule.created(0) })
    }
  }
  const rowOf = ({ claimId, deliveryId }: ClaimedDelivery) =>
    stored.find((row) => row.content.deliveryId === deliveryId && row.claimId === claimId)
  /** Fails pending deliveries, as disabling their endpoint does. A claim may still report the end of its attempt. */
  const cancel = () => {
    for (const row of stored) Object.assign(row, DeliverySchedule.cancel(row, 0))
  }
  const unreportedOf = ({ attempt, content }: Stored, status: UnreportedAttempt["status"]) => {
    const { businessId, deliveryId, endpointId, eventId } = content
    return { businessId, deliveryId, endpointId, eventId, attempt, status }
  }
  const endpointOf = (id: EndpointId) => {
    const row = stored.find(({ endpointId }) => endpointId === id)
    return { enabled: true, host: new URL(row?.content.url ?? "https://hooks.example.org/").host }
  }
  let after = 0

  const queue = DeliveryQueue.of({
    claim: (bounds) =>
      Effect.gen(function* () {
        state.claims += 1
        const databaseMillis = yield* Clock.currentTimeMillis
        const now = databaseMillis / 1000
        yield* state.beforeClaim
        const found = ClaimSelection.select(stored, { ...bounds, now, after, endpointOf })
        const unreported = [
          ...found.expired.map((row) => unreportedOf(row, "pending")),
          ...found.failed.map((row) => unreportedOf(row, "failed")),
          ...found.abandoned.map((row) => unreportedOf(row, "failed"))
        ]
        for (const row of [...found.expired, ...found.failed, ...found.abandoned])
          Object.assign(row, DeliverySchedule.expire(row, now))
        const claimed = found.claimed.map((row) => {
          const claimId = `${row.content.deliveryId}/${row.attempt + 1}`
          Object.assign(row, DeliverySchedule.claim(row, { claimId, now }))
          after = row.endpointId
          return { ...row.content, attempt: row.attempt, claimId }
        })
        const isHeldBack = claimed.length === 0 && stored.some((row) => DeliverySchedule.isDue(row, now))
        return {
          claimed,
          unreported,
          failed: found.failed.length,
          isHeldBack,
          databaseMillis: databaseMillis + state.databaseAhead
        }
      }),
    record: (results) =>
      Effect.gen(function* () {
        yield* state.beforeRecord
        const now = (yield* Clock.currentTimeMillis) / 1000
        return results.map((result): DeliveryVerdict => {
          const row = rowOf(result.delivery)
          if (row === undefined) return "late"
          if (state.isLocked(result.delivery.deliveryId)) return "locked"
          state.recorded.push(result)
          const isCancelled = row.status === "failed"
          const { acknowledged, retryIn } = result
          const { claimId } = result.delivery
          Object.assign(row, DeliverySchedule.recordResult(row, { claimId, now, acknowledged, retryIn }))
          return isCancelled ? "cancelled" : row.status
        })
      }),
    release: (claims) =>
      Effect.gen(function* () {
        const now = (yield* Clock.currentTimeMillis) / 1000
        const locked = claims.filter(({ deliveryId }) => state.isLocked(deliveryId))
        for (const claim of claims) {
          const row = locked.includes(claim) ? undefined : rowOf(claim)
          if (row === undefined) continue
          state.released.push(claim)
          Object.assign(row, DeliverySchedule.release(row, { claimId: claim.claimId, now }))
        }
        return locked
      }),
    backlog: Effect.succeed({ due: 0, oldestDueSeconds: 0 })
  })
  return { queue, state, stored, add, cancel }
}
