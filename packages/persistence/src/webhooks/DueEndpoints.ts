/**
 * The part of the claim statement that finds the endpoints with due deliveries, and how many deliveries each of them
 * may get: its *quota*.
 *
 * The index of waiting deliveries leads with the endpoint. The statement steps through it from one endpoint to the next
 * and reads only the earliest delivery of each, so its cost does not depend on the backlog or on the number of idle
 * endpoints. The steps start after the endpoint that was served last, and stop when enough were found.
 *
 * The *room* of an endpoint, a business or a host is its limit without what is in flight. The quota of an endpoint is
 * the least of three numbers: its own room, its even share of the room of its business, and its even share of the room
 * of its host. An example: three endpoints with a room of 20 each, whose business has a room of 7, get 3, 2 and 2. If
 * the business or the host has reached the limit of hanging attempts, the endpoint's own limit is the small number that
 * is reserved for each endpoint.
 */
import { type ClaimBounds, hangsAfterSeconds, reservedPerEndpoint, RetryPolicy } from "@livery/domain"
import type { SqlClient } from "effect/sql"
import { isClaimed, isEnabled, isWaiting } from "./StatusConditions.ts"

/** The lease of a claim in seconds, by the number of its attempt, from the first. */
export const leases = Array.from({ length: RetryPolicy.maxAttempts }, (_, index) =>
  RetryPolicy.leaseSecondsOf(index + 1)
)

/**
 * A limit above the number of deliveries ever in flight. Statements write it as `LIMIT (SELECT …)`, whose value the
 * planner does not know, so that the statement reads in the order of an index instead of sorting the whole table.
 */
export const plannerOpaqueLimit = 1_000_000

/** The limit of a business or of a host that has none: more than the deliveries ever in flight. */
const noLimit = plannerOpaqueLimit

/** Looks up the endpoint of a row by its key. */
export const endpointOf = (row: string) => `
    SELECT ${isEnabled} AS enabled, e.host FROM webhook_endpoints e
    WHERE e.business_id = ${row}.business_id AND e.endpoint_id = ${row}.endpoint_id LIMIT 1`

/**
 * Common table expressions. They require `clock (now)`. The claim statement reads two of them: `candidates`, all endpoints
 * with due deliveries, and `due_endpoints (endpoint_id, enabled, quota)`, those with a quota, in round-robin order after
 * `after`.
 */
