/** The domain's `DeliveryQueue` on PostgreSQL: any number of dispatchers may share one database. */
import { DeliveryQueue, RetryPolicy } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery, DeliveryVerdict } from "@livery/domain"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { pgArray } from "../sql/PgArray.ts"
import { backlogStatement } from "./DeliveryBacklog.ts"
import { makeLook } from "./DeliveryLook.ts"

const decodeBacklog = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ due: Schema.Int, oldest: Schema.Finite }))
)

/**
 * A row that was changed while the statement waited for it is locked as it is now, and then not found as it was: it
 * is for a statement that begins after that. Endpoints are disabled while results are written, so this happens.
 */
const onceMore = <A, E>(
  statement: Effect.Effect<ReadonlyArray<A>, E>,
  wanted: number,
  count: (row: A) => number = () => 1
) =>
  Effect.filterOrElse(
    statement,
    (rows) => rows.reduce((sum, row) => sum + count(row), 0) === wanted,
    (first) => Effect.map(statement, (more) => [...first, ...more])
  )

/** Writes instants as records show them, in whole seconds; of many results, most began in the second of the one before. */
const makeToSeconds = () => {
  let [second, written] = [Number.NaN, ""]
  return (time: DateTime.Utc): string => {
    const asked = Math.floor(DateTime.toEpochMillis(time) / 1000)
    if (asked !== second) [second, written] = [asked, `${DateTime.formatIso(time).slice(0, 19)}Z`]
    return written
  }
}

/** By delivery, so that whoever locks several of them does so in one order, and none waits in a circle. */
const inOrder = <A>(items: ReadonlyArray<A>, of: (item: A) => ClaimedDelivery) =>
  items.toSorted((one, other) => of(one).deliveryId - of(other).deliveryId)

/**
 * Deliveries in the table `webhook_deliveries`, each with what was tried for it. Times are the database's, but for
 * when an attempt began, which the dispatcher tells.
 *
 * - `claim` asks for endpoints in turn, beginning after the last one that it served.
 * - `record` and `release` are fenced by the claim's id: a claim that another dispatcher has taken over, or that
 *   was settled before, changes nothing.
 */
