import { Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Transaction } from "@livery/domain"

/** Transactions of PostgreSQL; nested ones are savepoints. */
export const layer = Layer.effect(
  Transaction,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return Transaction.of({
      run: <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        sql.withTransaction(work).pipe(
          // What the database refuses here, a commit above all, no caller can act on.
          Effect.catchIf(
            (error: E | SqlError.SqlError): error is SqlError.SqlError => SqlError.isSqlError(error),
            Effect.die
          )
        ),
      afterCommit: sql.afterCommit
    })
  })
)
