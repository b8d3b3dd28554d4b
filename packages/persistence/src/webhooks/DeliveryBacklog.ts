/**
 * The statement that tells what waits: deliveries that are due, and those whose claim has lapsed, since nobody is at
 * work on them either.
 *
 * The index of what waits leads with the endpoint. So the oldest is found by hopping over it, from the earliest of one
 * endpoint to that of the next, and what is due is read lane by lane: what waits for a later time is passed over.
 */
import { backlogCountedAtMost } from "@livery/domain"
import type { SqlClient } from "effect/sql"

/** One row: how many are `due`, counted to the domain's bound, and for how many seconds the `oldest` has been. */
export const backlogStatement = (sql: SqlClient.SqlClient) => {
  const waiting = sql.literal("d.status = 'pending' AND d.claim_id IS NULL")
  const lapsed = sql.literal(
    "d.status = 'pending' AND d.claim_id IS NOT NULL AND d.next_attempt_at <= (SELECT now FROM moment)"
  )
  const earliest = sql.literal("SELECT d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d")
  const inOrder = sql.literal("ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1")
  const atMost = sql`(SELECT ${backlogCountedAtMost}::int)`
  return sql<{ due: number; oldest: number }>`
    WITH RECURSIVE moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
    lanes AS (
      (${earliest} WHERE ${waiting} ${inOrder})
      UNION ALL
      SELECT next.* FROM lanes l CROSS JOIN LATERAL (
        ${earliest} WHERE ${waiting} AND d.endpoint_id > l.endpoint_id ${inOrder}
      ) next
    ),
    overdue AS (SELECT * FROM lanes l WHERE l.next_attempt_at <= (SELECT now FROM moment))
    SELECT
      (SELECT count(*)::int FROM (
        (SELECT 1 FROM overdue l CROSS JOIN LATERAL (
          SELECT 1 FROM webhook_deliveries d
          WHERE ${waiting} AND d.endpoint_id = l.endpoint_id AND d.next_attempt_at <= (SELECT now FROM moment)
          ORDER BY d.next_attempt_at LIMIT ${atMost}
        ) due)
        UNION ALL
        (SELECT 1 FROM webhook_deliveries d WHERE ${lapsed} ORDER BY d.next_attempt_at LIMIT ${atMost})
        LIMIT ${atMost}
      ) due) AS due,
      coalesce(extract(epoch FROM (SELECT now FROM moment) - least(
        (SELECT min(l.next_attempt_at) FROM overdue l),
        (SELECT d.next_attempt_at FROM webhook_deliveries d WHERE ${lapsed} ORDER BY d.next_attempt_at LIMIT 1)
      )), 0)::float8 AS oldest`
}
