/** The domain's `DeliveryQueue` on PostgreSQL: any number of dispatchers may share one database. */
import { DeliveryQueue, RetryPolicy } from "@livery/domain"
import type { AttemptResult, DeliveryVerdict } from "@livery/domain"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { pgArray } from "../sql/Parameters.ts"
import { backlogStatement } from "./BacklogStatement.ts"
import { type ClaimKey, makeClaimBatch } from "./ClaimBatch.ts"
import { deliveryStatus } from "./StatusConditions.ts"

const decodeBacklog = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ due: Schema.Int, oldest: Schema.Finite }))
)

/**
 * Formats instants in whole seconds, as records show them. It caches the last second, in which most results of a batch
 * start.
 */
const makeToSeconds = () => {
  let [second, written] = [Number.NaN, ""]
  return (time: DateTime.Utc): string => {
    const epochSecond = Math.floor(DateTime.toEpochMillis(time) / 1000)
    if (epochSecond !== second) [second, written] = [epochSecond, `${DateTime.formatIso(time).slice(0, 19)}Z`]
    return written
  }
}

/**
 * Deliveries in the table `webhook_deliveries`, each with its attempts. Times are the database's, except the start of
 * an attempt, which is the dispatcher's.
 *
 * - `claim` serves endpoints in turn, from the one after the last that it served.
 * - `record` and `release` are fenced by the claim's id: nothing is changed for a claim that another dispatcher has
 *   taken over, or that ended before. They skip locked deliveries, so that a transaction that holds a lock for
 *   long delays no other delivery.
 */
