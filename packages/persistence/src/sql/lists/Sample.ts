/** Estimates from a sample of a table whether a search finds few of its rows or many. */
import type { SqlClient, Statement } from "effect/sql"

/** The rows from which a sample is drawn. */
export interface Sampled {
  readonly table: Statement.Fragment
  /** The name of the table's rows in a search. */
  readonly alias: Statement.Fragment
  /** The numeric id of a row. An index needs to have it, after the columns of `where`. */
  readonly id: Statement.Fragment
  /** Which rows of the table count, by equality of columns; all of them by default. */
  readonly where?: Statement.Fragment
}

/**
 * The SQL condition that a search (`matches`, on a row) is rare: it finds at most one row of a sample, which is a query
 * ({@link sampleOf}) or the name of one.
 */
export const isRareIn = (
  sql: SqlClient.SqlClient,
  sample: Statement.Fragment,
  alias: Statement.Fragment,
  matches: Statement.Fragment
): Statement.Fragment => sql`(SELECT count(*) <= 1 FROM ${sample} ${alias} WHERE ${matches})`

/** Fifty rows: five each of ten places in the order of their ids. */
export const sampleOf = (
  sql: SqlClient.SqlClient,
  { id, table, where = sql`true` }: Omit<Sampled, "alias">
): Statement.Fragment => sql`(
  SELECT s.* FROM (
    SELECT min(${id}) AS least, max(${id}) AS most FROM ${table} WHERE ${where}) ids
  CROSS JOIN generate_series(1, 10) place
  CROSS JOIN LATERAL (
    SELECT * FROM ${table} WHERE ${where} AND ${id} >= least + (most - least) * place / 11 ORDER BY ${id} LIMIT 5) s)`

/** The SQL condition that a search (`matches`, on a row) is rare by a sample. */
export const isRare = (
  sql: SqlClient.SqlClient,
  sampled: Sampled,
  matches: Statement.Fragment
): Statement.Fragment => isRareIn(sql, sampleOf(sql, sampled), sampled.alias, matches)
