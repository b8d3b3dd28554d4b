/**
 * The statement that takes due deliveries, all of it in one round trip:
 *
 *     lapsed ─ found ─┬─ revived ──────────────┐
 *                     └─ given up (6 attempts) │
 *     ahead ┐                                  ├─ claimed ─ answer
 *     behind┴─ lanes ─ taken ──────────────────┘
 *                        └─ given up (endpoint disabled)
 *     cut off ─ given up (endpoint disabled while it was claimed; lapsed since)
 *
 * (A claim of an endpoint that is disabled while it is under way is cut off by 'DeliveryRepository.cancel': its
 * delivery has failed already. It stands for what may still be told of it, and lapses a lease after that.)
 *
 * The answer has what was claimed, then each `endpoint` of it once, and then what happened beside the claims, if
 * anything did; the column `told` tells them apart.
 *
 * A lane is an endpoint with something due. Lanes are found by hopping over the index from one endpoint to the
 * next, each hop reading that endpoint's earliest delivery only: neither a backlog nor the number of idle
 * endpoints counts. The hops start behind the endpoint that was served last and end as soon as there are enough.
 *
 * Written so that the plan is good however young the statistics are, since a prepared statement keeps the plan of
 * an empty table for long: every look-up by key is a lateral with a limit, every write goes by the row's place, from a
 * list of places: as a join it could become one of all rows with all places. What is claimed is read in the order of
 * its index, with a limit that the planner does not know: only such a scan marks the entries of settled claims as dead.
 * A bitmap would read all of them again, each time, until the next vacuum.
 */
import { RetryPolicy } from "@livery/domain"
import type { SqlClient } from "effect/sql"
import type { LookRow } from "./LookRow.ts"

/** What the attempts and `last_error` say when a dispatcher never told how its attempt ended. */
const silence = "no result: the dispatcher stopped"

/** How PostgreSQL writes an instant as delivery records show it: in UTC, in whole seconds. */
export const recordedTime = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

/** The `last_error` of what an endpoint that was disabled or deleted did not get. */
export const endpointDisabled = "endpoint disabled"

/** By attempt, from the first: seconds until a claim lapses. */
const leases = Array.from({ length: RetryPolicy.maximumAttempts }, (_, index) =>
  RetryPolicy.recoveryAfter(index + 1)
)

/** More than is ever in flight. */
const unbounded = 1_000_000

/**
 * Claims up to `limit` deliveries, counting those in flight at most `perEndpoint` of one endpoint and `perBusiness`
 * of one business, whose endpoints share that evenly, beginning with the endpoints after number `after`. Claims made
 * at the same instant do not see each other's: between them they may exceed these bounds, at worst by as much again
 * for each further dispatcher, and never take one delivery twice.
 *
 * Beside them it tells of attempts that went silent, by what became of their delivery: `revived`, `given up`, or
 * `forsaken` where it had been cancelled before; and of deliveries that failed `unsent`.
 */
