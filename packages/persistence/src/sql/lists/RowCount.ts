/** `LIMIT` and `OFFSET`. */
import type { SqlClient, Statement } from "effect/sql"
import { offsetOf, type PageRequest } from "@livery/domain"

/**
 * A number of rows for `LIMIT`, as a literal. For a parameter, PostgreSQL would plan for an unknown number of rows and
 * read more than needed.
 */
export const rowCount = (sql: SqlClient.SqlClient, rows: number): Statement.Fragment =>
  sql.literal(String(Math.trunc(rows)))

/**
 * A number of rows, as a literal bound for a part of a list of which a later page is taken, for a page that ends with row `end`:
 * the next power of two. PostgreSQL expects that an `OFFSET` with a parameter skips a tenth of the rows. Of a whole list that is so
 * many that it would make a plan for each request, in longer than it takes to read the page; of twice the rows that the page needs, it
 * is few. A session keeps one plan for all pages with the same bound. No more rows are read than those up to the end of the page.
 */
export const firstOfPages = (end: number): number => 2 ** Math.ceil(Math.log2(end))

/** The numbers of items that clients mostly request: the defaults, a round number and the most. */
const usualSizes: ReadonlySet<number> = new Set([20, 25, 50, 100])

/**
 * The rows of a page, with one row more, which shows whether others follow.
 *
 * With parameters, PostgreSQL mostly plans the statement for each request, because a plan for any values expects to return a tenth of
 * the rows. That often takes longer than to read the page. With literals (`isPlannedOnce`), a session keeps the plan. This suits
 * a statement that reads a page from an index in the order of the list. A statement that also counts the list has parameters:
 * a plan for any business may read the whole table for a small one.
 *
 * Unusual sizes are parameters, since a session would otherwise keep a hundred statements for a list.
 */
export const rowsOfPage = (
  sql: SqlClient.SqlClient,
  request: PageRequest,
  isPlannedOnce: boolean
): Statement.Fragment =>
  isPlannedOnce && request.page === 1 && usualSizes.has(request.perPage)
    ? sql`LIMIT ${rowCount(sql, request.perPage + 1)}`
    : sql`LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}`

/** The rows of a list up to the end of a page, with one row more, as {@link rowsOfPage}. */
export const rowsThroughPage = (
  sql: SqlClient.SqlClient,
  request: PageRequest,
  isPlannedOnce: boolean
): Statement.Fragment =>
  rowsOfPage(sql, { page: 1, perPage: offsetOf(request) + request.perPage }, isPlannedOnce)
