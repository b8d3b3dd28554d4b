/** `LIMIT` and `OFFSET`. */
import type { SqlClient, Statement } from "effect/sql"
import { offsetOf, type PageRequest } from "@livery/domain"

/**
 * A number of rows for `LIMIT`, as a literal. For a parameter, PostgreSQL would plan for an unknown number of rows and
 * read more than needed.
 */
export const literalCount = (sql: SqlClient.SqlClient, rows: number): Statement.Fragment =>
  sql.literal(String(Math.trunc(rows)))

/** The numbers of items that clients mostly request: the defaults, a round number and the most. */
const usualSizes: ReadonlySet<number> = new Set([20, 25, 50, 100])

/**
 * The rows of a page, with one row more, which shows whether others follow.
 *
 * With parameters, PostgreSQL mostly plans the statement for each request, because a plan for any values expects to return
 * a tenth of the rows. That often takes longer than to read the page. With literals (`isPlannedOnce`), a session keeps the
 * plan. This suits a statement that reads a page from an index in the order of the list. A statement that also counts the
 * list has parameters: a plan for any business may read the whole table for a small one.
 *
 * Unusual sizes are parameters, since a session would otherwise keep a hundred statements for a list.
 */
export const rowsOfPage = (
  sql: SqlClient.SqlClient,
  request: PageRequest,
  isPlannedOnce: boolean
): Statement.Fragment =>
  isPlannedOnce && request.page === 1 && usualSizes.has(request.perPage)
    ? sql`LIMIT ${literalCount(sql, request.perPage + 1)}`
    : sql`LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}`
