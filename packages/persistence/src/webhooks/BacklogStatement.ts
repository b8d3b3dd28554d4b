/**
 * The statement that counts due deliveries, including those whose claim has expired.
 *
 * The index of waiting deliveries leads with the endpoint. So the statement reads the earliest delivery of each
 * endpoint from it, as the claim does (`DueEndpoints.ts`). The earliest of these is the oldest. Deliveries are counted
 * only for endpoints that have due ones.
 */
import { maxCountedBacklog } from "@livery/domain"
import type { SqlClient } from "effect/sql"
import { isClaimed, isWaiting } from "./StatusConditions.ts"

/**
 * Returns one row: the number of `due` deliveries, up to the domain's limit, and for how many seconds the `oldest` has
 * been due.
 */
export const backlogStatement = (sql: SqlClient.SqlClient) => {
  const waiting = sql.literal(isWaiting)
  const isExpired = sql.literal(`${isClaimed} AND d.next_attempt_at <= (SELECT now FROM clock)`)
  const earliest = sql.literal("SELECT d.endpoint_id, d.next_attempt_at FROM webhook_deliveries d")
  const inOrder = sql.literal("ORDER BY d.endpoint_id, d.next_attempt_at LIMIT 1")
  const atMost = sql`(SELECT ${maxCountedBacklog}::int)`
  return sql<{ due: number; oldest: number }>`
    WITH RECURSIVE clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
    endpoints AS (
      (${earliest} WHERE ${waiting} ${inOrder})
      UNION ALL
      SELECT next.* FROM endpoints previous CROSS JOIN LATERAL (
        ${earliest} WHERE ${waiting} AND d.endpoint_id > previous.endpoint_id ${inOrder}
      ) next
    ),
    due_endpoints AS (SELECT * FROM endpoints e WHERE e.next_attempt_at <= (SELECT now FROM clock))
    SELECT
      (SELECT count(*)::int FROM (
        (SELECT 1 FROM due_endpoints e CROSS JOIN LATERAL (
          SELECT 1 FROM webhook_deliveries d
          WHERE ${waiting} AND d.endpoint_id = e.endpoint_id AND d.next_attempt_at <= (SELECT now FROM clock)
          ORDER BY d.next_attempt_at LIMIT ${atMost}
        ) due)
        UNION ALL
        (SELECT 1 FROM webhook_deliveries d WHERE ${isExpired} ORDER BY d.next_attempt_at LIMIT ${atMost})
        LIMIT ${atMost}
      ) due) AS due,
      coalesce(extract(epoch FROM (SELECT now FROM clock) - least(
        (SELECT min(e.next_attempt_at) FROM due_endpoints e),
        (SELECT d.next_attempt_at FROM webhook_deliveries d WHERE ${isExpired} ORDER BY d.next_attempt_at LIMIT 1)
      )), 0)::float8 AS oldest`
}
