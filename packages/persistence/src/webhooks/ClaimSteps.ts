/**
 * The steps of the claim statement (`ClaimStatement.ts`), each a common table expression. Rows of `webhook_deliveries` are
 * named `d`, and addressed by their `ctid`, called `tid`.
 */
import { type ClaimBounds, endpointDisabled, RetryPolicy, unreportedError } from "@livery/domain"
import type { SqlClient, Statement } from "effect/sql"
import { endpointOf, leases } from "./DueEndpoints.ts"
import { deliveryStatus, isClaimed, isWaiting } from "./StatusConditions.ts"

/** The format of an instant in a delivery record: UTC, whole seconds. */
export const recordedTime = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

/** What bounds a claim, and its id. */
export interface ClaimOptions extends ClaimBounds {
  /** The endpoint that was served last. */
  readonly after: number
  readonly claimId: string
  /** False to claim without the lock; the limits may then be exceeded. */
  readonly needsLock: boolean
}

/** Fragments that several steps use. */
const fragmentsOf = (sql: SqlClient.SqlClient) => ({
  now: sql.literal("(SELECT now FROM clock)"),
  failed: sql.literal(deliveryStatus.failed),
  lease: sql`${leases}::float8[]`,
  maxAttempts: sql`${RetryPolicy.maxAttempts}::int`
})

/**
 * `expired_claims`: claims whose lease has ended without a result. `is_retriable` unless their deliveries fail, after the
 * last attempt or because the endpoint is disabled.
 */
export const expiredClaims = (sql: SqlClient.SqlClient, limit: Statement.Fragment) => {
  const { maxAttempts, now } = fragmentsOf(sql)
  return sql`expired_claims AS MATERIALIZED (
      SELECT c.tid, c.delivery_id, e.enabled AND c.attempt < ${maxAttempts} AS is_retriable
      FROM (
        SELECT d.ctid AS tid, d.business_id, d.endpoint_id, d.delivery_id, d.attempt
        FROM webhook_deliveries d WHERE ${sql.literal(isClaimed)} AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
      ) c CROSS JOIN LATERAL (${sql.literal(endpointOf("c"))}) e
    )`
}

/** `abandoned_claims`: expired claims of deliveries that were cancelled while they were claimed. */
export const abandonedClaims = (sql: SqlClient.SqlClient, limit: Statement.Fragment) => {
  const { failed, lease, now } = fragmentsOf(sql)
  // Not a plain literal, for which the planner could choose the index of all failed deliveries.
  const isAbandoned = sql`d.status = (SELECT ${failed}) AND d.next_attempt_at IS NULL AND d.claim_id IS NOT NULL`
  return sql`abandoned_claims AS MATERIALIZED (
      SELECT d.ctid AS tid, d.delivery_id FROM webhook_deliveries d
      WHERE ${isAbandoned} AND d.cancelled_at <= ${now} - make_interval(secs => (${lease})[d.attempt])
      ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
    )`
}

/**
 * `permission (may_claim)`: whether the statement may claim. It has the claim lock, or needs none, and no expired claim is
 * to be made due first.
 */
export const claimPermission = (
  sql: SqlClient.SqlClient,
  needsLock: boolean
) => sql`lock_row AS MATERIALIZED (
      SELECT only_row FROM webhook_claim_lock WHERE EXISTS (SELECT FROM due_endpoints e WHERE e.enabled) FOR NO KEY UPDATE SKIP LOCKED
    ),
    claim_lock AS MATERIALIZED (
      -- The number of a later transaction is that of another cluster, from which the data was moved here.
      SELECT CASE WHEN pg_visible_in_snapshot(l.last, pg_current_snapshot()) OR l.last >= pg_current_xact_id()
        THEN setval('webhook_last_claim', pg_current_xact_id()::text::bigint) IS NOT NULL ELSE false END AS is_acquired
      FROM lock_row CROSS JOIN LATERAL (
        -- It needs the locked row: otherwise the planner may read the last claim before the lock is taken.
        SELECT coalesce(
          pg_sequence_last_value(CASE WHEN lock_row.only_row THEN 'webhook_last_claim'::regclass END), 1
        )::text::xid8 AS last
      ) l
    ),
    permission AS MATERIALIZED (
      SELECT NOT EXISTS (SELECT FROM expired_claims c WHERE c.is_retriable)
        AND (coalesce((SELECT is_acquired FROM claim_lock), false) OR NOT ${needsLock}::boolean) AS may_claim
    )`

