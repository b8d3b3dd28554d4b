/** The status of records that expire by themselves. */
import type { SqlClient, Statement } from "effect/sql"

/**
 * The condition on the status of a record, in `column`, that counts as expired once `isDue` holds. It compares the column with the status,
 * so that PostgreSQL uses an index: it uses none for a comparison with a `CASE`. `literals` are those of the record's machine: for a
 * parameter, PostgreSQL would expect as many records of a rare status as of a common one.
 */
export const hasStatus = <Status extends string>(
  sql: SqlClient.SqlClient,
  column: Statement.Fragment,
  literals: Readonly<Record<Status, string>>,
  status: Status,
  isDue: Statement.Fragment
): Statement.Fragment => {
  const isStored = sql`${column} = ${sql.literal(literals[status])}`
  return status === "expired"
    ? sql`(${isStored} OR (${isDue}))`
    : sql`(${isStored} AND (${isDue}) IS NOT TRUE)`
}
