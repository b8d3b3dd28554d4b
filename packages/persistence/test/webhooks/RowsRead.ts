import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How many rows of deliveries, or of another table, were read while this ran: `found` by an index, those that were then thrown away among
 * them, and `scanned` one after the other. As a difference: what a connection has not reported yet is counted too.
 */
export const rowsRead = Effect.fnUntraced(function* <A, E, R>(
  work: Effect.Effect<A, E, R>,
  table = "webhook_deliveries"
) {
  const sql = yield* SqlClient.SqlClient
  const counted = Effect.map(
    sql<{ found: number; scanned: number }>`
      SELECT idx_tup_fetch::int AS found, seq_tup_read::int AS scanned
      FROM pg_stat_xact_user_tables WHERE relname = ${table}`,
    ([row]) => row ?? { found: 0, scanned: 0 }
  )
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const before = yield* counted
      const answer = yield* work
      const after = yield* counted
      return { answer, found: after.found - before.found, scanned: after.scanned - before.scanned }
    })
  )
})
