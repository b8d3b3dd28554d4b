/** Repeats reads that many requests wait for, so that the end of one connection does not fail all of them. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { maxRetries, pause } from "./Conflicts.ts"
import { isSessionLost } from "./PgErrors.ts"

/**
 * Runs a read again, on another session, if its connection broke or the server ended its session: up to three times,
 * after pauses of up to 20, 40 and 80 ms, since the other sessions may end at the same time. A new connection that
 * cannot be opened fails at once.
 *
 * Only a read that many requests share is repeated. Others fail, because an administrator who ends a statement does not
 * want it to start again.
 */
export const rereading = <A>(
  read: Effect.Effect<A, SqlError.SqlError>,
  retry = 0
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.catchIf(
    read,
    (error) => retry < maxRetries && isSessionLost(error),
    () => Effect.andThen(pause(retry), rereading(read, retry + 1))
  )
