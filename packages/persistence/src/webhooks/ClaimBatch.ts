/**
 * Claims a batch of due deliveries, and returns them with the other rows of the statement.
 *
 * All deliveries of a batch carry its claim id. A statement that timed out, or whose connection broke, may have claimed
 * deliveries without its dispatcher knowing. The next claim releases such an *unacknowledged* batch by its id, so that
 * its deliveries do not wait for the end of their lease.
 */
import { logFailure } from "@livery/domain"
import type { ClaimBounds, ClaimedDelivery, Claims, UnreportedAttempt } from "@livery/domain"
import { Clock, Effect, Exit, Random } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { pgArray } from "../sql/statements/Parameters.ts"
import { contentStatement, eventKey } from "./ClaimContent.ts"
import type { ClaimKey } from "./ClaimedRows.ts"
import { BodyRow, ClaimedRow, EndpointRow, UnclaimedRow, rowsOfKind, SummaryRow } from "./ClaimRow.ts"
import { plannerOpaqueLimit } from "./DueEndpoints.ts"
import { claimStatement } from "./ClaimStatement.ts"
import { isClaimed } from "./StatusConditions.ts"

const summaryOf = rowsOfKind(SummaryRow, "summary")
const claimedOf = rowsOfKind(ClaimedRow, "claimed")
const unclaimedOf = rowsOfKind(UnclaimedRow, "requeued", "failed", "abandoned", "unsent")
const bodiesOf = rowsOfKind(BodyRow, "body")
const endpointsOf = rowsOfKind(EndpointRow, "endpoint")

/** How long a claim waits for the claim lock before it claims without it: longer than a claim takes. */
const lockTimeoutNanos = 500_000_000n

// How long the id of an unacknowledged batch is kept: longer than a statement may run, because the server may still
// execute a statement that timed out here. If statements have no timeout, a batch that is claimed later than this waits
// for the end of its lease.
const keepUnacknowledgedNanos = 60_000_000_000n

/** The shortest time between two releases of unacknowledged batches. */
const releaseIntervalNanos = 1_000_000_000n

const toUnreported = (row: UnclaimedRow): UnreportedAttempt => ({
  deliveryId: row.delivery_id,
  businessId: row.business_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  attempt: row.attempt,
  status: row.kind === "requeued" ? "pending" : "failed"
})

/** The claimed deliveries with their content. Deliveries whose endpoint has been disabled since have none. */
const withContent = (
  claimId: string,
  claimed: ReadonlyArray<ClaimedRow>,
  content: ReadonlyArray<{ readonly kind: string }>
): ReadonlyArray<ClaimedDelivery> => {
  const bodies = new Map(bodiesOf(content).map((row) => [eventKey(row), row]))
  const endpoints = new Map(endpointsOf(content).map((row) => [row.endpoint_id, row]))
  return claimed.flatMap((row): ReadonlyArray<ClaimedDelivery> => {
    const [event, endpoint] = [bodies.get(eventKey(row)), endpoints.get(row.endpoint_id)]
    if (event === undefined || endpoint === undefined) return []
    return [
      {
        deliveryId: row.delivery_id,
        businessId: row.business_id,
        endpointId: row.endpoint_id,
        eventId: row.event_id,
        eventType: event.event_type,
        body: event.body,
        traceParent: event.trace_parent,
        url: endpoint.url,
        sealedSecret: endpoint.sealed_secret,
        retiredSecrets: endpoint.retired_secrets,
        ageMs: row.age_ms,
        attempt: row.attempt,
        claimId
      }
    ]
  })
}

/**
 * The endpoint that was served last, in round-robin order from `after`: after 3, the claimed endpoints 5, 9 and 1 were
 * served in this order, so it is 1.
 */
const lastServed = (after: number, claimed: ReadonlyArray<ClaimedRow>): number => {
  let [highestAfter, highestBefore] = [0, 0]
  for (const { endpoint_id } of claimed)
    if (endpoint_id > after) highestAfter = Math.max(highestAfter, endpoint_id)
    else highestBefore = Math.max(highestBefore, endpoint_id)
  return highestBefore > 0 ? highestBefore : Math.max(highestAfter, after)
}

/**
 * Releases the deliveries of these batches, except locked ones. It reads all deliveries in flight in the order of their
 * index, with a limit that the planner does not know, so that it reads neither the whole table nor ended claims.
 */
