/**
 * Reads pages of the rows that match a search. No index has them in the order of the list. So the first rows of the list are
 * tested one by one: if more than one in twenty matches, they fill the page. Otherwise the index of the search has few rows
 * enough to be collected and sorted.
 */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { maxCount, offsetOf, type Page, type PageRequest } from "@livery/domain"
import { countOf, pageOf } from "./Pages.ts"
import { rowsDecoder } from "../rows/RowDecoder.ts"
import { literalCount, rowsOfPage } from "./PageLimits.ts"
import { rowsAs } from "../rows/Rows.ts"

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

const totalsOf = rowsAs(Schema.Struct({ total: Schema.Int }))

/** Reads pages of matching rows of a shape. A search has at most `maxCount` rows, the first ones of the list. */
export const searchedPagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const decode = rowsDecoder(row)
  return Effect.fnUntraced(function* (
    sql: SqlClient.SqlClient,
    request: PageRequest,
    { alias, columns, matches, order, table, where }: SearchedListing
  ): Effect.fn.Return<Page<A>> {
    const needed = offsetOf(request) + request.perPage + 1
    const limit = rowsOfPage(sql, request, true)
    const first = sql`
      SELECT * FROM ${table} ${alias} WHERE ${where} ORDER BY ${order} LIMIT ${literalCount(sql, 20 * needed)}`
    const found = yield* Effect.orDie(sql`
      SELECT ${columns} FROM (${first}) ${alias} WHERE ${matches} ORDER BY ${order} ${limit}`)
    // Of a list that is tested as a whole, the total is counted by the same tests.
    const few = sql`SELECT * FROM ${table} ${alias} WHERE ${where} LIMIT ${literalCount(sql, maxCount + 1)}`
    if (found.length > request.perPage) {
      const [counts] = yield* totalsOf(sql`
        SELECT CASE WHEN (SELECT count(*) FROM (${few}) ${alias}) > ${literalCount(sql, maxCount)}
          THEN ${literalCount(sql, maxCount + 1)} ELSE (SELECT count(*) FROM (${few}) ${alias} WHERE ${matches}) END AS total`)
      return pageOf(request, decode(found), counts?.total)
    }
    const matching = sql`WITH matching AS MATERIALIZED (SELECT * FROM ${table} ${alias} WHERE ${matches})`
    const counted = sql`(${countOf(sql, sql`matching ${alias} WHERE ${where}`)})`
    const all = yield* Effect.orDie(sql`
      ${matching} SELECT c.total, items.* FROM ${counted} c LEFT JOIN LATERAL (
        SELECT ${columns}, true AS is_item FROM matching ${alias} WHERE ${where} ORDER BY ${order} ${limit}) items ON true`)
    const [counts] = yield* totalsOf(Effect.succeed(all.slice(0, 1)))
    return pageOf(
      request,
      decode(all.filter((each) => "is_item" in each && each.is_item === true)),
      counts?.total
    )
  })
}
