/** Repeats reads that many requests wait for, so that the end of one connection does not fail all of them. */
import { type Context, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { retried } from "../transactions/Conflicts.ts"
import { isInTransaction } from "../transactions/InTransaction.ts"
import { isSessionLost } from "../statements/PgErrors.ts"

/**
 * Runs a read again, on another session, if its connection broke or the server ended its session: up to three times,
 * after pauses of up to 20, 40 and 80 ms, since the other sessions may end at the same time.
 *
 * It fails at once if no new connection can be opened, if a time limit or a conflict ended the read, and in a
 * transaction, which ends with its session. After a loss behind a pooler that reports it as 08P01 it fails too, because
 * poolers report their own time limits by the same code.
 *
 * Only a read that many requests share is repeated. Others fail, because an administrator who ends a statement does not
 * want it to start again.
 */
export const rereading = <A>(
  sql: SqlClient.SqlClient,
  read: Effect.Effect<A, SqlError.SqlError>
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.contextWith((context: Context.Context<never>) =>
    isInTransaction(sql, context) ? read : retried(read, isSessionLost)
  )
