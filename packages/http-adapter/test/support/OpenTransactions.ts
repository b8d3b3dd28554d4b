/** Detects calls of outside services while a transaction is open. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Makes `watched`, which records in `open` the number of open transactions before each call of a function. */
export const watchTransactions = Effect.gen(function* () {
  // In another fiber than the request, so that the statement does not belong to the request's transaction.
  const run = Effect.runPromiseWith(yield* Effect.context<SqlClient.SqlClient>())
  const open: Array<number> = []
  // A transaction in which no statement runs, as during a call. Single statements of background work are none.
  const watch = Effect.promise(() =>
    run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ open: number }>`
          SELECT count(*)::int AS open FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`
      )
    )
  ).pipe(Effect.map(([row]) => void open.push(row?.open ?? -1)))
  const watched =
    <Args extends ReadonlyArray<unknown>, A, E>(call: (...args: Args) => Effect.Effect<A, E>) =>
    (...args: Args) =>
      Effect.andThen(watch, call(...args))
  return { open, watched }
})