/** `selected`: the due deliveries to claim, and those that fail because their endpoint is disabled. */
export const selectedDeliveries = (sql: SqlClient.SqlClient, limit: Statement.Fragment) => {
  const { now } = fragmentsOf(sql)
  return sql`selected AS MATERIALIZED (
      SELECT due.tid, e.enabled FROM due_endpoints e CROSS JOIN LATERAL (
        SELECT d.ctid AS tid FROM webhook_deliveries d
        WHERE ${sql.literal(isWaiting)} AND d.endpoint_id = e.endpoint_id AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at
        LIMIT CASE WHEN e.enabled
          THEN least(e.quota, ceil(${limit}::float8 / (SELECT count(*) FROM due_endpoints))::int) ELSE ${limit} END
        FOR UPDATE SKIP LOCKED
      ) due
      WHERE NOT e.enabled OR (SELECT may_claim FROM permission)
      LIMIT ${limit}
    )`
}

/** For an attempt that was never reported, only its lease and the start (or the cancelling) of its claim are known. */
const attemptsWithUnreported = (sql: SqlClient.SqlClient) => {
  const { lease } = fragmentsOf(sql)
  return sql`CASE WHEN d.claim_id IS NULL THEN d.attempts ELSE d.attempts || jsonb_build_object(
          'attempt', d.attempt,
          'started_at', to_char(coalesce(d.next_attempt_at - make_interval(secs => (${lease})[d.attempt]), d.cancelled_at)
            AT TIME ZONE 'UTC', ${sql.literal(recordedTime)}),
          'duration_ms', least((${lease})[d.attempt] * 1000, 2147483647)::int, 'response_status', NULL, 'error', ${unreportedError}::text
        ) END`
}

/** `failed`: writes the deliveries that fail. */
export const failedDeliveries = (sql: SqlClient.SqlClient) => {
  const { failed, maxAttempts } = fragmentsOf(sql)
  return sql`failed AS (
      UPDATE webhook_deliveries d
      SET status = ${failed}, next_attempt_at = NULL, claim_id = NULL,
        last_error = CASE WHEN d.attempt < ${maxAttempts} OR d.status = ${failed} THEN ${endpointDisabled} ELSE ${unreportedError} END,
        response_status = CASE WHEN d.claim_id IS NULL THEN d.response_status END,
        attempts = ${attemptsWithUnreported(sql)}
      WHERE d.ctid = ANY (ARRAY(
        SELECT s.tid FROM selected s WHERE NOT s.enabled UNION ALL SELECT c.tid FROM expired_claims c WHERE NOT c.is_retriable
        UNION ALL SELECT a.tid FROM abandoned_claims a
      ))
      RETURNING d.business_id, d.endpoint_id, d.delivery_id, d.event_id, d.attempt
    )`
}

/** `requeued`: makes deliveries with an expired claim due again, since the time of that claim. */
export const requeuedDeliveries = (sql: SqlClient.SqlClient) => {
  const { lease } = fragmentsOf(sql)
  return sql`requeued AS (
      UPDATE webhook_deliveries d
      SET claim_id = NULL, next_attempt_at = d.next_attempt_at - make_interval(secs => (${lease})[d.attempt]),
        last_error = ${unreportedError}, response_status = NULL, attempts = ${attemptsWithUnreported(sql)}
      WHERE d.ctid = ANY (ARRAY(SELECT c.tid FROM expired_claims c WHERE c.is_retriable))
      RETURNING d.business_id, d.endpoint_id, d.delivery_id, d.event_id, d.attempt
    )`
}

/** `claimed`: writes the claims. While a delivery is claimed, `next_attempt_at` is the end of the lease. */
export const claimedDeliveries = (sql: SqlClient.SqlClient, claimId: string) => {
  const { lease } = fragmentsOf(sql)
  return sql`claimed AS (
      UPDATE webhook_deliveries d
      SET attempt = d.attempt + 1, claim_id = ${claimId}::uuid,
        next_attempt_at = clock_timestamp() + make_interval(secs => (${lease})[d.attempt + 1])
      WHERE d.ctid = ANY (ARRAY(SELECT s.tid FROM selected s WHERE s.enabled))
      RETURNING d.business_id, d.endpoint_id, d.delivery_id, d.event_id, d.attempt,
        (date_part('epoch', clock_timestamp() - d.created_at) * 1000)::bigint AS age_ms
    )`
}
