/**
 * Finds the outcome of a COMMIT whose answer was lost.
 *
 * Any connection can query the outcome by the transaction's id (`pg_xact_status`). The id must be known before the
 * COMMIT. So the statements that most transactions write with return it beside their own columns, as a mark, which
 * costs no round trip. A transaction that wrote without one queries the mark before its COMMIT.
 *
 * A mark also identifies the server by its start time. After a fail-over the id may belong to another transaction, and
 * the outcome is then unknown.
 */
import { PgConnection } from "@effect/sql-pg"
import { Effect, Schedule } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { columnsOf, markColumn } from "../rows/ColumnTypes.ts"
import { toSqlError } from "../statements/PgErrors.ts"

const server = "extract(epoch FROM pg_postmaster_start_time())::text"

/**
 * The column in which a writing statement returns its transaction's mark. It stays in the rows; their decoders leave it
 * out.
 */
export const transactionMark = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`pg_current_xact_id()::text || '/' || ${server} AS ${markColumn}`)

/** Queries the mark alone; NULL if the transaction has written nothing. */
export const askForMark = `SELECT pg_current_xact_id_if_assigned()::text || '/' || ${server} AS ${markColumn}`

/** The mark in a result, if it has one. */
export const markOf = ({ fields, rows }: PgConnection.Result): string | undefined => {
  if (!columnsOf(fields).hasMark) return undefined
  const mark = rows[0]?.[markColumn]
  return typeof mark === "string" ? mark : undefined
}

/** The outcome of a transaction. */
export type Outcome = "committed" | "rolled back" | "unknown"

const statusOf = `SELECT CASE WHEN ${server} = $2 THEN pg_xact_status($1::xid8) END AS status`

const ask = Effect.fnUntraced(
  function* (address: Effect.Effect<PgConnection.Config, SqlError.SqlError>, mark: string) {
    const connection = yield* PgConnection.make(yield* address)
    const { rows } = yield* connection.query(statusOf, mark.split("/"), false)
    return rows[0]?.["status"]
  },
  Effect.scoped,
  Effect.mapError((error) => toSqlError(error, "commit"))
)

/**
 * Queries the outcome on a new connection to `address`. It retries for `limit` milliseconds while the transaction is still
 * running or no server responds.
 */
export const outcomeOf = (
  address: Effect.Effect<PgConnection.Config, SqlError.SqlError>,
  mark: string,
  limit: number
): Effect.Effect<Outcome> =>
  ask(address, mark).pipe(
    Effect.repeat({ schedule: Schedule.spaced("50 millis"), until: (status) => status !== "in progress" }),
    Effect.retry({
      schedule: Schedule.spaced("100 millis"),
      while: ({ reason }) => reason._tag === "ConnectionError"
    }),
    Effect.map((status): Outcome => {
      if (status === "committed") return "committed"
      return status === "aborted" ? "rolled back" : "unknown"
    }),
    Effect.timeout(limit),
    Effect.orElseSucceed((): Outcome => "unknown")
  )
