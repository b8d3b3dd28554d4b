/** Reads a page of a list in one statement: the rows of the page, and the total if it is counted. */
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { makeUncountedLists, maxCount, type Page, type PageRequest } from "@livery/domain"
import { rowsDecoder } from "../rows/RowDecoder.ts"
import { rowsOfPage } from "./PageLimits.ts"
import { rowsAs } from "../rows/Rows.ts"

type Rows = Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>

/**
 * Makes a page from rows. A statement reads one row more than the page holds; the extra row shows that more follow,
 * also if the total is not counted.
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
export const countedPagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = rowsDecoder(row)
  return Effect.fnUntraced(function* (
    request: PageRequest,
    rows: Rows,
    counted: Rows
  ): Effect.fn.Return<Page<A>> {
    const pageRows = yield* Effect.orDie(rows)
    const isTotalKnown = pageRows.length > 0 || request.page === 1
    const [counts] = yield* totalsOf(isTotalKnown ? Effect.succeed(pageRows.slice(0, 1)) : counted)
    return pageOf(request, decode(pageRows), counts?.total ?? 0)
  })
}

/** The lists that were too long to be counted, for each client, because each has a database of its own. */
export const uncountedListsOf = () => {
  const lists = new WeakMap<SqlClient.SqlClient, ReturnType<typeof makeUncountedLists>>()
  return (sql: SqlClient.SqlClient) => {
    const listsOfClient = lists.get(sql) ?? makeUncountedLists()
    lists.set(sql, listsOfClient)
    return listsOfClient
  }
}

/** The statements of a list. */
interface CountedList {
  /** Identifies the list; by default the statement that counts it. Needed if that statement contains the present time. */
  readonly key?: string | undefined
  /** The statement of a page, with the column `total` if the list is counted. */
  readonly rows: (isCounted: boolean) => Rows
  readonly counted: Statement.Statement<object>
}

/**
 * Reads pages of rows of a shape by statements. A list that was too long to be counted is not counted again for a while
 * (`UncountedLists`).
 */
export const statementPagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const read = countedPagesOf(row)
  const decode = rowsDecoder(row)
  const listsOf = uncountedListsOf()
  return (
    sql: SqlClient.SqlClient,
    request: PageRequest,
    { counted, key = JSON.stringify(counted.compile()), rows }: CountedList
  ): Effect.Effect<Page<A>> =>
    listsOf(sql)(key, (isCounted) =>
      isCounted
        ? read(request, rows(true), counted)
        : Effect.map(Effect.orDie(rows(false)), (pageRows) => pageOf(request, decode(pageRows), undefined))
    )
}

/** The parts of the statement that lists rows. */
interface Listing {
  /** As in {@link CountedList}. */
  readonly key?: string
  readonly columns: Statement.Fragment
  readonly from: Statement.Fragment
  /** The part of `from` that has as many rows, if the rest adds columns only. */
  readonly countedFrom?: Statement.Fragment
  readonly where: Statement.Fragment
  readonly order: Statement.Fragment
  /** Whether one plan suits any values, also if the list is counted (`rowsOfPage`). */
  readonly isPlannedOnce?: boolean
}

/** Reads pages of rows of a shape from a table, counted as by {@link statementPagesOf}. */
export const pagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const read = statementPagesOf(row)
  return (
    sql: SqlClient.SqlClient,
    request: PageRequest,
    { columns, from, countedFrom = from, isPlannedOnce = false, key, order, where }: Listing
  ): Effect.Effect<Page<A>> => {
    const counted = sql`SELECT count(*) AS total FROM (SELECT FROM ${countedFrom} WHERE ${where} LIMIT ${maxCount + 1}) c`
    return read(sql, request, {
      key,
      rows: (isCounted) => sql`
        SELECT ${columns}${isCounted ? sql`, (${counted}) AS total` : sql``} FROM ${from} WHERE ${where}
        ORDER BY ${order} ${rowsOfPage(sql, request, isPlannedOnce || !isCounted)}`,
      counted
    })
  }
}
