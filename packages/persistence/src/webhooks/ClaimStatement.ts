/**
 * The statement that claims due deliveries, in one round trip:
 *
 *     lapsed ─ ranked ─┬─ reclaimed ───────────────┐
 *                      └─ failed (six attempts)    │
 *     endpoints after  ┐                           ├─ claimed ─ rows
 *     endpoints before ┴─ due endpoints ─ selected ┘
 *                                  └─ failed (endpoint disabled)
 *     abandoned ─ failed (cancelled while it was claimed; the claim has lapsed since)
 *
 * An example, with `perEndpoint` 20, `limit` 12 and endpoint 3 served last. Endpoints 1, 5 and 9 have 4, 300,000 and 2
 * deliveries due; 19 of endpoint 5 are in flight, and the claim of one of endpoint 9 lapsed a second ago.
 *
 *     1. reclaimed      the lapsed one of 9                        1 of 12
 *     2. due endpoints  in turn after 3: 5 (1 free), 9, 1
 *     3. selected       up to 12/3 = 4 of each: 1 of 5, 2 of 9, 4 of 1
 *     4. claimed        8 rows get an attempt, the claim id and the time when this claim lapses
 *
 * The index of waiting deliveries leads with the endpoint. Due endpoints are found by jumping from one endpoint to the
 * next in it, each step reading only that endpoint's earliest delivery: neither a backlog nor the number of idle endpoints
 * costs anything. The steps start after the endpoint that was served last, and end when there are enough.
 *
 * The plan must be good whatever the statistics say, since a prepared statement may keep a plan made for an empty table:
 *
 * - Each look-up by key is a lateral with a limit.
 * - Each write goes by the rows' places (`ctid`), as a list: a join could become a scan of all rows.
 * - Claimed deliveries are read in the order of their index, with a limit that the planner does not know. Only such a scan
 *   marks the index entries of settled claims as dead; a bitmap scan would read all of them until the next vacuum.
 */
import { RetryPolicy } from "@livery/domain"
import type { SqlClient } from "effect/sql"
import type { ClaimRow } from "./ClaimRow.ts"

/** The error of an attempt that was never reported, in `attempts` and `last_error`. */
const unreportedError = "no result: the dispatcher stopped"

/** The format of an instant in a delivery record: UTC, whole seconds. */
export const recordedTime = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

/** The `last_error` of a delivery that was cancelled because its endpoint was disabled or deleted. */
export const endpointDisabled = "endpoint disabled"

/** Seconds until a claim lapses, by the number of its attempt, from the first. */
const leases = Array.from({ length: RetryPolicy.maximumAttempts }, (_, index) =>
  RetryPolicy.recoveryAfter(index + 1)
)

/** A limit above the number of deliveries in flight. */
const unbounded = 1_000_000

