import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The number of rows of a table, by default of deliveries, that an effect reads: `found` by an index, including those
 * that a filter removed, and `scanned` sequentially. It is a difference of statistics, so reads that a connection has
 * not reported yet are counted too.
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
