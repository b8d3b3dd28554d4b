/** The status of records that expire by themselves. */
import type { SqlClient, Statement } from "effect/sql"

/**
 * The condition on the status of a record that counts as expired once `isDue` holds. It compares the column with the status,
 * so that PostgreSQL uses an index: it uses none for a comparison with a `CASE`.
 */
export const hasStatus = (
  sql: SqlClient.SqlClient,
  status: string,
  isDue: Statement.Fragment
): Statement.Fragment =>
  status === "expired"
    ? sql`(status = ${status} OR (${isDue}))`
    : sql`status = ${status} AND (${isDue}) IS NOT TRUE`
