import { type Cause, Context, Duration, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Transaction, Unavailable } from "@livery/domain"
import { detached } from "./Detached.ts"

/** How often a transaction is retried after a conflict with another one. */
const maxRetries = 3

const isConflict = (error: unknown) =>
  SqlError.isSqlError(error) &&
  (error.reason._tag === "SerializationError" || error.reason._tag === "DeadlockError")

/** Whether the failure is a conflict with another transaction. Repositories turn failed statements into defects. */
const isConflicting = <E>({ reasons }: Cause.Cause<E>) =>
  reasons.some(
    (reason) =>
      (reason._tag === "Fail" && isConflict(reason.error)) ||
      (reason._tag === "Die" && isConflict(reason.defect))
  )

/**
 * A random pause of up to 20, 40 and 80 ms, by the machine's own clock, so that two transactions do not conflict again.
 */
const pause = (retry: number) => detached(Effect.sleep(Duration.millis(Math.random() * 20 * 2 ** retry)))

const retriesExhausted = () =>
  new Unavailable({
    reason: "Concurrent changes of the same records conflicted with this one; try again",
    retryAfterSeconds: 1
  })

/** Transactions of PostgreSQL; nested ones are savepoints. */
export const layer = Layer.effect(
  Transaction,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

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
      Effect.succeed(Context.getOrUndefined(context, sql.transactionService) !== undefined)
    )

    return Transaction.of({
      run: (work, { isOneStatement = false, repeatable = true } = {}) =>
        Effect.flatMap(isNested, (nested) =>
          nested ? once(work) : withRetries(isOneStatement ? work : once(work), repeatable ? 0 : maxRetries)
        ),
      afterCommit: sql.afterCommit
    })
  })
)
