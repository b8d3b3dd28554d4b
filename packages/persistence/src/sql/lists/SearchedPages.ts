/**
 * Reads pages of the rows that match a search. No index has them in the order of the list, and a search may match one row
 * or all of them. So the first rows of the list are tested one by one: if many match, they fill the page. Otherwise few rows
 * match, and the index of the search has them all (docs/engineering/0018-trip-search.md). Where a test takes long, a sample of
 * fifty rows tells first whether few match. All are parts of one statement, which reads the index only if it needs to.
 *
 * An example: the first page of 20 users, of 50,000, whose text contains "ann" or "zoe".
 *
 *     "ann"   6 users of the sample match; the first 500 are tested; 60 match, which fills the page
 *     "zoe"   no user of the sample matches; the index has 3 rows, which are sorted
 */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { maxCount, offsetOf, type Page, type PageRequest } from "@livery/domain"
import { pageOf, uncountedListsOf } from "./Pages.ts"
import { rowsDecoder } from "../rows/RowDecoder.ts"
import { literalCount, rowsOfPage, rowsThroughPage } from "./PageLimits.ts"
import { rowsAs } from "../rows/Rows.ts"

/** The conditions of a search. */
interface Search {
  /** The conditions on a row that the index of the search serves. */
  readonly matches: Statement.Fragment
  /** Whether few rows of the table probably match, so that the list's first rows need no tests. */
  readonly isRare: Statement.Fragment
}

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
  /** The same search, written so that PostgreSQL has one plan for any text, with the sample. */
  readonly forAnyText?: Search | undefined
  readonly order: Statement.Fragment
}

/** How many rows of the list a statement may test. */
const stages = [500, 2000, maxCount] as const

/**
 * `tested` rows of the list were tested, none if the sample says that the search is rare. `matching` of them match. The
 * index had `indexed` rows, `listed` of them in the list.
 */
const Counts = Schema.Struct({
  is_rare: Schema.Boolean,
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
    { alias, columns, forAnyText, matches, order, table, where }: SearchedListing
  ): Effect.Effect<Page<A>> => {
    const needed = offsetOf(request) + request.perPage
    const firstStage = stages.find((rows) => rows >= 2 * needed) ?? maxCount

    /**
     * The rows that meet conditions which the index serves. OFFSET 0 and the join keep its scan apart from a limit, for
     * which PostgreSQL might read the table in its own order.
     */
    const fromIndex = (conditions: Statement.Fragment) => sql`
      (SELECT * FROM ${table} ${alias} WHERE ${conditions} OFFSET 0) ${alias}
      CROSS JOIN (VALUES (1), (1) LIMIT 1) once`

    const skipsTests = sql`(SELECT is_rare FROM estimate)`
    const forThisText = { matches, isRare: sql`false` }

    /**
     * The first rows of the list, up to one more than are tested, with whether they match; none if the search is rare. If
     * they are not counted, only those that match, and no more of them than the page needs to be full.
     */
    const firstRows = (maxTested: number, isCounted: boolean, matches: Statement.Fragment) => {
      const rows = (isMatch: Statement.Fragment) => sql`
        SELECT ${alias}.*, ${isMatch} AS is_match FROM ${table} ${alias} WHERE ${where} AND NOT ${skipsTests}
        ORDER BY ${order} LIMIT ${literalCount(sql, maxTested + 1)}`
      return isCounted
        ? rows(sql`(${matches})`)
        : sql`
          SELECT * FROM (${rows(sql`true`)}) ${alias} WHERE ${matches} ORDER BY ${order} ${rowsThroughPage(sql, request, true)}`
    }

    /**
     * A page with the {@link Counts}. At most `maxTested` rows of the list are tested; `limit` is that of the rows of the
     * index. If it is not counted, `tested` and `matching` only tell whether the index is needed.
     */
    const statement = (
      maxTested: number,
      limit: Statement.Fragment,
      isCounted: boolean,
      { isRare, matches }: Search
    ) => {
      const needsIndex = sql`(
        SELECT ${skipsTests} OR tested > ${literalCount(sql, maxTested)} AND matching <= ${needed}::int FROM counts)`
      return sql<object>`
        WITH estimate AS MATERIALIZED (
          SELECT ${isCounted ? isRare : sql`false`} AS is_rare
        ), first_rows AS MATERIALIZED (${firstRows(maxTested, isCounted, matches)}), counts AS MATERIALIZED (
          SELECT ${isCounted ? sql`count(*)` : literalCount(sql, maxTested + 1)} AS tested,
            count(*) FILTER (WHERE is_match) AS matching
          FROM first_rows
        ), indexed_rows AS MATERIALIZED (
          SELECT ${alias}.*, true AS is_match FROM ${fromIndex(sql`${matches} AND ${needsIndex}`)} ${limit}
        ), items AS (
          SELECT ${columns}, true AS is_item FROM (
            SELECT * FROM indexed_rows UNION ALL SELECT * FROM first_rows WHERE is_match AND NOT ${needsIndex}
          ) ${alias} WHERE ${where} ORDER BY ${order} ${rowsOfPage(sql, request, true)}
        )
        SELECT ${skipsTests} AS is_rare, counts.tested, counts.matching, (SELECT count(*) FROM indexed_rows) AS indexed,
          (SELECT count(*) FROM indexed_rows ${alias} WHERE ${where}) AS listed, items.*
        FROM counts LEFT JOIN items ON true`
    }

    /** The number of matching rows of the list through the index, up to one more than the largest total that is reported. */
    const counted = sql`
      SELECT count(*) AS total FROM (
        SELECT FROM ${fromIndex(matches)} WHERE ${where} LIMIT ${maxCount + 1}) c`

    const read = Effect.fnUntraced(function* (isCounted: boolean): Effect.fn.Return<Page<A>> {
      for (const [maxTested, isLimited, search] of [
        [firstStage, true, forAnyText ?? forThisText],
        [maxCount, false, forThisText]
      ] as const) {
        const limit = isLimited ? sql`LIMIT ${literalCount(sql, maxCount + 1)}` : sql``
        const rows = yield* Effect.orDie(statement(maxTested, limit, isCounted, search))
        const [counts] = yield* countsOf(Effect.succeed(rows.slice(0, 1)))
        const { indexed = 0, is_rare = false, listed = 0, matching = 0, tested = 0 } = counts ?? {}
        const pageWith = (total: number | undefined) => pageOf(request, decode(rows.filter(isItem)), total)
        if (!is_rare && tested <= maxTested) return pageWith(matching)
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
