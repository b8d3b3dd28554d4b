/**
 * Reads pages of the rows that match a search. No index has them in the order of the list, and a search may match one row
 * or all of them. So the first rows of the list are tested one by one: if many match, they fill the page. Otherwise few rows
 * match, and the index of the search finds them all (docs/engineering/0018-trip-search.md). Both are parts of one
 * statement, which reads the index only if the first rows do not suffice.
 */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { maxCount, offsetOf, type Page, type PageRequest } from "@livery/domain"
import { pageOf, uncountedListsOf } from "./Pages.ts"
import { rowsDecoder } from "./RowDecoder.ts"
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

/** `seen` rows of the list were tested, `hits` of them match; the index had `found` rows, of which `listed` are of the list. */
const Counts = Schema.Struct({ seen: Schema.Int, hits: Schema.Int, found: Schema.Int, listed: Schema.Int })
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
    // As a literal, because PostgreSQL would plan for an unknown number of rows.
    const literal = (rows: number) => sql.literal(String(rows))
    const wanted = offsetOf(request) + request.perPage
    const few = stages.find((rows) => rows >= 2 * wanted) ?? maxCount

    /** The rows of the index. OFFSET 0 and the join keep its scan apart from a limit, for which PostgreSQL might read the table in its own order. */
    const indexed = (isWanted: Statement.Fragment) => sql`
      (SELECT * FROM ${table} ${alias} WHERE ${matches} ${isWanted} OFFSET 0) ${alias}
      CROSS JOIN (VALUES (1), (1) LIMIT 1) once`

    /** A page with what is known of its total. `limit` is of the rows of the index. */
    const statement = (tested: number, limit: Statement.Fragment) => {
      const isNeeded = sql`(SELECT seen > ${literal(tested)} AND hits <= ${wanted}::int FROM tested)`
      return sql<object>`
        WITH nearest AS MATERIALIZED (
          SELECT ${alias}.*, (${matches}) AS is_match FROM ${table} ${alias} WHERE ${where}
          ORDER BY ${order} LIMIT ${literal(tested + 1)}
        ), tested AS MATERIALIZED (
          SELECT count(*) AS seen, count(*) FILTER (WHERE is_match) AS hits FROM nearest
        ), found AS MATERIALIZED (
          SELECT ${alias}.*, true AS is_match FROM ${indexed(sql`AND ${isNeeded}`)} ${limit}
        ), items AS (
          SELECT ${columns}, true AS is_item FROM (
            SELECT * FROM found UNION ALL SELECT * FROM nearest WHERE is_match AND NOT ${isNeeded}
          ) ${alias} WHERE ${where} ORDER BY ${order} LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}
        )
        SELECT tested.seen, tested.hits, (SELECT count(*) FROM found) AS found,
          (SELECT count(*) FROM found ${alias} WHERE ${where}) AS listed, items.*
        FROM tested LEFT JOIN items ON true`
    }

    const counted = sql`
      SELECT count(*) AS total FROM (
        SELECT FROM ${indexed(sql``)} WHERE ${where} LIMIT ${maxCount + 1}) c`

    const read = Effect.fnUntraced(function* (isCounted: boolean): Effect.fn.Return<Page<A>> {
      for (const [tested, limit] of [
        [few, sql`LIMIT ${literal(maxCount + 1)}`],
        [maxCount, sql``]
      ] as const) {
        const rows = yield* Effect.orDie(statement(tested, limit))
        const [counts] = yield* countsOf(Effect.succeed(rows.slice(0, 1)))
        const { found = 0, hits = 0, listed = 0, seen = 0 } = counts ?? {}
        const pageWith = (total: number | undefined) => pageOf(request, decode(rows.filter(isItem)), total)
        if (seen <= tested) return pageWith(hits)
        if (hits > wanted) {
          const [count] = isCounted ? yield* totalsOf(counted) : []
          return pageWith(count?.total)
        }
        if (found <= maxCount || tested === maxCount) return pageWith(listed)
      }
      return pageOf(request, [], 0)
    })

    return listsOf(sql)(JSON.stringify(counted.compile()), read)
  }
}
