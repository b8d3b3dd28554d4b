/** Reads a page of a list in one statement: the rows of the page, and the total if it is counted. */
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { makeUncountedLists, maxCount, offsetOf, type Page, type PageRequest } from "@livery/domain"
import { rowsDecoder } from "./RowDecoder.ts"
import { rowsAs } from "./Rows.ts"

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
    const found = yield* Effect.orDie(rows)
    const isKnown = found.length > 0 || request.page === 1
    const [counts] = yield* totalsOf(isKnown ? Effect.succeed(found.slice(0, 1)) : counted)
    return pageOf(request, decode(found), counts?.total ?? 0)
  })
}

/** The parts of the statement that lists rows. */
interface Listing {
  /** `WITH …`, if `from` is not a table. */
  readonly given?: Statement.Fragment
  readonly columns: Statement.Fragment
  readonly from: Statement.Fragment
  readonly where: Statement.Fragment
  readonly order: Statement.Fragment
}

/**
 * Reads pages of rows of a shape from a table. A list that was too long to be counted is not counted again for a while
 * (`UncountedLists`).
 */
export const pagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const read = countedPagesOf(row)
  const decode = rowsDecoder(row)
  // For each client, because each has a database of its own.
  const lists = new WeakMap<SqlClient.SqlClient, ReturnType<typeof makeUncountedLists>>()
  const listsOf = (sql: SqlClient.SqlClient) => {
    const known = lists.get(sql) ?? makeUncountedLists()
    lists.set(sql, known)
    return known
  }
  return (
    sql: SqlClient.SqlClient,
    request: PageRequest,
    { columns, from, given = sql``, order, where }: Listing
  ): Effect.Effect<Page<A>> => {
    const counted = sql`SELECT count(*) AS total FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${maxCount + 1}) c`
    const rows = (total: Statement.Fragment) => sql`
      ${given} SELECT ${columns}${total} FROM ${from} WHERE ${where} ORDER BY ${order}
      LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}`
    return listsOf(sql)(JSON.stringify(sql`${given} ${counted}`.compile()), (isCounted) =>
      isCounted
        ? read(request, rows(sql`, (${counted}) AS total`), sql`${given} ${counted}`)
        : Effect.map(Effect.orDie(rows(sql``)), (found) => pageOf(request, decode(found), undefined))
    )
  }
}