/**
 * Claims up to `limit` deliveries, with those in flight at most `perEndpoint` of one endpoint and `perBusiness` of one
 * business, whose endpoints share that evenly, starting with the endpoints after `after`. Claims made at the same instant
 * do not see each other: together they may exceed these bounds, at worst by as much again for each further dispatcher, and
 * never claim one delivery twice.
 *
 * Also returns the unreported attempts that it found, by the state of their delivery now: `reclaimed`, `failed`, or
 * `abandoned` if it had been cancelled before; and the deliveries that failed `unsent`.
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
  const isWaiting = sql.literal("d.status = 'pending' AND d.claim_id IS NULL")
  const isClaimed = sql.literal("d.status = 'pending' AND d.claim_id IS NOT NULL")
  // Not a plain 'failed', for which the plan could choose the index of all that ever failed.
  const isAbandoned = sql.literal(
    "d.status = (SELECT 'failed') AND d.next_attempt_at IS NULL AND d.claim_id IS NOT NULL"
  )
  const now = sql.literal("(SELECT now FROM clock)")
  const inFlight = sql.literal("coalesce(((SELECT by_endpoint FROM counts) ->> l.endpoint_id::text)::int, 0)")
  const inFlightOfBusiness = sql.literal(
    "coalesce(((SELECT by_business FROM counts) ->> l.business_id::text)::int, 0)"
  )
  // Of an attempt that was never reported, only the start of its claim (or its cancelling) and its lease are known.
  const attemptsWithUnreported = sql`CASE WHEN d.claim_id IS NULL THEN d.attempts ELSE d.attempts || jsonb_build_object(
          'attempt', d.attempt,
          'started_at', to_char(coalesce(d.next_attempt_at - make_interval(secs => (${lease})[d.attempt]), d.cancelled_at)
            AT TIME ZONE 'UTC', ${sql.literal(recordedTime)}),
          'duration_ms', least((${lease})[d.attempt] * 1000, 2147483647)::int, 'response_status', NULL, 'error', ${unreportedError}::text
        ) END`
  const endpointStatus = sql.literal(`
    SELECT e.status = 'enabled' AS enabled FROM webhook_endpoints e
    WHERE e.business_id = l.business_id AND e.endpoint_id = l.endpoint_id LIMIT 1`)
  const earliest = sql.literal(
    "SELECT d.business_id, d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d"
  )
  const inOrder = sql.literal("ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1")

  return sql<ClaimRow>`
    WITH RECURSIVE clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
    in_flight AS MATERIALIZED (
      SELECT d.business_id, d.endpoint_id, count(*) AS count FROM (
        SELECT d.business_id, d.endpoint_id FROM webhook_deliveries d
        WHERE ${isClaimed} AND d.next_attempt_at > ${now} ORDER BY d.next_attempt_at LIMIT (SELECT ${unbounded}::int)
      ) d GROUP BY d.business_id, d.endpoint_id
    ),
    counts AS MATERIALIZED (
      SELECT (SELECT coalesce(jsonb_object_agg(endpoint_id, count), '{}') FROM in_flight) AS by_endpoint,
        (SELECT coalesce(jsonb_object_agg(business_id, count), '{}') FROM (
          SELECT business_id, sum(count) AS count FROM in_flight GROUP BY business_id
        ) b) AS by_business
    ),
    lapsed AS MATERIALIZED (
      SELECT d.ctid AS place, d.business_id, d.delivery_id, d.endpoint_id, d.attempt, d.next_attempt_at
      FROM webhook_deliveries d WHERE ${isClaimed} AND d.next_attempt_at <= ${now}
      ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
    ),
    abandoned AS MATERIALIZED (
      SELECT d.ctid AS place, d.delivery_id FROM webhook_deliveries d
      WHERE ${isAbandoned} AND d.cancelled_at <= ${now} - make_interval(secs => (${lease})[d.attempt])
      ORDER BY d.next_attempt_at LIMIT (SELECT ${limit}) FOR UPDATE SKIP LOCKED
    ),
    ranked AS MATERIALIZED (
      SELECT l.*, l.alive AND l.rank <= ${perEndpoint} AND l.rank_in_business <= ${perBusiness} AS again
      FROM (
        SELECT l.*, e.enabled AND l.attempt < ${maximum} AS alive,
          ${inFlight} + row_number() OVER (
            PARTITION BY l.endpoint_id, e.enabled AND l.attempt < ${maximum} ORDER BY l.next_attempt_at
          ) AS rank,
          ${inFlightOfBusiness} + row_number() OVER (
            PARTITION BY l.business_id, e.enabled AND l.attempt < ${maximum} ORDER BY l.next_attempt_at
          ) AS rank_in_business
        FROM lapsed l CROSS JOIN LATERAL (${endpointStatus}) e
      ) l
    ),
    reclaimed AS MATERIALIZED (SELECT * FROM ranked WHERE again),
    endpoints_after AS (
      (${earliest} WHERE ${isWaiting} AND d.endpoint_id > ${after} ${inOrder})
      UNION ALL
      SELECT next.* FROM endpoints_after l CROSS JOIN LATERAL (
        ${earliest} WHERE ${isWaiting} AND d.endpoint_id > l.endpoint_id ${inOrder}
      ) next
    ),
    endpoints_before AS (
      (${earliest} WHERE ${isWaiting} AND d.endpoint_id <= ${after} ${inOrder})
      UNION ALL
      SELECT next.* FROM endpoints_before l CROSS JOIN LATERAL (
        ${earliest} WHERE ${isWaiting} AND d.endpoint_id > l.endpoint_id AND d.endpoint_id <= ${after} ${inOrder}
      ) next
    ),
    due_endpoints AS MATERIALIZED (
      SELECT e.endpoint_id, e.enabled, least(e.free, e.room / e.sharers
        + (row_number() OVER (PARTITION BY e.business_id, e.enabled) <= e.room % e.sharers)::int) AS free
      FROM (
        SELECT e.*, count(*) OVER (PARTITION BY e.business_id, e.enabled) AS sharers
        FROM (
          SELECT * FROM (
            SELECT l.business_id, l.endpoint_id, e.enabled, ${perEndpoint} - ${inFlight}
                - (SELECT count(*) FROM reclaimed r WHERE r.endpoint_id = l.endpoint_id)::int AS free,
              ${perBusiness} - ${inFlightOfBusiness}
                - (SELECT count(*) FROM reclaimed r WHERE r.business_id = l.business_id)::int AS room
            FROM (SELECT * FROM endpoints_after UNION ALL SELECT * FROM endpoints_before) l CROSS JOIN LATERAL (${endpointStatus}) e
            WHERE l.next_attempt_at <= ${now}
          ) e
          WHERE e.free > 0 AND e.room > 0 OR NOT e.enabled LIMIT ${limit}
        ) e
      ) e
    ),
    selected AS MATERIALIZED (
      SELECT due.place, l.enabled FROM due_endpoints l CROSS JOIN LATERAL (
        SELECT d.ctid AS place FROM webhook_deliveries d
        WHERE ${isWaiting} AND d.endpoint_id = l.endpoint_id AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at
        LIMIT CASE WHEN l.enabled
          THEN least(l.free, ceil(${limit}::float8 / (SELECT count(*) FROM due_endpoints))::int) ELSE ${limit} END
        FOR UPDATE SKIP LOCKED
      ) due
      LIMIT greatest(${limit} - (SELECT count(*) FROM reclaimed), 0)
    ),
    failed AS (
      UPDATE webhook_deliveries d
      SET status = 'failed', next_attempt_at = NULL, claim_id = NULL,
        last_error = CASE WHEN d.attempt < ${maximum} OR d.status = 'failed' THEN ${endpointDisabled} ELSE ${unreportedError} END,
        response_status = CASE WHEN d.claim_id IS NULL THEN d.response_status END,
        attempts = ${attemptsWithUnreported}
      WHERE d.ctid = ANY (ARRAY(
        SELECT t.place FROM selected t WHERE NOT t.enabled UNION ALL SELECT f.place FROM ranked f WHERE NOT f.alive
        UNION ALL SELECT c.place FROM abandoned c
      ))
      RETURNING d.business_id, d.delivery_id, d.endpoint_id, d.event_id, d.attempt
    ),
    claimed AS (
      UPDATE webhook_deliveries d
      SET attempt = d.attempt + 1, claim_id = ${claimId},
        next_attempt_at = clock_timestamp() + make_interval(secs => (${lease})[d.attempt + 1]),
        last_error = CASE WHEN d.claim_id IS NULL THEN d.last_error ELSE ${unreportedError} END,
        response_status = CASE WHEN d.claim_id IS NULL THEN d.response_status END,
        attempts = ${attemptsWithUnreported}
      WHERE d.ctid = ANY (ARRAY(
        SELECT t.place FROM selected t WHERE t.enabled UNION ALL SELECT r.place FROM reclaimed r
      ))
      RETURNING d.business_id, d.delivery_id, d.endpoint_id, d.event_id, d.attempt,
        (date_part('epoch', clock_timestamp() - d.created_at) * 1000)::bigint AS age_ms
    )
    SELECT c.endpoint_id, c.delivery_id, c.event_id, c.attempt, c.age_ms, v.event_type, v.body,
      NULL::bigint AS business_id, NULL AS url, NULL AS sealed_secret, NULL::json AS retired_secrets, NULL AS kind
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
    SELECT t.endpoint_id, t.delivery_id, t.event_id, t.attempt, NULL, NULL, NULL, t.business_id, NULL, NULL, NULL, t.kind
    FROM (
      SELECT r.business_id, r.delivery_id, r.endpoint_id, c.event_id, r.attempt, 'reclaimed' AS kind
      FROM reclaimed r
      CROSS JOIN LATERAL (SELECT c.event_id FROM claimed c WHERE c.delivery_id = r.delivery_id LIMIT 1) c
      UNION ALL
      SELECT g.*, CASE WHEN EXISTS (SELECT FROM ranked f WHERE f.delivery_id = g.delivery_id) THEN 'failed'
        WHEN EXISTS (SELECT FROM abandoned c WHERE c.delivery_id = g.delivery_id) THEN 'abandoned' ELSE 'unsent' END
      FROM failed g
    ) t`
}
