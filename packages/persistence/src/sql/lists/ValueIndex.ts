/** Lists of the records that have given values in their columns. */
import type { SqlClient, Statement } from "effect/sql"

/** The condition and the order of a list. */
interface Selection {
  readonly where: Statement.Fragment
  readonly order: Statement.Fragment
  /** Whether PostgreSQL has the same plan for any values. */
  readonly isPlannedOnce: boolean
}

/**
 * The records that have each value that is given, by their id. They are read from the index on the first such column and
 * the id: its bounds are compared as rows, and the order begins with the column. With an equality, PostgreSQL could read
 * all records by their ids instead, if its statistics know few values of the column. List the column with the fewest
 * records for a value first.
 *
 * A single value is a subquery, into which PostgreSQL does not look when it plans. So it has the same plan for any value, and
 * plans once per session. With two values, the better index depends on how common they are.
 */
export const withValues = (
  sql: SqlClient.SqlClient,
  id: string,
  direction: "ASC" | "DESC",
  values: ReadonlyArray<readonly [column: string, value: number | string | null | undefined]>
): Selection => {
  const [first, ...others] = values.filter(([, value]) => value !== undefined && value !== null)
  const byId = sql.literal(`${id} ${direction}`)
  const isPlannedOnce = others.length === 0
  if (first === undefined) return { where: sql`true`, order: byId, isPlannedOnce }
  const [column, given] = first
  const type = sql.literal(typeof given === "number" ? "bigint" : "text")
  const value = isPlannedOnce ? sql`(SELECT ${given}::${type})` : sql`${given}`
  const row = sql.literal(`(${column}, ${id})`)
  return {
    where: sql.and([
      sql`${row} >= (${value}, 0)`,
      sql`${row} <= (${value}, ${Number.MAX_SAFE_INTEGER}::bigint)`,
      ...others.map(([other, wanted]) => sql`${sql.literal(other)} = ${wanted}`)
    ]),
    order: sql`${sql.literal(`${column} ${direction}`)}, ${byId}`,
    isPlannedOnce
  }
}
