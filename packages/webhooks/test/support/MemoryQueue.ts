import { BusinessId, DeliveryId, DeliveryQueue, EndpointId, RetryPolicy } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery, UnreportedAttempt, DeliveryVerdict } from "@livery/domain"
import { Clock, Effect } from "effect"

interface Stored {
  readonly claim: Omit<ClaimedDelivery, "attempt" | "claimId">
  status: "pending" | "delivered" | "failed"
  attempt: number
  dueAt: number
  claimId: string | null
}

interface State {
  claims: number
  readonly recorded: Array<AttemptResult>
  readonly released: Array<ClaimedDelivery>
  /** Runs before a claim, to delay or to fail it. */
  beforeClaim: Effect.Effect<void>
  /** Runs before a record, to delay or to fail it. */
  beforeRecord: Effect.Effect<void>
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
    isLocked: () => false
  }
  const add = (count = 1, over: Partial<Stored["claim"]> = {}) => {
    for (let n = 0; n < count; n++) {
      const eventId = `evt_${String(stored.length + 1).padStart(32, "0")}`
      stored.push({
        claim: {
          deliveryId: DeliveryId.make(stored.length + 1),
          businessId: BusinessId.make(1),
          endpointId: EndpointId.make(1),
          eventId,
          eventType: "trip.created",
          body: JSON.stringify({ id: eventId, type: "trip.created", data: { note: "naïve ☕" } }),
          url: "https://hooks.example.org/",
          sealedSecret: "sealed:whsec_test",
          retiredSecrets: [],
          ageMs: 20,
          ...over
        },
        status: "pending",
        attempt: 0,
        dueAt: 0,
        claimId: null
      })
    }
  }
  const rowOf = ({ claimId, deliveryId }: ClaimedDelivery) =>
    stored.find(
      (row) => row.claim.deliveryId === deliveryId && row.claimId === claimId && row.status !== "delivered"
    )
  /** Fails pending deliveries, as disabling their endpoint does. A claim may still report the end of its attempt. */
  const cancel = () => {
    for (const row of stored) if (row.status === "pending") row.status = "failed"
  }

  const queue = DeliveryQueue.of({
    claim: ({ limit, perBusiness = Infinity, perEndpoint }) =>
      Effect.gen(function* () {
        state.claims += 1
        const now = yield* Clock.currentTimeMillis
        yield* state.beforeClaim
        const claimed: Array<ClaimedDelivery> = []
        const unreported: Array<UnreportedAttempt> = []
        let failed = 0
        const addUnreported = ({ attempt, claim, claimId }: Stored, status: UnreportedAttempt["status"]) => {
          const { businessId, deliveryId, endpointId, eventId } = claim
          if (claimId !== null)
            unreported.push({ businessId, deliveryId, endpointId, eventId, attempt, status })
        }
        for (const row of stored) {
          if (claimed.length >= limit || row.status !== "pending" || row.dueAt > now) continue
          if (row.attempt >= RetryPolicy.maximumAttempts) {
            addUnreported(row, "failed")
            row.status = "failed"
            row.claimId = null
            failed += 1
            continue
          }
          const inFlight = stored.filter((other) => other.claimId !== null && other.dueAt > now)
          const of = (key: "endpointId" | "businessId") =>
            inFlight.filter((other) => other.claim[key] === row.claim[key]).length
          if (of("endpointId") >= perEndpoint || of("businessId") >= perBusiness) continue
          addUnreported(row, "pending")
          row.attempt += 1
          row.claimId = `${row.claim.deliveryId}/${row.attempt}`
          row.dueAt = now + RetryPolicy.recoveryAfter(row.attempt) * 1000
          claimed.push({ ...row.claim, attempt: row.attempt, claimId: row.claimId })
        }
        return { claimed, unreported, failed, isHeldBack: false, databaseMillis: now }
      }),
    record: (results) =>
      Effect.gen(function* () {
        yield* state.beforeRecord
        const now = yield* Clock.currentTimeMillis
        return results.map((result): DeliveryVerdict => {
          const row = rowOf(result.delivery)
          if (row === undefined) return "late"
          if (state.isLocked(result.delivery.deliveryId)) return "locked"
          state.recorded.push(result)
          row.claimId = null
          if (row.status === "failed") return "cancelled"
          row.status = result.acknowledged ? "delivered" : result.retryIn === null ? "failed" : "pending"
          row.dueAt = now + (result.retryIn ?? 0) * 1000
          return row.status
        })
      }),
    release: (claims) =>
      Effect.sync(() => {
        const locked = claims.filter(({ deliveryId }) => state.isLocked(deliveryId))
        for (const claim of claims) {
          const row = locked.includes(claim) ? undefined : rowOf(claim)
          if (row === undefined) continue
          state.released.push(claim)
          row.attempt -= 1
          row.claimId = null
          row.dueAt = 0
        }
        return locked
      }),
    backlog: Effect.succeed({ due: 0, oldestDueSeconds: 0 })
  })
  return { queue, state, stored, add, cancel }
}
