/**
 * The statement that claims due deliveries:
 *
 *     due endpoints ─ turn ─ selected ─┬─ claimed
 *                                      └─ failed (endpoint disabled)
 *     lapsed ─┬─ expired (due since the time of the claim)
 *             └─ failed (six attempts, or endpoint disabled)
 *     abandoned ─ failed (cancelled while it was claimed; the claim has lapsed since)
 *
 * An example: at most 20 deliveries of an endpoint may be in flight (`perEndpoint`), 12 are wanted (`limit`), and endpoint
 * 3 was served last. The claim of a delivery of endpoint 9 lapsed a second ago: the first statement makes that delivery due
 * again (`expired`), and claims nothing. Then these endpoints have deliveries that are due:
 *
 *     endpoint   due       in flight   may claim
 *     1          4         0           20
 *     5          300,000   19          1
 *     9          3         0           20
 *
 * The next statement claims 8 of them:
 *
 *     1. due endpoints  5, 9 and 1: in turn, beginning after endpoint 3
 *     2. turn           no other dispatcher is claiming, nor has one claimed since this statement began
 *     3. selected       at most 12 / 3 = 4 of each endpoint: 1 of 5, 3 of 9, 4 of 1
 *     4. claimed        8 rows get an attempt, the claim id and the time when this claim lapses
 *
 * **The turn** enforces the limits across dispatchers. A statement counts what is in flight as it was when the
 * statement began. Two overlapping statements would each use up the limits. So one holds the lock of the one row in
 * `webhook_claim_lock`, and the others claim nothing. The one with the lock claims nothing either if the last claim,
 * whose transaction number is in `webhook_last_claim`, was not yet visible when its statement began.
 *
 * **Small rows.** The statement returns keys only, some 80 bytes each. Its transaction ends when the last row is sent,
 * so a dispatcher that is stopped while it reads bodies would keep its rows and the turn locked. Keys fit into the
 * socket's buffers, so that the transaction ends whether or not they are read. A second statement, without locks, reads
 * the rest.
 *
 * The plan must be good for any statistics, because a prepared statement may keep a plan that was made for an empty
 * table:
 *
 * - Each look-up by key is a lateral with a limit.
 * - Each write addresses rows by a list of their places (`ctid`): a join could become a scan of all rows.
 * - Claimed deliveries are read in the order of their index, with a limit that the planner does not know. Only such a
 *   scan marks the index entries of ended claims as dead; a bitmap scan would read all of them until the next vacuum.
 */
import { type ClaimBounds, RetryPolicy } from "@livery/domain"
import type { SqlClient } from "effect/sql"
import { dueEndpoints, endpointOf, leases } from "./DueEndpoints.ts"
import { deliveryStatus, isClaimed, isWaiting } from "./StatusConditions.ts"

/** The error of an attempt that was never reported, in `attempts` and `last_error`. */
const unreportedError = "no result: the dispatcher stopped"

/** The format of an instant in a delivery record: UTC, whole seconds. */
export const recordedTime = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

/** The `last_error` of a delivery that was cancelled because its endpoint was disabled or deleted. */
export const endpointDisabled = "endpoint disabled"

/**
 * Claims within the limits, starting with the endpoint after `after`, and returns rows of several kinds
 * (`ClaimRow.ts`).
 */
