import { type Cause, type Context, Effect } from "effect"
import { SqlError } from "effect/sql"
import { Transaction } from "@livery/domain"
import { isConflict, maxRetries, pause, retriesExhausted } from "./Conflicts.ts"
import { isInTransaction } from "./InTransaction.ts"
import { onPostgres } from "../statements/OnPostgres.ts"

/** Whether the failure is a conflict with another transaction. Repositories turn failed statements into defects. */
const isConflicting = <E>({ reasons }: Cause.Cause<E>) =>
  reasons.some(
    (reason) =>
      (reason._tag === "Fail" && isConflict(reason.error)) ||
      (reason._tag === "Die" && isConflict(reason.defect))
  )

/** Transactions of PostgreSQL; nested ones are savepoints. */
export const layer = onPostgres(Transaction, (sql) => {
  const once = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.catchIf(
      sql.withTransaction(work),
      // No caller can handle an error of the database here, least of all one of the commit.
      (error: E | SqlError.SqlError): error is SqlError.SqlError => SqlError.isSqlError(error),
      Effect.die
    )

  /** Runs an attempt, which was retried `retry` times before. */
  const withRetries = <A, E, R>(attempt: Effect.Effect<A, E, R>, retry: number): Effect.Effect<A, E, R> =>
    attempt.pipe(
      Effect.catchCauseIf(isConflicting, () =>
        retry >= maxRetries
          ? Effect.die(retriesExhausted())
          : Effect.andThen(pause(retry), withRetries(attempt, retry + 1))
      )
    )

  const isNested = Effect.contextWith((context: Context.Context<never>) =>
    Effect.succeed(isInTransaction(sql, context))
  )

  return {
    run: (work, { isOneStatement = false, repeatable = true } = {}) =>
      Effect.flatMap(isNested, (nested) =>
        nested ? once(work) : withRetries(isOneStatement ? work : once(work), repeatable ? 0 : maxRetries)
      ),
    afterCommit: sql.afterCommit
  }
})
