import type { SqlClient, Statement } from "effect/sql"

/**
 * A number of rows for `LIMIT`, as a literal. For a parameter, PostgreSQL would plan for an unknown number of rows and
 * read more than needed.
 */
export const rowCount = (sql: SqlClient.SqlClient, rows: number): Statement.Fragment =>
  sql.literal(String(Math.trunc(rows)))
