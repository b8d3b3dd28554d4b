/** The status of records that expire by themselves. */
import type { SqlClient, Statement } from "effect/sql"

/**
 * The condition on the status of a record, in `column`, that counts as expired once `isDue` holds. It compares the column
 * with the status, so that PostgreSQL uses an index: it uses none for a comparison with a `CASE`. `literals` are those of
 * the record's machine: for a parameter, PostgreSQL would expect as many records of a rare status as of a common one.
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

/**
 * The parts of the statement that lists the rows of a table, as `alias`, that match the conditions and have one of these stored
 * statuses, or any status if there are none. Several statuses are branches in the order of the list, so that PostgreSQL
 * merges ranges of the index of the status. For one condition on all of them, it would read the list until a page is full,
 * or sort all rows that match.
 */
export const rowsInStatuses = (
  sql: SqlClient.SqlClient,
  {
    alias,
    conditions,
    order,
    statuses,
    table
  }: {
    readonly table: string
    readonly alias: string
    readonly conditions: ReadonlyArray<Statement.Fragment>
    readonly statuses: ReadonlyArray<string>
    readonly order: Statement.Fragment
  }
): { readonly from: Statement.Fragment; readonly where: ReadonlyArray<Statement.Fragment> } => {
  const rows = sql.literal(`${table} ${alias}`)
  const inStatus = (literal: string) => [...conditions, sql.literal(`${alias}.status = ${literal}`)]
  const [first, ...others] = statuses
  if (first === undefined) return { from: rows, where: conditions }
  if (others.length === 0) return { from: rows, where: inStatus(first) }
  const branch = (literal: string) =>
    sql`(SELECT * FROM ${rows} WHERE ${sql.and(inStatus(literal))} ORDER BY ${order})`
  const branches = others.reduce((all, literal) => sql`${all} UNION ALL ${branch(literal)}`, branch(first))
  return { from: sql`(${branches}) ${sql.literal(alias)}`, where: [] }
}
