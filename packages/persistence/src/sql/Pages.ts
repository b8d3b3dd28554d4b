/** Pages of a list, in one statement: the rows, and how many there are in all as far as that is told. */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { countedAtMost, offsetOf, type Page, type PageRequest } from "@livery/domain"
import { rowsAs } from "./Rows.ts"

/** What is listed: of which table, which rows, in which order. */
interface Listing {
  /** What `from` reads, as `WITH …`, if that is not a table. */
  readonly given?: Statement.Fragment
  readonly columns: Statement.Fragment
  readonly from: Statement.Fragment
  readonly where: Statement.Fragment
  readonly order: Statement.Fragment
}

const totalsOf = rowsAs(Schema.Struct({ total: Schema.Int }))

/** Gives pages of rows of that shape. */
export const pagesOf = <A, I>(row: Schema.Codec<A, I>) => {
  const rowsOf = rowsAs(row)
  return Effect.fnUntraced(function* (
    sql: SqlClient.SqlClient,
    request: PageRequest,
    { columns, from, given = sql``, order, where }: Listing
  ): Effect.fn.Return<Page<A>> {
    const counted = sql`SELECT count(*) AS total FROM (SELECT FROM ${from} WHERE ${where} LIMIT ${countedAtMost + 1}) c`
    // One more than the page holds tells whether another page follows, also beyond what is counted.
    const found = yield* Effect.orDie(sql<object>`
      ${given} SELECT ${columns}, (${counted}) AS total FROM ${from} WHERE ${where} ORDER BY ${order}
      LIMIT ${request.perPage + 1} OFFSET ${offsetOf(request)}`)
    const isKnown = found.length > 0 || request.page === 1
    const [counts] = yield* totalsOf(isKnown ? Effect.succeed(found.slice(0, 1)) : sql`${given} ${counted}`)
    const total = counts?.total ?? 0
    return {
      items: yield* rowsOf(Effect.succeed(found.slice(0, request.perPage))),
      total: total > countedAtMost ? undefined : total,
      hasMore: found.length > request.perPage
    }
  })
}
