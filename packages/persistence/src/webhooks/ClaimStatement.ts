/**
 * The statement that claims due deliveries:
 *
 *     due_endpoints ─ permission ─ selected ─┬─ claimed
 *                                            └─ failed (endpoint disabled)
 *     expired_claims ─┬─ requeued (due since the time of the claim)
 *                     └─ failed (six attempts, or endpoint disabled)
 *     abandoned_claims ─ failed (cancelled while it was claimed; the claim has expired since)
 *
 * An example: at most 20 deliveries of an endpoint may be in flight (`perEndpoint`), 12 are wanted (`limit`), and endpoint
 * 3 was served last. The claim of a delivery of endpoint 9 expired a second ago: the first statement makes that delivery
 * due again (`requeued`), and claims nothing. Then these endpoints have deliveries that are due:
 *
 *     endpoint   due       in flight   may claim
 *     1          4         0           20
 *     5          300,000   19          1
 *     9          3         0           20
 *
 * The next statement claims 8 of them:
 *
 *     1. due_endpoints  5, 9 and 1: round-robin, beginning after endpoint 3
 *     2. permission     no other dispatcher is claiming, nor has one claimed since this statement began
 *     3. selected       at most 12 / 3 = 4 of each endpoint: 1 of 5, 3 of 9, 4 of 1
 *     4. claimed        8 rows get an attempt, the claim id and the time when this claim expires
 *
 * **The claim lock** enforces the limits across dispatchers. A statement counts what is in flight as it was when the
 * statement began. Two overlapping statements would each use up the limits. So one holds the lock of the one row in
 * `webhook_claim_lock`, and the others claim nothing. The one with the lock claims nothing either if the last claim,
 * whose transaction number is in `webhook_last_claim`, was not yet visible when its statement began.
 *
 * **Small rows.** The statement returns keys only, some 80 bytes each. Its transaction ends when the last row is sent,
 * so a dispatcher that is stopped while it reads bodies would keep its rows and the claim lock locked. Keys fit into the
 * socket's buffers, so that the transaction ends whether or not they are read. A second statement, without locks, reads
 * the rest.
 *
 * **The plan** must be good for any statistics, because a prepared statement may keep a generic plan that was made for
 * an empty table:
 *
 * - Each look-up by key is a lateral with a limit.
 * - Each write addresses rows by a list of their `ctid`: a join could become a scan of all rows.
 * - Claimed deliveries are read in the order of their index, with a limit that the planner does not know. Only such a
 *   scan marks the index entries of ended claims as dead; a bitmap scan would read all of them until the next vacuum.
 */
import type { SqlClient } from "effect/sql"
import {
  abandonedClaims,
  claimedDeliveries,
  type ClaimOptions,
  claimPermission,
  expiredClaims,
  failedDeliveries,
  requeuedDeliveries,
  selectedDeliveries
} from "./ClaimSteps.ts"
import { dueEndpoints } from "./DueEndpoints.ts"

/**
 * Claims within the limits, starting with the endpoint after `after`, and returns rows of several kinds
 * (`ClaimRow.ts`).
 */
export const claimStatement = (sql: SqlClient.SqlClient, options: ClaimOptions) => {
  const limit = sql`${options.limit}::int`
  return sql<{ kind: string }>`
    WITH RECURSIVE clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
    ${dueEndpoints(sql, options)},
    ${expiredClaims(sql, limit)},
    ${abandonedClaims(sql, limit)},
    ${claimPermission(sql, options.needsLock)},
    ${selectedDeliveries(sql, limit)},
    ${failedDeliveries(sql)},
    ${requeuedDeliveries(sql)},
    ${claimedDeliveries(sql, options.claimId)}
    SELECT 'claimed' AS kind, c.business_id, c.endpoint_id, c.delivery_id, c.event_id, c.attempt, c.age_ms,
      NULL::float8 AS database_ms, NULL::boolean AS is_contended, NULL::boolean AS is_held_back,
      NULL::boolean AS has_lock
    FROM claimed c
    UNION ALL
    SELECT 'requeued', r.*, NULL, NULL, NULL, NULL, NULL FROM requeued r
    UNION ALL
    SELECT CASE WHEN EXISTS (SELECT FROM expired_claims c WHERE c.delivery_id = f.delivery_id) THEN 'failed'
      WHEN EXISTS (SELECT FROM abandoned_claims a WHERE a.delivery_id = f.delivery_id) THEN 'abandoned' ELSE 'unsent' END,
      f.*, NULL, NULL, NULL, NULL, NULL
    FROM failed f
    UNION ALL
    SELECT 'summary', NULL, NULL, NULL, NULL, NULL, NULL, date_part('epoch', clock_timestamp()) * 1000,
      EXISTS (SELECT FROM due_endpoints e WHERE e.enabled) AND NOT (SELECT may_claim FROM permission)
        AND NOT EXISTS (SELECT FROM expired_claims c WHERE c.is_retriable),
      NOT EXISTS (SELECT FROM selected) AND EXISTS (
        SELECT FROM candidates e WHERE e.enabled AND (e.endpoint_room <= 0 OR e.business_room <= 0 OR e.host_room <= 0)
      ),
      coalesce((SELECT is_acquired FROM claim_lock), false)`
}
