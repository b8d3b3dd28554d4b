/** Reads a page of a list in one statement: the rows of the page, and the total unless it exceeds `maxCount`. */
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { maxCount, type Page, type PageRequest } from "@livery/domain"
import { rowsDecoder } from "../rows/RowDecoder.ts"
import { rowsOfPage } from "./PageLimits.ts"
import { rowsAs } from "../rows/Rows.ts"

type Rows = Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>

/**
 * Makes a page from rows. A statement reads one row more than the page holds; the extra row shows that more follow,
 * also if the total is not known.
 */
export const pageOf = <A>(
  { perPage }: PageRequest,
  rows: ReadonlyArray<A>,
  total: number | undefined
): Page<A> => ({
  items: rows.slice(0, perPage),
  total: total === undefined || total > maxCount ? undefined : total,
  hasMore: rows.length > perPage
})

const totalsOf = rowsAs(Schema.Struct({ total: Schema.Int }))

/**
 * Reads pages of rows of a shape. The statement `rows` returns a column `total` beside the columns of the shape. A page
 * after the last has no row with that column, so `counted` reads the total then.
 */
export const statementPagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = rowsDecoder(row)
  return Effect.fnUntraced(function* (
    request: PageRequest,
    { counted, rows }: { readonly rows: Rows; readonly counted: Rows }
  ): Effect.fn.Return<Page<A>> {
    const pageRows = yield* Effect.orDie(rows)
    const isTotalKnown = pageRows.length > 0 || request.page === 1
    const [counts] = yield* totalsOf(isTotalKnown ? Effect.succeed(pageRows.slice(0, 1)) : counted)
    return pageOf(request, decode(pageRows), counts?.total ?? 0)
  })
}

/** The statement that counts the rows of a list, up to one more than the largest total. */
export const countOf = (sql: SqlClient.SqlClient, rows: Statement.Fragment) =>
  sql`SELECT count(*) AS total FROM (SELECT FROM ${rows} LIMIT ${maxCount + 1}) c`

/** The parts of the statement that lists rows. */
interface Listing {
  readonly columns: Statement.Fragment
  readonly from: Statement.Fragment
  /** The part of `from` that has as many rows, if the rest adds columns only. */
  readonly countedFrom?: Statement.Fragment
  readonly where: Statement.Fragment
  readonly order: Statement.Fragment
  /** Whether one plan suits any values (`rowsOfPage`). */
  readonly isPlannedOnce?: boolean
}

/** Reads pages of rows of a shape from a table. */
export const pagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const read = statementPagesOf(row)
  return (
    sql: SqlClient.SqlClient,
    request: PageRequest,
    { columns, from, countedFrom = from, isPlannedOnce = false, order, where }: Listing
  ): Effect.Effect<Page<A>> => {
    const counted = countOf(sql, sql`${countedFrom} WHERE ${where}`)
    const rows = sql`
      SELECT ${columns}, (${counted}) AS total FROM ${from} WHERE ${where}
      ORDER BY ${order} ${rowsOfPage(sql, request, isPlannedOnce)}`
    return read(request, { rows, counted })
  }
}