export const layer: Layer.Layer<DeliveryQueue, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const [pending, delivered, failed] = [
      sql.literal(deliveryStatus.pending),
      sql.literal(deliveryStatus.delivered),
      sql.literal(deliveryStatus.failed)
    ]

    // Not "=", which lets the planner look the claim up in the index of claimed deliveries. On a table that was
    // analyzed without claims, that index seems cheaper than the key. But for each result it would read the whole
    // index, including all entries whose claim ended since the last vacuum.
    const isClaim = sql.literal("d.claim_id IS NOT DISTINCT FROM r.claim_id")

    // Whether a row had this claim when the statement began. A row with the claim that was not written is locked, or
    // was changed since.
    const claimOf = sql.literal(`
      SELECT FROM webhook_deliveries d
      WHERE d.business_id = r.business_id AND d.endpoint_id = r.endpoint_id AND d.delivery_id = r.delivery_id
        AND d.claim_id IS NOT DISTINCT FROM r.claim_id LIMIT 1`)

    // Each place (`ctid`) in a list is looked up on its own. A join alone would compare each row of the table with each
    // place if the table was analyzed before its rows were committed.
    const isAmong = (places: "verdicts" | "releasable") =>
      sql.literal(`d.ctid = ANY (ARRAY(SELECT place FROM ${places}))`)

    const record = Effect.fn("DeliveryQueuePg.record")(function* (results: ReadonlyArray<AttemptResult>) {
      if (results.length === 0) return []
      const column = (of: (result: AttemptResult) => string | number | boolean | null) =>
        pgArray(results.map(of))
      const toSeconds = makeToSeconds()
      const toAttempt = ({ delivery, durationMs, error, responseStatus, startedAt }: AttemptResult) => ({
        attempt: delivery.attempt,
        started_at: toSeconds(startedAt),
        duration_ms: Math.round(durationMs),
        response_status: responseStatus,
        error
      })
      // Not decoded by a schema, because that is too slow per delivery.
      const rows = yield* sql<{ verdict: DeliveryVerdict; nths: ReadonlyArray<number> }>`
        WITH history AS MATERIALIZED (SELECT ${JSON.stringify(results.map(toAttempt))}::jsonb AS attempts),
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
          SELECT d.ctid AS place, r.*, d.attempt, d.status = ${failed} AS cancelled,
            d.status = ${pending} AND NOT r.acknowledged AND r.retry_in IS NOT NULL
              AND d.attempt < ${RetryPolicy.maxAttempts}::int AS again
          FROM results r CROSS JOIN LATERAL (
            SELECT d.ctid, d.attempt, d.status FROM webhook_deliveries d
            WHERE d.business_id = r.business_id AND d.endpoint_id = r.endpoint_id
              AND d.delivery_id = r.delivery_id AND ${isClaim}
            LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
          ) d
        ),
        written AS (
          UPDATE webhook_deliveries d
          SET status = CASE WHEN v.cancelled THEN ${failed} WHEN v.acknowledged THEN ${delivered}
              WHEN v.again THEN ${pending} ELSE ${failed} END,
            next_attempt_at = CASE WHEN v.again THEN clock_timestamp() + make_interval(secs => v.retry_in) END,
            claim_id = NULL, last_error = CASE WHEN v.cancelled THEN d.last_error ELSE v.error END,
            response_status = v.response_status,
            attempts = d.attempts || ((SELECT attempts FROM history) -> (v.nth - 1)::int)
          FROM verdicts v WHERE ${isAmong("verdicts")} AND d.ctid = v.place
          RETURNING v.nth, CASE WHEN v.cancelled THEN 'cancelled' ELSE d.status END AS verdict
        ),
        unwritten AS MATERIALIZED (
          SELECT * FROM results r WHERE NOT EXISTS (SELECT FROM written w WHERE w.nth = r.nth)
        )
        SELECT v.verdict, json_agg(v.nth) AS nths FROM (
          SELECT w.verdict, w.nth FROM written w
          UNION ALL
          SELECT 'locked', r.nth FROM unwritten r CROSS JOIN LATERAL (${claimOf}) d
        ) v GROUP BY v.verdict`
      const verdicts: Array<DeliveryVerdict> = results.map(() => "late")
      for (const { nths, verdict } of rows) for (const nth of nths) verdicts[nth - 1] = verdict
      return verdicts
    }, Effect.orDie)

    const release = Effect.fn("DeliveryQueuePg.release")(function* <C extends ClaimKey>(
      claims: ReadonlyArray<C>
    ): Effect.fn.Return<ReadonlyArray<C>, SqlError.SqlError> {
      if (claims.length === 0) return []
      const rows = yield* sql<{ nth: number }>`
        WITH claims AS MATERIALIZED (
          SELECT * FROM unnest(
            ${pgArray(claims.map(({ businessId }) => businessId))}::bigint[],
            ${pgArray(claims.map(({ endpointId }) => endpointId))}::bigint[],
            ${pgArray(claims.map(({ deliveryId }) => deliveryId))}::bigint[],
            ${pgArray(claims.map(({ claimId }) => claimId))}::uuid[]
          ) WITH ORDINALITY AS r (business_id, endpoint_id, delivery_id, claim_id, nth)
        ),
        releasable AS (
          SELECT d.ctid AS place FROM claims r CROSS JOIN LATERAL (
            SELECT d.ctid FROM webhook_deliveries d
            WHERE d.business_id = r.business_id AND d.endpoint_id = r.endpoint_id
              AND d.delivery_id = r.delivery_id AND ${isClaim}
            LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
          ) d
        ),
        released AS (
          UPDATE webhook_deliveries d
          SET attempt = d.attempt - 1, claim_id = NULL,
            next_attempt_at = CASE WHEN d.status = ${pending} THEN clock_timestamp() END
          WHERE ${isAmong("releasable")}
          RETURNING d.delivery_id
        ),
        unreleased AS MATERIALIZED (
          SELECT * FROM claims r WHERE NOT EXISTS (SELECT FROM released d WHERE d.delivery_id = r.delivery_id)
        )
        SELECT r.nth::int FROM unreleased r CROSS JOIN LATERAL (${claimOf}) d`
      return rows.flatMap(({ nth }) => claims[nth - 1] ?? [])
    }, Effect.orDie)

    const claim = Effect.fn("DeliveryQueuePg.claim")(makeClaimBatch(sql, release), Effect.orDie)

    const backlog = backlogStatement(sql).pipe(
      Effect.flatMap(decodeBacklog),
      Effect.map(([row]) => ({ due: row?.due ?? 0, oldestDueSeconds: row?.oldest ?? 0 })),
      Effect.orDie,
      Effect.withSpan("DeliveryQueuePg.backlog")
    )

    return DeliveryQueue.of({ claim, record, release, backlog })
  })
)