const releaseBatches = (sql: SqlClient.SqlClient, batches: ReadonlyArray<string>) =>
  sql`
    WITH unacknowledged AS (
      SELECT d.ctid AS tid FROM (
        SELECT d.ctid, d.claim_id FROM webhook_deliveries d
        WHERE ${sql.literal(isClaimed)} AND d.next_attempt_at > (SELECT clock_timestamp())
        ORDER BY d.next_attempt_at LIMIT (SELECT ${plannerOpaqueLimit}::int)
      ) claimed
      CROSS JOIN LATERAL (
        SELECT d.ctid FROM webhook_deliveries d
        WHERE d.ctid = claimed.ctid AND d.claim_id = claimed.claim_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ) d
      WHERE claimed.claim_id = ANY (${pgArray(batches)}::uuid[])
    )
    UPDATE webhook_deliveries d
    SET attempt = d.attempt - 1, claim_id = NULL, next_attempt_at = clock_timestamp()
    WHERE d.ctid = ANY (ARRAY(SELECT tid FROM unacknowledged))`.unprepared

/**
 * Makes the function that claims, for one dispatcher. It serves endpoints in round-robin order, starting after the last
 * one served. Deliveries whose endpoint is disabled meanwhile must be passed to `release`.
 */
export const makeClaimBatch = (
  sql: SqlClient.SqlClient,
  release: (claims: ReadonlyArray<ClaimKey>) => Effect.Effect<unknown>
) => {
  let after = 0
  // Batches whose statement failed without an answer, oldest first, with the time of the failure.
  const unacknowledged = new Map<string, bigint>()
  let releasedAt = 0n
  // Since when every try of this dispatcher has found the claim lock held by another one.
  let contendedSince: bigint | undefined

  const releaseUnacknowledged = Effect.gen(function* () {
    const now = yield* Clock.monotonicTimeNanos
    if (unacknowledged.size === 0 || now - releasedAt < releaseIntervalNanos) return
    releasedAt = now
    yield* releaseBatches(sql, [...unacknowledged.keys()]).pipe(Effect.timeout("2 seconds"))
    for (const [batch, since] of unacknowledged)
      if (now - since > keepUnacknowledgedNanos) unacknowledged.delete(batch)
  }).pipe(
    // A failure here does not prevent the claim.
    Effect.catchCause((cause) => logFailure("Unacknowledged webhook claims could not be released", cause))
  )

  /** Claims with the claim lock, or without it if other dispatchers have held it for too long. */
  const claimWithLock = Effect.fnUntraced(function* (bounds: ClaimBounds, claimId: string) {
    for (;;) {
      const now = yield* Clock.monotonicTimeNanos
      const needsLock = contendedSince === undefined || now - contendedSince < lockTimeoutNanos
      const rows = yield* claimStatement(sql, { ...bounds, after, claimId, needsLock })
      const [summary] = summaryOf(rows)
      if (summary === undefined) return yield* Effect.die(new Error("A claim returned no summary"))
      if (!summary.is_contended) {
        // A claim that needs no lock takes it all the same if it is free. Then the next one waits for it again.
        if (needsLock || summary.has_lock) contendedSince = undefined
        return { rows, summary }
      }
      contendedSince ??= now
      yield* Effect.sleep(2 + 3 * (yield* Random.next))
    }
  })

  return Effect.fnUntraced(function* (bounds: ClaimBounds): Effect.fn.Return<Claims, SqlError.SqlError> {
    yield* releaseUnacknowledged
    const claimId = randomUUID()
    const { claimedRows, content, rows, summary } = yield* Effect.onExit(
      Effect.gen(function* () {
        const result = yield* claimWithLock(bounds, claimId)
        const claimedRows = claimedOf(result.rows)
        const content = claimedRows.length === 0 ? [] : yield* contentStatement(sql, claimedRows)
        return { ...result, claimedRows, content }
      }),
      (exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.map(Clock.monotonicTimeNanos, (now) => void unacknowledged.set(claimId, now))
    )
    const unclaimed = unclaimedOf(rows)
    after = lastServed(after, claimedRows)
    const claimed = withContent(claimId, claimedRows, content)
    if (claimed.length < claimedRows.length) {
      const complete = new Set(claimed.map(({ deliveryId }) => deliveryId))
      yield* release(
        claimedRows
          .filter(({ delivery_id }) => !complete.has(delivery_id))
          .map((row) => ({
            businessId: row.business_id,
            endpointId: row.endpoint_id,
            deliveryId: row.delivery_id,
            claimId
          }))
      )
    }
    return {
      claimed,
      unreported: unclaimed.filter(({ kind }) => kind !== "unsent").map(toUnreported),
      failed: unclaimed.filter(({ kind }) => kind === "failed" || kind === "unsent").length,
      isHeldBack: summary.is_held_back,
      databaseMillis: summary.database_ms
    }
  })
}