export const layer: Layer.Layer<DeliveryQueue, never, SqlClient.SqlClient> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // Not "=", which would let the plan look for it among all that is claimed: on a table that was analyzed while
    // nothing was, that seems cheaper than by key, and then reads all of it, and all that is settled since the last
    // vacuum, once for each result.
    const isClaim = sql.literal("d.claim_id IS NOT DISTINCT FROM r.claim_id")

    // A list of places is looked up place by place. A join alone is not, on a table that was analyzed while what fills
    // it was not yet committed: each of its rows is then compared with each of the places.
    const isAmong = (places: "verdicts" | "held") =>
      sql.literal(`d.ctid = ANY (ARRAY(SELECT place FROM ${places}))`)

    const look = makeLook(sql)
    const claim = Effect.fn("DeliveryQueuePg.claim")(look, Effect.orDie)

    const record = Effect.fn("DeliveryQueuePg.record")(function* (results: ReadonlyArray<AttemptResult>) {
      if (results.length === 0) return []
      const ordered = inOrder(results, ({ delivery }) => delivery)
      const column = (of: (result: AttemptResult) => string | number | boolean | null) =>
        pgArray(ordered.map(of))
      const toSeconds = makeToSeconds()
      const toAttempt = ({ delivery, durationMs, error, responseStatus, startedAt }: AttemptResult) => ({
        attempt: delivery.attempt,
        started_at: toSeconds(startedAt),
        duration_ms: Math.round(durationMs),
        response_status: responseStatus,
        error
      })
      // Not decoded: each delivery comes by here.
      const write = sql<{ verdict: DeliveryVerdict; nths: ReadonlyArray<number> }>`
        WITH history AS MATERIALIZED (SELECT ${JSON.stringify(ordered.map(toAttempt))}::jsonb AS tried),
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
          SELECT d.ctid AS place, r.*, d.attempt, d.status = 'failed' AS cancelled,
            d.status = 'pending' AND NOT r.acknowledged AND r.retry_in IS NOT NULL
              AND d.attempt < ${RetryPolicy.maximumAttempts}::int AS again
          FROM results r CROSS JOIN LATERAL (
            SELECT d.ctid, d.attempt, d.status FROM webhook_deliveries d
            WHERE d.business_id = r.business_id AND d.endpoint_id = r.endpoint_id
              AND d.delivery_id = r.delivery_id AND ${isClaim}
            LIMIT 1 FOR NO KEY UPDATE
          ) d
        ),
        written AS (
        UPDATE webhook_deliveries d
        SET status = CASE WHEN v.cancelled THEN 'failed' WHEN v.acknowledged THEN 'delivered' WHEN v.again THEN 'pending' ELSE 'failed' END,
          next_attempt_at = CASE WHEN v.again THEN clock_timestamp() + make_interval(secs => v.retry_in) END,
          claim_id = NULL, last_error = CASE WHEN v.cancelled THEN d.last_error ELSE v.error END,
          response_status = v.response_status,
          attempts = d.attempts || ((SELECT tried FROM history) -> (v.nth - 1)::int)
        FROM verdicts v WHERE ${isAmong("verdicts")} AND d.ctid = v.place
        RETURNING v.nth, CASE WHEN v.cancelled THEN 'cancelled' ELSE d.status END AS verdict
        )
        SELECT verdict, json_agg(nth) AS nths FROM written GROUP BY verdict`
      const verdicts = new Map<AttemptResult | undefined, DeliveryVerdict>()
      for (const { nths, verdict } of yield* onceMore(write, results.length, ({ nths }) => nths.length))
        for (const nth of nths) verdicts.set(ordered[nth - 1], verdict)
      return results.map((result): DeliveryVerdict => verdicts.get(result) ?? "late")
    }, Effect.orDie)

    const release = Effect.fn("DeliveryQueuePg.release")(function* (claims: ReadonlyArray<ClaimedDelivery>) {
      if (claims.length === 0) return
      const ordered = inOrder(claims, (claim) => claim)
      const giveBack = sql`
        WITH held AS (
          SELECT d.ctid AS place FROM unnest(
            ${pgArray(ordered.map(({ businessId }) => businessId))}::bigint[],
            ${pgArray(ordered.map(({ endpointId }) => endpointId))}::bigint[],
            ${pgArray(ordered.map(({ deliveryId }) => deliveryId))}::bigint[],
            ${pgArray(ordered.map(({ claimId }) => claimId))}::uuid[]
          ) AS r (business_id, endpoint_id, delivery_id, claim_id)
          CROSS JOIN LATERAL (
            SELECT d.ctid FROM webhook_deliveries d
            WHERE d.business_id = r.business_id AND d.endpoint_id = r.endpoint_id
              AND d.delivery_id = r.delivery_id AND ${isClaim}
            LIMIT 1 FOR NO KEY UPDATE
          ) d
        )
        UPDATE webhook_deliveries d
        SET attempt = d.attempt - 1, claim_id = NULL,
          next_attempt_at = CASE WHEN d.status = 'pending' THEN clock_timestamp() END
        WHERE ${isAmong("held")}
        RETURNING d.delivery_id`
      yield* onceMore(giveBack, claims.length)
    }, Effect.orDie)

    const backlog = backlogStatement(sql).pipe(
      Effect.flatMap(decodeBacklog),
      Effect.map(([row]) => ({ due: row?.due ?? 0, oldestDueSeconds: row?.oldest ?? 0 })),
      Effect.orDie,
      Effect.withSpan("DeliveryQueuePg.backlog")
    )

    return DeliveryQueue.of({ claim, record, release, backlog })
  })
)
