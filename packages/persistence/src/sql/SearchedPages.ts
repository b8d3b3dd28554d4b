/**
 * Reads pages of the rows that match a search. No index has them in the order of the list, and a search may match one row
 * or all of them. So the first rows of the list are tested one by one: if many match, they fill the page. Otherwise few rows
 * match, and the index of the search has them all (docs/engineering/0018-trip-search.md). Both are parts of one
 * statement, which reads the index only if the first rows do not suffice.
 *
 * An example: the first page of 20 customers, of 50,000, whose text contains "an" or "zz".
 *
 *     "an"   the first 500 customers are tested; 60 match, which fills the page
 *     "zz"   the first 500 customers are tested; none matches; the index has 3 rows, which are sorted
 */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { maxCount, offsetOf, type Page, type PageRequest } from "@livery/domain"
import { pageOf, uncountedListsOf } from "./Pages.ts"
import { rowsDecoder } from "./RowDecoder.ts"
import { rowCount } from "./RowCount.ts"
import { rowsAs } from "./Rows.ts"

/** The list to search in. */
interface SearchedListing {
  readonly columns: Statement.Fragment
  readonly table: Statement.Fragment
  /** The name of the table's rows in the other parts. */
  readonly alias: Statement.Fragment
  /** The conditions of the list, without the search. */
  readonly where: Statement.Fragment
  /** The conditions that the index of the search serves. */
  readonly matches: Statement.Fragment
  readonly order: Statement.Fragment
}

/** How many rows of the list a statement may test. */
const stages = [500, 2000, maxCount] as const

/** `tested` rows of the list were tested, `matching` of them match. The index had `indexed` rows, `listed` of them in the list. */
const Counts = Schema.Struct({
  tested: Schema.Int,
  matching: Schema.Int,
  indexed: Schema.Int,
  listed: Schema.Int
})
const countsOf = rowsAs(Counts)
const totalsOf = rowsAs(Schema.Struct({ total: Schema.Int }))

const isItem = (row: object) => "is_item" in row && row.is_item === true

/** Reads pages of matching rows of a shape, counted as by `pagesOf`. */
export const searchedPagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = rowsDecoder(row)
  const listsOf = uncountedListsOf()
  return (
    sql: SqlClient.SqlClient,
    request: PageRequest,
    { alias, columns, matches, order, table, where }: SearchedListing
  ): Effect.Effect<Page<A>> => {
    const needed = offsetOf(request) + request.perPage
    const firstStage = stages.find((rows) => rows >= 2 * needed) ?? maxCount

    /**
     * The rows of the index that meet a `further` condition. OFFSET 0 and the join keep its scan apart from a limit, for
     * which PostgreSQL might read the table in its own order.
     */
    const fromIndex = (further: Statement.Fragment) => sql`
      (SELECT * FROM ${table} ${alias} WHERE ${matches} ${further} OFFSET 0) ${alias}
      CROSS JOIN (VALUES (1), (1) LIMIT 1) once`

    /**
     * The first rows of the list, up to one more than are tested, with whether they match. If they are not counted, only
     * those that match, and no more of them than the page needs to be full.
     */
    const firstRows = (maxTested: number, isCounted: boolean) => {
      const rows = (isMatch: Statement.Fragment) => sql`
        SELECT ${alias}.*, ${isMatch} AS is_match FROM ${table} ${alias} WHERE ${where}
        ORDER BY ${order} LIMIT ${rowCount(sql, maxTested + 1)}`
      return isCounted
        ? rows(sql`(${matches})`)
        : sql`
          SELECT * FROM (${rows(sql`true`)}) ${alias} WHERE ${matches} ORDER BY ${order} LIMIT ${needed + 1}`
    }

    /**
     * A page with the {@link Counts}. At most `maxTested` rows of the list are tested; `limit` is that of the rows of the
     * index. If it is not counted, `tested` and `matching` only tell whether the index is needed.
     */
    const statement = (maxTested: number, limit: Statement.Fragment, isCounted: boolean) => {
      const needsIndex = sql`(SELECT tested > ${rowCount(sql, maxTested)} AND matching <= ${needed}::int FROM counts)`
      return sql<object>`
        WITH first_rows AS MATERIALIZED (${firstRows(maxTested, isCounted)}), counts AS MATERIALIZED (
          SELECT ${isCounted ? sql`count(*)` : rowCount(sql, maxTested + 1)} AS tested,
            count(*) FILTER (WHERE is_match) AS matching
          FROM first_rows
        ), indexed_rows AS MATERIALIZED (
          SELECT ${alias}.*, true AS is_match FROM ${fromIndex(sql`AND ${needsIndex}`)} ${limit}
        ), items AS (
          SELECT ${columns}, true AS is_item FROM (
            SELECT * FROM indexed_rows UNION ALL SELECT * FROM first_rows WHERE is_match AND NOT ${needsIndex}
          ) ${alias} WHERE ${where} ORDER BY ${order} LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}
        )
        SELECT counts.tested, counts.matching, (SELECT count(*) FROM indexed_rows) AS indexed,
          (SELECT count(*) FROM indexed_rows ${alias} WHERE ${where}) AS listed, items.*
        FROM counts LEFT JOIN items ON true`
    }

    const counted = sql`
      SELECT count(*) AS total FROM (
        SELECT FROM ${fromIndex(sql``)} WHERE ${where} LIMIT ${maxCount + 1}) c`

    const read = Effect.fnUntraced(function* (isCounted: boolean): Effect.fn.Return<Page<A>> {
      for (const [maxTested, isLimited] of [
        [firstStage, true],
        [maxCount, false]
      ] as const) {
        const limit = isLimited ? sql`LIMIT ${rowCount(sql, maxCount + 1)}` : sql``
        const rows = yield* Effect.orDie(statement(maxTested, limit, isCounted))
        const [counts] = yield* countsOf(Effect.succeed(rows.slice(0, 1)))
        const { indexed = 0, listed = 0, matching = 0, tested = 0 } = counts ?? {}
        const pageWith = (total: number | undefined) => pageOf(request, decode(rows.filter(isItem)), total)
        if (tested <= maxTested) return pageWith(matching)
        if (matching > needed) {
          const [count] = isCounted ? yield* totalsOf(counted) : []
          return pageWith(count?.total)
        }
        if (indexed <= maxCount || !isLimited) return pageWith(listed)
      }
      return pageOf(request, [], 0)
    })

    return listsOf(sql)(JSON.stringify(counted.compile()), read)
  }
}