export const claimStatement = (
  sql: SqlClient.SqlClient,
  options: ClaimBounds & {
    readonly after: number
    readonly claimId: string
    /** False to claim without the turn; the limits may then be exceeded. */
    readonly needsLock: boolean
  }
) => {
  const limit = sql`${options.limit}::int`
  const lease = sql`${leases}::float8[]`
  const maximum = sql`${RetryPolicy.maxAttempts}::int`
  const failed = sql.literal(deliveryStatus.failed)
  // Not a plain literal, for which the planner could choose the index of all failed deliveries.
  const isAbandoned = sql`d.status = (SELECT ${failed}) AND d.next_attempt_at IS NULL AND d.claim_id IS NOT NULL`
  const now = sql.literal("(SELECT now FROM clock)")
  // For an attempt that was never reported, only its lease and the start (or the cancelling) of its claim are known.
  const attemptsWithUnreported = sql`CASE WHEN d.claim_id IS NULL THEN d.attempts ELSE d.attempts || jsonb_build_object(
          'attempt', d.attempt,
          'started_at', to_char(coalesce(d.next_attempt_at - make_interval(secs => (${lease})[d.attempt]), d.cancelled_at)
            AT TIME ZONE 'UTC', ${sql.literal(recordedTime)}),
          'duration_ms', least((${lease})[d.attempt] * 1000, 2147483647)::int, 'response_status', NULL, 'error', ${unreportedError}::text
        ) END`

  return sql<{ kind: string }>`
    WITH RECURSIVE clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
    ${dueEndpoints(sql, options)},
    lapsed AS MATERIALIZED (
      SELECT l.place, l.delivery_id, e.enabled AND l.attempt < ${maximum} AS is_alive
      FROM (
        SELECT d.ctid AS place, d.business_id, d.endpoint_id, d.delivery_id, d.attempt
        FROM webhook_deliveries d WHERE ${sql.literal(isClaimed)} AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
      ) l CROSS JOIN LATERAL (${sql.literal(endpointOf("l"))}) e
    ),
    abandoned AS MATERIALIZED (
      SELECT d.ctid AS place, d.delivery_id FROM webhook_deliveries d
      WHERE ${isAbandoned} AND d.cancelled_at <= ${now} - make_interval(secs => (${lease})[d.attempt])
      ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
    ),
    locked AS MATERIALIZED (
      SELECT only_row FROM webhook_claim_lock WHERE EXISTS (SELECT FROM due_endpoints e WHERE e.enabled) FOR NO KEY UPDATE SKIP LOCKED
    ),
    turn AS MATERIALIZED (
      -- The number of a later transaction is that of another cluster, from which the data was moved here.
      SELECT CASE WHEN pg_visible_in_snapshot(l.last, pg_current_snapshot()) OR l.last >= pg_current_xact_id()
        THEN setval('webhook_last_claim', pg_current_xact_id()::text::bigint) IS NOT NULL ELSE false END AS is_mine
      FROM locked CROSS JOIN LATERAL (
        -- It needs the locked row: otherwise the planner may read the last claim before the lock is taken.
        SELECT coalesce(
          pg_sequence_last_value(CASE WHEN locked.only_row THEN 'webhook_last_claim'::regclass END), 1
        )::text::xid8 AS last
      ) l
    ),
    may_claim AS MATERIALIZED (
      SELECT NOT EXISTS (SELECT FROM lapsed l WHERE l.is_alive)
        AND (coalesce((SELECT is_mine FROM turn), false) OR NOT ${options.needsLock}::boolean) AS it
    ),
    selected AS MATERIALIZED (
      SELECT due.place, l.enabled FROM due_endpoints l CROSS JOIN LATERAL (
        SELECT d.ctid AS place FROM webhook_deliveries d
        WHERE ${sql.literal(isWaiting)} AND d.endpoint_id = l.endpoint_id AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at
        LIMIT CASE WHEN l.enabled
          THEN least(l.free, ceil(${limit}::float8 / (SELECT count(*) FROM due_endpoints))::int) ELSE ${limit} END
        FOR UPDATE SKIP LOCKED
      ) due
      WHERE NOT l.enabled OR (SELECT it FROM may_claim)
      LIMIT ${limit}
    ),
    failed AS (
      UPDATE webhook_deliveries d
      SET status = ${failed}, next_attempt_at = NULL, claim_id = NULL,
        last_error = CASE WHEN d.attempt < ${maximum} OR d.status = ${failed} THEN ${endpointDisabled} ELSE ${unreportedError} END,
        response_status = CASE WHEN d.claim_id IS NULL THEN d.response_status END,
        attempts = ${attemptsWithUnreported}
      WHERE d.ctid = ANY (ARRAY(
        SELECT s.place FROM selected s WHERE NOT s.enabled UNION ALL SELECT l.place FROM lapsed l WHERE NOT l.is_alive
        UNION ALL SELECT a.place FROM abandoned a
      ))
      RETURNING d.business_id, d.endpoint_id, d.delivery_id, d.event_id, d.attempt
    ),
    expired AS (
      UPDATE webhook_deliveries d
      SET claim_id = NULL, next_attempt_at = d.next_attempt_at - make_interval(secs => (${lease})[d.attempt]),
        last_error = ${unreportedError}, response_status = NULL, attempts = ${attemptsWithUnreported}
      WHERE d.ctid = ANY (ARRAY(SELECT l.place FROM lapsed l WHERE l.is_alive))
      RETURNING d.business_id, d.endpoint_id, d.delivery_id, d.event_id, d.attempt
    ),
    claimed AS (
      UPDATE webhook_deliveries d
      SET attempt = d.attempt + 1, claim_id = ${options.claimId}::uuid,
        next_attempt_at = clock_timestamp() + make_interval(secs => (${lease})[d.attempt + 1])
      WHERE d.ctid = ANY (ARRAY(SELECT s.place FROM selected s WHERE s.enabled))
      RETURNING d.business_id, d.endpoint_id, d.delivery_id, d.event_id, d.attempt,
        (date_part('epoch', clock_timestamp() - d.created_at) * 1000)::bigint AS age_ms
    )
    SELECT 'claimed' AS kind, c.business_id, c.endpoint_id, c.delivery_id, c.event_id, c.attempt, c.age_ms,
      NULL::float8 AS database_ms, NULL::boolean AS is_contended, NULL::boolean AS is_held_back
    FROM claimed c
    UNION ALL
    SELECT 'expired', e.*, NULL, NULL, NULL, NULL FROM expired e
    UNION ALL
    SELECT CASE WHEN EXISTS (SELECT FROM lapsed l WHERE l.delivery_id = f.delivery_id) THEN 'failed'
      WHEN EXISTS (SELECT FROM abandoned a WHERE a.delivery_id = f.delivery_id) THEN 'abandoned' ELSE 'unsent' END,
      f.*, NULL, NULL, NULL, NULL
    FROM failed f
    UNION ALL
    SELECT 'summary', NULL, NULL, NULL, NULL, NULL, NULL, date_part('epoch', clock_timestamp()) * 1000,
      EXISTS (SELECT FROM due_endpoints e WHERE e.enabled) AND NOT (SELECT it FROM may_claim)
        AND NOT EXISTS (SELECT FROM lapsed l WHERE l.is_alive),
      NOT EXISTS (SELECT FROM selected) AND EXISTS (
        SELECT FROM candidates e WHERE e.enabled AND (e.free <= 0 OR e.business_room <= 0 OR e.host_room <= 0)
      )`
}
