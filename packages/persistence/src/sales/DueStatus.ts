/** The status of records that expire by themselves. */
import type { SqlClient, Statement } from "effect/sql"

/**
 * The condition on the status of a record, in `column`, that counts as expired once `isDue` holds. It compares the column with the status,
 * so that PostgreSQL uses an index: it uses none for a comparison with a `CASE`.
 */
export const hasStatus = (
  sql: SqlClient.SqlClient,
  column: Statement.Fragment,
  status: string,
  isDue: Statement.Fragment
): Statement.Fragment =>
  status === "expired"
    ? sql`(${column} = ${status} OR (${isDue}))`
    : sql`(${column} = ${status} AND (${isDue}) IS NOT TRUE)`
