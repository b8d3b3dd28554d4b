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
 * The SQL condition that a search (`matches`, on a row) is rare: at most one of fifty rows matches, five each of ten places in
 * the order of their ids.
 */
export const isRare = (
  sql: SqlClient.SqlClient,
  { alias, id, table, where = sql`true` }: Sampled,
  matches: Statement.Fragment
): Statement.Fragment => sql`(
  SELECT count(*) <= 1 FROM (
    SELECT min(${id}) AS least, max(${id}) AS most FROM ${table} WHERE ${where}) ids
  CROSS JOIN generate_series(1, 10) place
  CROSS JOIN LATERAL (
    SELECT * FROM ${table} WHERE ${where} AND ${id} >= least + (most - least) * place / 11 ORDER BY ${id} LIMIT 5) ${alias}
  WHERE ${matches})`
