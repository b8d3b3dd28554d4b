import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Runs an effect, and returns its result with the number of rows that it has read from tables. It runs in a transaction,
 * because a transaction can query its own reads before PostgreSQL adds them to the statistics.
 */
export const readsOf = Effect.fnUntraced(function* <A, E, R>(
  tables: ReadonlyArray<string>,
  work: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const count = Effect.map(
    sql<{ reads: number }>`
      SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS reads
      FROM pg_stat_xact_user_tables WHERE relname = ANY (${tables}::text[])`,
    ([row]) => row?.reads ?? 0
  )
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const before = yield* count
      const result = yield* work
      return { result, reads: (yield* count) - before }
    })
  )
})