export const dueEndpoints = (sql: SqlClient.SqlClient, options: ClaimBounds & { readonly after: number }) => {
  const limit = sql`${options.limit}::int`
  const limits = sql`${JSON.stringify(Object.fromEntries(options.limits ?? []))}::jsonb`
  const perBusiness = sql`${options.perBusiness ?? noLimit}::int`
  const perHost = sql`${options.perHost ?? noLimit}::int`
  const after = sql`${options.after}::bigint`
  const lease = sql`${leases}::float8[]`
  const waiting = sql.literal(isWaiting)
  const now = sql.literal("(SELECT now FROM clock)")
  const countOf = (counts: string, key: string) =>
    sql.literal(`coalesce(((SELECT ${counts} FROM counts) ->> ${key})::int, 0)`)
  const earliest = sql.literal(
    "SELECT d.business_id, d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d"
  )
  const inOrder = sql.literal("ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1")
  return sql`
    in_flight AS MATERIALIZED (
      SELECT d.business_id, d.endpoint_id, count(*) FILTER (WHERE NOT d.hangs) AS recent, count(*) FILTER (WHERE d.hangs) AS hanging
      FROM (
        SELECT d.business_id, d.endpoint_id, d.next_attempt_at
          <= ${now} + make_interval(secs => (${lease})[d.attempt] - ${hangsAfterSeconds}::float8) AS hangs
        FROM webhook_deliveries d
        WHERE ${sql.literal(isClaimed)} AND d.next_attempt_at > ${now} ORDER BY d.next_attempt_at LIMIT (SELECT ${plannerOpaqueLimit}::int)
      ) d GROUP BY d.business_id, d.endpoint_id
    ),
    counts AS MATERIALIZED (
      SELECT e.in_flight_of_endpoint, b.recent_of_business, b.hanging_of_business, h.recent_of_host, h.hanging_of_host
      FROM (SELECT jsonb_object_agg(endpoint_id, recent + hanging) AS in_flight_of_endpoint FROM in_flight) e,
        (SELECT jsonb_object_agg(business_id, recent) AS recent_of_business, jsonb_object_agg(business_id, hanging) AS hanging_of_business
          FROM (SELECT business_id, sum(recent) AS recent, sum(hanging) AS hanging FROM in_flight GROUP BY business_id) f) b,
        (SELECT jsonb_object_agg(host, recent) AS recent_of_host, jsonb_object_agg(host, hanging) AS hanging_of_host
          FROM (SELECT e.host, sum(f.recent) AS recent, sum(f.hanging) AS hanging
            FROM in_flight f CROSS JOIN LATERAL (${sql.literal(endpointOf("f"))}) e GROUP BY e.host) f) h
    ),
    endpoints_after AS (
      (${earliest} WHERE ${waiting} AND d.endpoint_id > ${after} ${inOrder})
      UNION ALL
      SELECT next.* FROM endpoints_after previous CROSS JOIN LATERAL (
        ${earliest} WHERE ${waiting} AND d.endpoint_id > previous.endpoint_id ${inOrder}
      ) next
    ),
    endpoints_before AS (
      (${earliest} WHERE ${waiting} AND d.endpoint_id <= ${after} ${inOrder})
      UNION ALL
      SELECT next.* FROM endpoints_before previous CROSS JOIN LATERAL (
        ${earliest} WHERE ${waiting} AND d.endpoint_id > previous.endpoint_id AND d.endpoint_id <= ${after} ${inOrder}
      ) next
    ),
    candidates AS (
      SELECT due.business_id, due.endpoint_id, e.enabled, e.host,
        least(
          coalesce((${limits} ->> due.endpoint_id::text)::int, ${options.perEndpoint}::int),
          CASE WHEN ${countOf("hanging_of_business", "due.business_id::text")} >= ${perBusiness}
            OR ${countOf("hanging_of_host", "e.host")} >= ${perHost} THEN ${reservedPerEndpoint}::int END
        ) - ${countOf("in_flight_of_endpoint", "due.endpoint_id::text")} AS endpoint_room,
        ${perBusiness} - ${countOf("recent_of_business", "due.business_id::text")} AS business_room,
        ${perHost} - ${countOf("recent_of_host", "e.host")} AS host_room
      FROM (SELECT * FROM endpoints_after UNION ALL SELECT * FROM endpoints_before) due
      CROSS JOIN LATERAL (${sql.literal(endpointOf("due"))}) e
      WHERE due.next_attempt_at <= ${now}
    ),
    due_endpoints AS MATERIALIZED (
      SELECT e.endpoint_id, e.enabled, least(
          e.endpoint_room,
          e.business_room / e.count_of_business + (e.nth_of_business <= e.business_room % e.count_of_business)::int,
          e.host_room / e.count_of_host + (e.nth_of_host <= e.host_room % e.count_of_host)::int
        ) AS quota
      FROM (
        SELECT e.*, count(*) OVER business AS count_of_business, count(*) OVER host AS count_of_host,
          row_number() OVER (business ORDER BY e.nth) AS nth_of_business, row_number() OVER (host ORDER BY e.nth) AS nth_of_host
        FROM (
          SELECT e.*, row_number() OVER () AS nth FROM (
            SELECT * FROM candidates e WHERE e.endpoint_room > 0 AND e.business_room > 0 AND e.host_room > 0 OR NOT e.enabled LIMIT ${limit}
          ) e
        ) e
        WINDOW business AS (PARTITION BY e.business_id, e.enabled), host AS (PARTITION BY e.host, e.enabled)
      ) e ORDER BY e.nth
    )`
}
