/** The domain's `DeliveryQueue` on PostgreSQL: any number of dispatchers may share one database. */
import { BusinessId, DeliveryId, DeliveryQueue, EndpointId, EventType, RetryPolicy } from "@livery/domain"
import type { AttemptResult, ClaimedDelivery, SilentAttempt, DeliveryVerdict } from "@livery/domain"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { backlogStatement } from "./DeliveryBacklog.ts"
import { claimStatement } from "./DeliveryClaim.ts"

const identity = {
  delivery_id: DeliveryId,
  business_id: BusinessId,
  endpoint_id: EndpointId,
  event_id: Schema.String,
  attempt: Schema.Int
}
const ClaimRow = Schema.Struct({
  ...identity,
  event_type: EventType,
  body: Schema.String,
  url: Schema.String,
  sealed_secret: Schema.String,
  retired_secrets: Schema.Array(Schema.String),
  age_ms: Schema.Finite,
  claim_id: Schema.String
})
const ToldRow = Schema.Struct({
  ...identity,
  told: Schema.Literals(["revived", "given up", "forsaken", "unsent"])
})
const decodeClaims = Schema.decodeUnknownEffect(Schema.Array(ClaimRow))
const decodeTold = Schema.decodeUnknownEffect(Schema.Array(ToldRow))

const toClaimed = (row: typeof ClaimRow.Type): ClaimedDelivery => ({
  deliveryId: row.delivery_id,
  businessId: row.business_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  eventType: row.event_type,
  body: row.body,
  url: row.url,
  sealedSecret: row.sealed_secret,
  retiredSecrets: row.retired_secrets,
  ageMs: row.age_ms,
  attempt: row.attempt,
  claimId: row.claim_id
})

const toSilent = (row: typeof ToldRow.Type): SilentAttempt => ({
  deliveryId: row.delivery_id,
  businessId: row.business_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  attempt: row.attempt,
  status: row.told === "revived" ? "pending" : "failed"
})

/** The endpoint that was served last when going round from `after`. */
const lastServed = (after: number, claims: ReadonlyArray<ClaimedDelivery>): number => {
  const behind = claims.map(({ endpointId }) => endpointId).filter((id) => id <= after)
  const served = behind.length > 0 ? behind : claims.map(({ endpointId }) => endpointId)
  return served.length === 0 ? after : Math.max(...served)
}

const decodeBacklog = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ due: Schema.Int, oldest: Schema.Finite }))
)

/**
 * A row that was changed while the statement waited for it is locked as it is now, and then not found as it was: it
 * is for a statement that begins after that. Endpoints are disabled while results are written, so this happens.
 */
const onceMore = <A, E>(statement: Effect.Effect<ReadonlyArray<A>, E>, wanted: number) =>
  Effect.filterOrElse(
    statement,
    ({ length }) => length === wanted,
    (first) => Effect.map(statement, (more) => [...first, ...more])
  )

