/** Conflicts between transactions: a deadlock, or a serialization failure. PostgreSQL has rolled back the one that failed. */
import { Unavailable } from "@livery/domain"
import { Duration, Effect } from "effect"
import { SqlError } from "effect/sql"
import { detached } from "./Detached.ts"

/** How often a transaction, or a statement outside of one, is retried after a conflict. */
export const maxRetries = 3

/** Whether the error is a conflict with another transaction: SQLSTATE 40001 or 40P01. */
export const isConflict = (error: unknown): error is SqlError.SqlError =>
  SqlError.isSqlError(error) &&
  (error.reason._tag === "SerializationError" || error.reason._tag === "DeadlockError")

/**
 * A random pause of up to 20, 40 and 80 ms before the retries 0, 1 and 2, by the machine's own clock, so that two
 * transactions do not conflict again.
 */
export const pause = (retry: number): Effect.Effect<void> =>
  detached(Effect.suspend(() => Effect.sleep(Duration.millis(Math.random() * 20 * 2 ** retry))))

/** Runs work again, after a pause, if its error is `isRetryable`: up to three times. The last error is the result's. */
export const retried = <A>(
  work: Effect.Effect<A, SqlError.SqlError>,
  isRetryable: (error: SqlError.SqlError) => boolean
): Effect.Effect<A, SqlError.SqlError> => {
  const attempt = (retry: number): Effect.Effect<A, SqlError.SqlError> =>
    retry === maxRetries
      ? work
      : Effect.catchIf(work, isRetryable, () => Effect.andThen(pause(retry), attempt(retry + 1)))
  return attempt(0)
}

/** The fault of work that conflicts at every retry. */
export const retriesExhausted = () =>
  new Unavailable({
    reason: "Concurrent changes of the same records conflicted with this one; try again",
    retryAfterSeconds: 1
  })
