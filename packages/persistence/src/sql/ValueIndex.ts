/** Lists of the records that have given values in their columns. */
import type { SqlClient, Statement } from "effect/sql"

/** The condition and the order of a list. */
interface Selection {
  readonly where: Statement.Fragment
  readonly order: Statement.Fragment
}

/**
 * The records that have each value that is given, by their id. They are read from the index on the first such column and
 * the id: its bounds are compared as rows, and the order begins with the column. With an equality, PostgreSQL could read
 * all records by their ids instead, if its statistics know few values of the column. List the column with the fewest
 * records for a value first.
 */
export const withValues = (
  sql: SqlClient.SqlClient,
  id: string,
  direction: "ASC" | "DESC",
  values: ReadonlyArray<readonly [column: string, value: unknown]>
): Selection => {
  const [first, ...others] = values.filter(([, value]) => value !== undefined && value !== null)
  const byId = sql.literal(`${id} ${direction}`)
  if (first === undefined) return { where: sql`true`, order: byId }
  const [column, value] = first
  const row = sql.literal(`(${column}, ${id})`)
  return {
    where: sql.and([
      sql`${row} >= (${value}, 0)`,
      sql`${row} <= (${value}, ${Number.MAX_SAFE_INTEGER}::bigint)`,
      ...others.map(([other, wanted]) => sql`${sql.literal(other)} = ${wanted}`)
    ]),
    order: sql`${sql.literal(`${column} ${direction}`)}, ${byId}`
  }
}
