/** The statement that writes the results of attempts. */
import { type AttemptResult, type DeliveryVerdict, RetryPolicy } from "@livery/domain"
import { DateTime } from "effect"
import type { SqlClient } from "effect/sql"
import { pgArray } from "../sql/statements/Parameters.ts"
import { hadClaim, isAmong, lockClaimed } from "./ClaimedRows.ts"
import { deliveryStatus } from "./StatusConditions.ts"

/**
 * Formats instants in whole seconds, as records show them. It caches the last second, in which most results of a batch
 * start.
 */
const makeFormatSeconds = () => {
  let [cachedSecond, cachedText] = [Number.NaN, ""]
  return (time: DateTime.Utc): string => {
    const second = Math.floor(DateTime.toEpochMillis(time) / 1000)
    if (second !== cachedSecond)
      [cachedSecond, cachedText] = [second, `${DateTime.formatIso(time).slice(0, 19)}Z`]
    return cachedText
  }
}

/** The entries of the results for the column `attempts`, as a JSON array. */
const attemptsOf = (results: ReadonlyArray<AttemptResult>): string => {
  const formatSeconds = makeFormatSeconds()
  return JSON.stringify(
    results.map(({ delivery, durationMs, error, responseStatus, startedAt }) => ({
      attempt: delivery.attempt,
      started_at: formatSeconds(startedAt),
      duration_ms: Math.round(durationMs),
      response_status: responseStatus,
      error
    }))
  )
}

/**
 * Writes each result whose delivery still has the claim, except locked ones. Returns a row for each verdict, with the
 * numbers of its results, counted from 1. A result without a verdict came too late.
 */
export const recordStatement = (sql: SqlClient.SqlClient, results: ReadonlyArray<AttemptResult>) => {
  const [pending, delivered, failed] = [
    sql.literal(deliveryStatus.pending),
    sql.literal(deliveryStatus.delivered),
    sql.literal(deliveryStatus.failed)
  ]
  const column = (of: (result: AttemptResult) => string | number | boolean | null) => pgArray(results.map(of))
  return sql<{ verdict: DeliveryVerdict; nths: ReadonlyArray<number> }>`
        WITH history AS MATERIALIZED (SELECT ${attemptsOf(results)}::jsonb AS attempts),
        results AS (
          SELECT * FROM unnest(
            ${column(({ delivery }) => delivery.businessId)}::bigint[],
            ${column(({ delivery }) => delivery.endpointId)}::bigint[],
            ${column(({ delivery }) => delivery.deliveryId)}::bigint[],
            ${column(({ delivery }) => delivery.claimId)}::uuid[],
            ${column(({ acknowledged }) => acknowledged)}::boolean[],
            ${column(({ responseStatus }) => responseStatus)}::int[],
            ${column(({ error }) => error)}::text[],
            ${column(({ retryIn }) => retryIn)}::float8[]
          ) WITH ORDINALITY AS r (business_id, endpoint_id, delivery_id, claim_id, acknowledged,
            response_status, error, retry_in, nth)
        ),
        verdicts AS (
          SELECT d.ctid AS tid, r.*, d.attempt, d.status = ${failed} AS is_cancelled,
            d.status = ${pending} AND NOT r.acknowledged AND r.retry_in IS NOT NULL
              AND d.attempt < ${RetryPolicy.maxAttempts}::int AS is_retried
          FROM results r CROSS JOIN LATERAL (${sql.literal(lockClaimed("d.ctid, d.attempt, d.status"))}) d
        ),
        written AS (
          UPDATE webhook_deliveries d
          SET status = CASE WHEN v.is_cancelled THEN ${failed} WHEN v.acknowledged THEN ${delivered}
              WHEN v.is_retried THEN ${pending} ELSE ${failed} END,
            next_attempt_at = CASE WHEN v.is_retried THEN clock_timestamp() + make_interval(secs => v.retry_in) END,
            claim_id = NULL, last_error = CASE WHEN v.is_cancelled THEN d.last_error ELSE v.error END,
            response_status = v.response_status,
            attempts = d.attempts || ((SELECT attempts FROM history) -> (v.nth - 1)::int)
          FROM verdicts v WHERE ${sql.literal(isAmong("verdicts"))} AND d.ctid = v.tid
          RETURNING v.nth, CASE WHEN v.is_cancelled THEN 'cancelled' ELSE d.status END AS verdict
        ),
        unwritten AS MATERIALIZED (
          SELECT * FROM results r WHERE NOT EXISTS (SELECT FROM written w WHERE w.nth = r.nth)
        )
        SELECT v.verdict, json_agg(v.nth) AS nths FROM (
          SELECT w.verdict, w.nth FROM written w
          UNION ALL
          SELECT 'locked', r.nth FROM unwritten r CROSS JOIN LATERAL (${sql.literal(hadClaim)}) d
        ) v GROUP BY v.verdict`
}
