/**
 * Claims a batch of due deliveries, and returns what else the statement found.
 *
 * All deliveries of a batch carry its claim id. A statement whose answer was lost, because it was given up or its
 * connection broke, may have claimed deliveries that no dispatcher knows of. The next claim gives such an *unacknowledged*
 * batch back by its id, so that its deliveries do not wait for the end of their lease.
 */
import { logFailure } from "@livery/domain"
import type { ClaimedDelivery, Claims, EndpointId, UnreportedAttempt } from "@livery/domain"
import { Clock, Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { pgArray } from "../sql/Parameters.ts"
import type { ClaimedRow, ClaimRow, EndpointRow, OtherRow } from "./ClaimRow.ts"
import { claimStatement } from "./ClaimStatement.ts"

const toUnreported = (row: OtherRow): UnreportedAttempt => ({
  deliveryId: row.delivery_id,
  businessId: row.business_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  attempt: row.attempt,
  status: row.kind === "reclaimed" ? "pending" : "failed"
})

const toClaims = (claimId: string, rows: ReadonlyArray<ClaimRow>): Claims => {
  const endpoints = new Map<EndpointId, EndpointRow>()
  const others: Array<OtherRow> = []
  const claimed: Array<ClaimedRow> = []
  for (const row of rows)
    if (row.kind === null) claimed.push(row)
    else if (row.kind === "endpoint") endpoints.set(row.endpoint_id, row)
    else others.push(row)
  return {
    claimed: claimed.flatMap((row): ReadonlyArray<ClaimedDelivery> => {
      const endpoint = endpoints.get(row.endpoint_id)
      if (endpoint === undefined) return []
      return [
        {
          deliveryId: row.delivery_id,
          businessId: endpoint.business_id,
          endpointId: row.endpoint_id,
          eventId: row.event_id,
          eventType: row.event_type,
          body: row.body,
          url: endpoint.url,
          sealedSecret: endpoint.sealed_secret,
          retiredSecrets: endpoint.retired_secrets,
          ageMs: row.age_ms,
          attempt: row.attempt,
          claimId
        }
      ]
    }),
    unreported: others.filter(({ kind }) => kind !== "unsent").map(toUnreported),
    failed: others.filter(({ kind }) => kind === "failed" || kind === "unsent").length
  }
}

/** The endpoint that was served last, in turn from `after`. */
const lastServed = (after: number, claimed: ReadonlyArray<ClaimedDelivery>): number => {
  let [highestAfter, highestBefore] = [0, 0]
  for (const { endpointId } of claimed)
    if (endpointId > after) highestAfter = Math.max(highestAfter, endpointId)
    else highestBefore = Math.max(highestBefore, endpointId)
  return highestBefore > 0 ? highestBefore : Math.max(highestAfter, after)
}

// Longer than a statement may run: one that was given up may still be executed until then. Where statements have no
// timeout, a batch that is claimed later than this waits for the end of its lease.
const rememberedFor = 60_000_000_000n

const givenBackEvery = 1_000_000_000n

/** A limit above the number of deliveries in flight. */
const unbounded = 1_000_000

/**
 * Gives back the deliveries of these batches, except locked ones. It reads all deliveries in flight, in the order of their
 * index and with a limit that the planner does not know, so that it reads neither the whole table nor settled claims.
 */
const giveBack = (sql: SqlClient.SqlClient, batches: ReadonlyArray<string>) =>
  sql`
    WITH unacknowledged AS (
      SELECT d.ctid AS place FROM (
        SELECT d.ctid, d.claim_id FROM webhook_deliveries d
        WHERE d.status = 'pending' AND d.claim_id IS NOT NULL AND d.next_attempt_at > (SELECT clock_timestamp())
        ORDER BY d.next_attempt_at LIMIT (SELECT ${unbounded}::int)
      ) claimed
      CROSS JOIN LATERAL (
        SELECT d.ctid FROM webhook_deliveries d
        WHERE d.ctid = claimed.ctid AND d.claim_id = claimed.claim_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ) d
      WHERE claimed.claim_id = ANY (${pgArray(batches)}::uuid[])
    )
    UPDATE webhook_deliveries d
    SET attempt = d.attempt - 1, claim_id = NULL, next_attempt_at = clock_timestamp()
    WHERE d.ctid = ANY (ARRAY(SELECT place FROM unacknowledged))`.unprepared

/** Makes the function that claims, for one dispatcher: it serves endpoints in turn, after the last one served. */
export const makeClaimBatch = (sql: SqlClient.SqlClient) => {
  let after = 0
  // Batches whose answer was lost, the oldest first, and since when.
  const unacknowledged = new Map<string, bigint>()

  let givenBackAt = 0n

  const giveBackUnacknowledged = Effect.gen(function* () {
    const now = yield* Clock.monotonicTimeNanos
    if (unacknowledged.size === 0 || now - givenBackAt < givenBackEvery) return
    givenBackAt = now
    yield* giveBack(sql, [...unacknowledged.keys()]).pipe(Effect.timeout("2 seconds"))
    for (const [batch, since] of unacknowledged) if (now - since > rememberedFor) unacknowledged.delete(batch)
  }).pipe(
    // Due deliveries can be claimed all the same.
    Effect.catchCause((cause) => logFailure("Unacknowledged webhook claims could not be given back", cause))
  )

  return Effect.fnUntraced(function* (options: {
    readonly limit: number
    readonly perEndpoint: number
    readonly perBusiness?: number | undefined
  }) {
    yield* giveBackUnacknowledged
    const claimId = randomUUID()
    const rows = yield* Effect.onExit(claimStatement(sql, { ...options, after, claimId }), (exit) =>
      Exit.isSuccess(exit)
        ? Effect.void
        : Effect.map(Clock.monotonicTimeNanos, (now) => unacknowledged.set(claimId, now))
    )
    const claims = toClaims(claimId, rows)
    after = lastServed(after, claims.claimed)
    return claims
  })
}