/** As records show it, in whole seconds. */
const toSeconds = (time: DateTime.Utc) => `${DateTime.formatIso(time).slice(0, 19)}Z`

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
    let after = 0

    // Not "=", which would let the plan look for it among all that is claimed: on a table that was analyzed while
    // nothing was, that seems cheaper than by key, and then reads all of it, and all that is settled since the last
    // vacuum, once for each result.
    const isClaim = sql.literal("d.claim_id IS NOT DISTINCT FROM r.claim_id")

    // A list of places is looked up place by place. A join alone is not, on a table that was analyzed while what fills
    // it was not yet committed: each of its rows is then compared with each of the places.
    const isAmong = (places: "verdicts" | "held") =>
      sql.literal(`d.ctid = ANY (ARRAY(SELECT place FROM ${places}))`)

    const claim = Effect.fn("DeliveryQueuePg.claim")(function* (options: {
      readonly limit: number
      readonly perEndpoint: number
      readonly perBusiness?: number | undefined
    }) {
      const rows = yield* claimStatement(sql, { ...options, after })
      const beside = rows.filter(({ told }) => told !== null)
      const claims = beside.length === 0 ? rows : rows.filter(({ told }) => told === null)
      const claimed = (yield* decodeClaims(claims)).map(toClaimed)
      after = lastServed(after, claimed)
      if (beside.length === 0) return { claimed, silent: [], failed: 0 }
      const told = yield* decodeTold(beside)
      return {
        claimed,
        silent: told.filter((row) => row.told !== "unsent").map(toSilent),
        failed: told.filter((row) => row.told === "given up" || row.told === "unsent").length
      }
    }, Effect.orDie)

    const record = Effect.fn("DeliveryQueuePg.record")(function* (results: ReadonlyArray<AttemptResult>) {
      if (results.length === 0) return []
      const ordered = inOrder(results, ({ delivery }) => delivery)
      const column = <A>(of: (result: AttemptResult) => A) => ordered.map(of)
      // Not decoded: each delivery comes by here.
      const write = sql<{ nth: number; verdict: DeliveryVerdict }>`
        WITH results AS (
          SELECT * FROM unnest(
            ${column(({ delivery }) => delivery.businessId)}::bigint[],
            ${column(({ delivery }) => delivery.endpointId)}::bigint[],
            ${column(({ delivery }) => delivery.deliveryId)}::bigint[],
            ${column(({ delivery }) => delivery.claimId)}::uuid[],
            ${column(({ startedAt }) => toSeconds(startedAt))}::text[],
            ${column(({ durationMs }) => Math.round(durationMs))}::int[],
            ${column(({ acknowledged }) => acknowledged)}::boolean[],
            ${column(({ responseStatus }) => responseStatus)}::int[],
            ${column(({ error }) => error)}::text[],
            ${column(({ retryIn }) => retryIn)}::float8[]
          ) WITH ORDINALITY AS r (business_id, endpoint_id, delivery_id, claim_id, started_at, duration_ms, acknowledged,
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
        )
        UPDATE webhook_deliveries d
        SET status = CASE WHEN v.cancelled THEN 'failed' WHEN v.acknowledged THEN 'delivered' WHEN v.again THEN 'pending' ELSE 'failed' END,
          next_attempt_at = CASE WHEN v.again THEN clock_timestamp() + make_interval(secs => v.retry_in) END,
          claim_id = NULL, last_error = CASE WHEN v.cancelled THEN d.last_error ELSE v.error END,
          response_status = v.response_status,
          attempts = d.attempts || jsonb_build_object('attempt', v.attempt, 'started_at', v.started_at,
            'duration_ms', v.duration_ms, 'response_status', v.response_status, 'error', v.error)
        FROM verdicts v WHERE ${isAmong("verdicts")} AND d.ctid = v.place
        RETURNING v.nth::int, CASE WHEN v.cancelled THEN 'cancelled' ELSE d.status END AS verdict`
      const verdicts = new Map<AttemptResult | undefined, DeliveryVerdict>()
      for (const { nth, verdict } of yield* onceMore(write, results.length))
        verdicts.set(ordered[nth - 1], verdict)
      return results.map((result): DeliveryVerdict => verdicts.get(result) ?? "late")
    }, Effect.orDie)

    const release = Effect.fn("DeliveryQueuePg.release")(function* (claims: ReadonlyArray<ClaimedDelivery>) {
      if (claims.length === 0) return
      const ordered = inOrder(claims, (claim) => claim)
      const giveBack = sql`
        WITH held AS (
          SELECT d.ctid AS place FROM unnest(
            ${ordered.map(({ businessId }) => businessId)}::bigint[],
            ${ordered.map(({ endpointId }) => endpointId)}::bigint[],
            ${ordered.map(({ deliveryId }) => deliveryId)}::bigint[],
            ${ordered.map(({ claimId }) => claimId)}::uuid[]
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
