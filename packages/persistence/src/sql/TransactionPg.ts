import { type Cause, Context, Duration, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Transaction, Unavailable } from "@livery/domain"
import { detached } from "./Detached.ts"

/** How often a transaction that another one stood in the way of is run again. */
const mostRepeats = 3

const isConflict = (error: unknown) =>
  SqlError.isSqlError(error) &&
  (error.reason._tag === "SerializationError" || error.reason._tag === "DeadlockError")

/** Whether another transaction stood in the way. Repositories turn what a statement fails with into defects. */
const isConflicting = <E>({ reasons }: Cause.Cause<E>) =>
  reasons.some(
    (reason) =>
      (reason._tag === "Fail" && isConflict(reason.error)) ||
      (reason._tag === "Die" && isConflict(reason.defect))
  )

/** A pause of the machine's own time, of up to 20, 40 and 80 ms: those that met must not meet again. */
const pause = (repeat: number) => detached(Effect.sleep(Duration.millis(Math.random() * 20 * 2 ** repeat)))

const stillInTheWay = () =>
  new Unavailable({ reason: "Other changes of the same records stood in the way", retryAfterSeconds: 1 })

/** Transactions of PostgreSQL; nested ones are savepoints. */
export const layer = Layer.effect(
  Transaction,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const once = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.catchIf(
        sql.withTransaction(work),
        // What the database refuses here, a commit above all, no caller can act on.
        (error: E | SqlError.SqlError): error is SqlError.SqlError => SqlError.isSqlError(error),
        Effect.die
      )

    /** Runs the work, which was repeated so often already. */
    const repeated = <A, E, R>(work: Effect.Effect<A, E, R>, repeat: number): Effect.Effect<A, E, R> =>
      once(work).pipe(
        Effect.catchCauseIf(isConflicting, () =>
          repeat >= mostRepeats
            ? Effect.die(stillInTheWay())
            : Effect.andThen(pause(repeat), repeated(work, repeat + 1))
        )
      )

    const isNested = Effect.contextWith((context: Context.Context<never>) =>
      Effect.succeed(Context.getOrUndefined(context, sql.transactionService) !== undefined)
    )

    return Transaction.of({
      run: (work, { repeatable = true } = {}) =>
        Effect.flatMap(isNested, (nested) =>
          nested ? once(work) : repeated(work, repeatable ? 0 : mostRepeats)
        ),
      afterCommit: sql.afterCommit
    })
  })
)