export const claimStatement = (
  sql: SqlClient.SqlClient,
  options: {
    readonly limit: number
    readonly perEndpoint: number
    readonly perBusiness?: number | undefined
    readonly after: number
    readonly claimId: string
  }
) => {
  const limit = sql`${options.limit}::int`
  const perEndpoint = sql`${options.perEndpoint}::int`
  const perBusiness = sql`${options.perBusiness ?? unbounded}::int`
  const after = sql`${options.after}::bigint`
  const claimId = sql`${options.claimId}::uuid`
  const lease = sql`${leases}::float8[]`
  const maximum = sql`${RetryPolicy.maximumAttempts}::int`
  const waiting = sql.literal("d.status = 'pending' AND d.claim_id IS NULL")
  const held = sql.literal("d.status = 'pending' AND d.claim_id IS NOT NULL")
  // Not a plain 'failed', for which the plan could choose the index of all that ever failed.
  const cutOff = sql.literal(
    "d.status = (SELECT 'failed') AND d.next_attempt_at IS NULL AND d.claim_id IS NOT NULL"
  )
  const now = sql.literal("(SELECT now FROM moment)")
  const inFlight = sql.literal("coalesce(((SELECT by_endpoint FROM busy) ->> l.endpoint_id::text)::int, 0)")
  const inFlightOfBusiness = sql.literal(
    "coalesce(((SELECT by_business FROM busy) ->> l.business_id::text)::int, 0)"
  )
  // Of a claim that lapsed nothing is known but when it was made, or else cut off, and by when its attempt was over.
  const withSilence = sql`CASE WHEN d.claim_id IS NULL THEN d.attempts ELSE d.attempts || jsonb_build_object(
          'attempt', d.attempt,
          'started_at', to_char(coalesce(d.next_attempt_at - make_interval(secs => (${lease})[d.attempt]), d.cancelled_at)
            AT TIME ZONE 'UTC', ${sql.literal(recordedTime)}),
          'duration_ms', least((${lease})[d.attempt] * 1000, 2147483647)::int, 'response_status', NULL, 'error', ${silence}::text
        ) END`
  const endpointOfLane = sql.literal(`
    SELECT e.status = 'enabled' AS enabled FROM webhook_endpoints e
    WHERE e.business_id = l.business_id AND e.endpoint_id = l.endpoint_id LIMIT 1`)
  const earliest = sql.literal(
    "SELECT d.business_id, d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d"
  )
  const inOrder = sql.literal("ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1")

  return sql<LookRow>`
    WITH RECURSIVE moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
    flying AS MATERIALIZED (
      SELECT d.business_id, d.endpoint_id, count(*) AS in_flight FROM (
        SELECT d.business_id, d.endpoint_id FROM webhook_deliveries d
        WHERE ${held} AND d.next_attempt_at > ${now} ORDER BY d.next_attempt_at LIMIT (SELECT ${unbounded}::int)
      ) d GROUP BY d.business_id, d.endpoint_id
    ),
    busy AS MATERIALIZED (
      SELECT (SELECT coalesce(jsonb_object_agg(endpoint_id, in_flight), '{}') FROM flying) AS by_endpoint,
        (SELECT coalesce(jsonb_object_agg(business_id, in_flight), '{}') FROM (
          SELECT business_id, sum(in_flight) AS in_flight FROM flying GROUP BY business_id
        ) f) AS by_business
    ),
    lapsed AS MATERIALIZED (
      SELECT d.ctid AS place, d.business_id, d.delivery_id, d.endpoint_id, d.attempt, d.next_attempt_at
      FROM webhook_deliveries d WHERE ${held} AND d.next_attempt_at <= ${now}
      ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
    ),
    cut_off AS MATERIALIZED (
      SELECT d.ctid AS place, d.delivery_id FROM webhook_deliveries d
      WHERE ${cutOff} AND d.cancelled_at <= ${now} - make_interval(secs => (${lease})[d.attempt])
      ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
    ),
    found AS MATERIALIZED (
      SELECT l.*, l.alive AND l.rank <= ${perEndpoint} AND l.rank_in_business <= ${perBusiness} AS again
      FROM (
        SELECT l.*, e.enabled AND l.attempt < ${maximum} AS alive,
          ${inFlight} + row_number() OVER (
            PARTITION BY l.endpoint_id, e.enabled AND l.attempt < ${maximum} ORDER BY l.next_attempt_at
          ) AS rank,
          ${inFlightOfBusiness} + row_number() OVER (
            PARTITION BY l.business_id, e.enabled AND l.attempt < ${maximum} ORDER BY l.next_attempt_at
          ) AS rank_in_business
        FROM lapsed l CROSS JOIN LATERAL (${endpointOfLane}) e
      ) l
    ),
    revived AS MATERIALIZED (SELECT * FROM found WHERE again),
    ahead AS (
      (${earliest} WHERE ${waiting} AND d.endpoint_id > ${after} ${inOrder})
      UNION ALL
      SELECT next.* FROM ahead l CROSS JOIN LATERAL (
        ${earliest} WHERE ${waiting} AND d.endpoint_id > l.endpoint_id ${inOrder}
      ) next
    ),
    behind AS (
      (${earliest} WHERE ${waiting} AND d.endpoint_id <= ${after} ${inOrder})
      UNION ALL
      SELECT next.* FROM behind l CROSS JOIN LATERAL (
        ${earliest} WHERE ${waiting} AND d.endpoint_id > l.endpoint_id AND d.endpoint_id <= ${after} ${inOrder}
      ) next
    ),
    lanes AS MATERIALIZED (
      SELECT lane.endpoint_id, lane.enabled, least(lane.free, lane.room / lane.sharers
        + (row_number() OVER (PARTITION BY lane.business_id, lane.enabled) <= lane.room % lane.sharers)::int) AS free
      FROM (
        SELECT lane.*, count(*) OVER (PARTITION BY lane.business_id, lane.enabled) AS sharers
        FROM (
          SELECT * FROM (
            SELECT l.business_id, l.endpoint_id, e.enabled, ${perEndpoint} - ${inFlight}
                - (SELECT count(*) FROM revived r WHERE r.endpoint_id = l.endpoint_id)::int AS free,
              ${perBusiness} - ${inFlightOfBusiness}
                - (SELECT count(*) FROM revived r WHERE r.business_id = l.business_id)::int AS room
            FROM (SELECT * FROM ahead UNION ALL SELECT * FROM behind) l CROSS JOIN LATERAL (${endpointOfLane}) e
            WHERE l.next_attempt_at <= ${now}
          ) lane
          WHERE lane.free > 0 AND lane.room > 0 OR NOT lane.enabled LIMIT ${limit}
        ) lane
      ) lane
    ),
    taken AS MATERIALIZED (
      SELECT due.place, l.enabled FROM lanes l CROSS JOIN LATERAL (
        SELECT d.ctid AS place FROM webhook_deliveries d
        WHERE ${waiting} AND d.endpoint_id = l.endpoint_id AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at
        LIMIT CASE WHEN l.enabled
          THEN least(l.free, ceil(${limit}::float8 / (SELECT count(*) FROM lanes))::int) ELSE ${limit} END
        FOR UPDATE SKIP LOCKED
      ) due
      LIMIT greatest(${limit} - (SELECT count(*) FROM revived), 0)
    ),
    given_up AS (
      UPDATE webhook_deliveries d
      SET status = 'failed', next_attempt_at = NULL, claim_id = NULL,
        last_error = CASE WHEN d.attempt < ${maximum} OR d.status = 'failed' THEN ${endpointDisabled} ELSE ${silence} END,
        response_status = CASE WHEN d.claim_id IS NULL THEN d.response_status END,
        attempts = ${withSilence}
      WHERE d.ctid = ANY (ARRAY(
        SELECT t.place FROM taken t WHERE NOT t.enabled UNION ALL SELECT f.place FROM found f WHERE NOT f.alive
        UNION ALL SELECT c.place FROM cut_off c
      ))
      RETURNING d.business_id, d.delivery_id, d.endpoint_id, d.event_id, d.attempt
    ),
    claimed AS (
      UPDATE webhook_deliveries d
      SET attempt = d.attempt + 1, claim_id = ${claimId},
        next_attempt_at = clock_timestamp() + make_interval(secs => (${lease})[d.attempt + 1]),
        last_error = CASE WHEN d.claim_id IS NULL THEN d.last_error ELSE ${silence} END,
        response_status = CASE WHEN d.claim_id IS NULL THEN d.response_status END,
        attempts = ${withSilence}
      WHERE d.ctid = ANY (ARRAY(
        SELECT t.place FROM taken t WHERE t.enabled UNION ALL SELECT r.place FROM revived r
      ))
      RETURNING d.business_id, d.delivery_id, d.endpoint_id, d.event_id, d.attempt,
        (date_part('epoch', clock_timestamp() - d.created_at) * 1000)::bigint AS age_ms
    )
    SELECT c.endpoint_id, c.delivery_id, c.event_id, c.attempt, c.age_ms, v.event_type, v.body,
      NULL::bigint AS business_id, NULL AS url, NULL AS sealed_secret, NULL::json AS retired_secrets, NULL AS told
    FROM claimed c CROSS JOIN LATERAL (
      SELECT v.event_type, v.body FROM events v
      WHERE v.business_id = c.business_id AND v.event_id = c.event_id LIMIT 1
    ) v
    UNION ALL
    SELECT c.endpoint_id, NULL, NULL, NULL, NULL, NULL, NULL, c.business_id, e.url, e.sealed_secret, e.retired_secrets, 'endpoint'
    FROM (SELECT DISTINCT business_id, endpoint_id FROM claimed) c CROSS JOIN LATERAL (
      SELECT e.url, e.sealed_secret, CASE WHEN e.retired_secrets = '[]' THEN '[]'::json ELSE (
        SELECT coalesce(json_agg(s.secret ->> 'sealed' ORDER BY s.place), '[]')
        FROM jsonb_array_elements(e.retired_secrets) WITH ORDINALITY AS s (secret, place)
        WHERE (s.secret ->> 'until')::timestamptz > clock_timestamp()
      ) END AS retired_secrets
      FROM webhook_endpoints e
      WHERE e.business_id = c.business_id AND e.endpoint_id = c.endpoint_id LIMIT 1
    ) e
    UNION ALL
    SELECT t.endpoint_id, t.delivery_id, t.event_id, t.attempt, NULL, NULL, NULL, t.business_id, NULL, NULL, NULL, t.told
    FROM (
      SELECT r.business_id, r.delivery_id, r.endpoint_id, c.event_id, r.attempt, 'revived' AS told
      FROM revived r
      CROSS JOIN LATERAL (SELECT c.event_id FROM claimed c WHERE c.delivery_id = r.delivery_id LIMIT 1) c
      UNION ALL
      SELECT g.*, CASE WHEN EXISTS (SELECT FROM found f WHERE f.delivery_id = g.delivery_id) THEN 'given up'
        WHEN EXISTS (SELECT FROM cut_off c WHERE c.delivery_id = g.delivery_id) THEN 'forsaken' ELSE 'unsent' END
      FROM given_up g
    ) t`
}
