/**
 * The statement that reads a page of a list of trips.
 *
 * The filters without an index are tested on the candidates (`TripListSql.ts`) in the order of the list, until the page is
 * full, and on {@link maxTripsTested} trips at most. If that does not fill a page of a search, the index of words is read.
 */
import type { SqlClient, Statement } from "effect/sql"
import { type BusinessId, maxCount, maxTripsMatched, maxTripsTested, type TripQuery } from "@livery/domain"
import { literalCount } from "../sql/lists/PageLimits.ts"
import { besideWords, documentQueryOf } from "../sql/lists/SearchDocument.ts"
import { columnOf, type ListPlace, tripListSql } from "./TripListSql.ts"

/** How many trips at the start of a list show whether its words are common. */
const maxTripsSampled = 40

/** Which trips of a list to read: `perPage` trips after `after` and after `offset` further ones. */
export interface Range {
  readonly perPage: number
  readonly offset: number
  readonly after: ListPlace | undefined
}

/** Builds the parts of the statement. */
export const tripPageSql = (sql: SqlClient.SqlClient) => {
  const { candidateOrderOf, candidatesOf, conditionsOf, orderOf } = tripListSql(sql)

  /** The candidates that pass the tests. LIMIT 1 makes PostgreSQL look up each trip by its key. */
  const passing = (
    businessId: BusinessId,
    candidates: Statement.Fragment,
    tests: ReadonlyArray<Statement.Fragment>
  ) => sql`
    (${candidates}) c CROSS JOIN LATERAL (
      SELECT FROM trips
      WHERE ${sql.and([sql`trips.business_id = ${businessId} AND trips.trip_id = c.trip_id`, ...tests])} LIMIT 1) t`

  /** The number of trips of a list; null if it has more than `maxCount`, or as many have to be tested. */
  const totalOf = (businessId: BusinessId, query: TripQuery) => {
    const { rows, tests } = candidatesOf(businessId, query, undefined)
    // In order, so that an index is read: PostgreSQL might look for them in the whole table.
    const few = sql`SELECT * FROM (${rows}) c ORDER BY ${orderOf(query, "c")} LIMIT ${literalCount(sql, maxCount + 1)}`
    const counted = tests.length === 0 ? sql`(${few}) c` : passing(businessId, few, tests)
    const listed = sql`(SELECT count(*) FROM (${few}) c)`
    return tests.length === 0
      ? sql`(SELECT nullif(count(*), ${literalCount(sql, maxCount + 1)}) FROM ${counted})`
      : sql`(CASE WHEN ${listed} <= ${literalCount(sql, maxCount)} THEN (SELECT count(*) FROM ${counted}) END)`
  }

  /**
   * Whether so many trips have the words that the index of words is of no use: a quarter of the first trips of a list, in a
   * business with four times `maxTripsMatched`. The index would read each of them.
   */
  const areCommon = (businessId: BusinessId, words: string, inOrder: Statement.Fragment) => sql`
    (SELECT count(*) FROM (${inOrder} LIMIT ${literalCount(sql, maxTripsSampled)}) c CROSS JOIN LATERAL (
      SELECT FROM trip_search s
      WHERE s.business_id = ${businessId} AND s.trip_id = c.trip_id AND s.search @@ ${words}::tsquery LIMIT 1) s
    ) > ${literalCount(sql, maxTripsSampled / 4)} AND EXISTS (
      SELECT FROM trips WHERE business_id = ${businessId} AND deleted_at IS NULL
      ORDER BY trip_date, trip_id LIMIT 1 OFFSET ${literalCount(sql, 4 * maxTripsMatched)})`

  /**
   * The definition of `found`: the trips of a list that the index of words finds, in no order. It has rows only if the trips
   * that were tested do not fill the page, and if at most `maxTripsMatched` trips have the words. `found_all` says so.
   */
  const foundByWords = (
    businessId: BusinessId,
    { words: searched = [], ...query }: TripQuery,
    after: ListPlace | undefined,
    inOrder: Statement.Fragment
  ) => {
    const tests = [sql`trips.trip_id = m.trip_id`, ...conditionsOf(businessId, query, after)]
    const words = documentQueryOf(businessId, searched)
    return sql`
      way AS MATERIALIZED (
        SELECT EXISTS (SELECT FROM untested) AND NOT (${areCommon(businessId, words, inOrder)}) AS reads_words
      ), matching AS MATERIALIZED (
        SELECT s.trip_id FROM trip_search s
        WHERE ${besideWords(sql, businessId, sql`s`)} AND s.search @@ ${words}::tsquery AND (SELECT reads_words FROM way)
      ), matched AS MATERIALIZED (
        SELECT trip_id FROM matching LIMIT ${literalCount(sql, maxTripsMatched + 1)}
      ), outcome AS MATERIALIZED (
        SELECT reads_words AND (SELECT count(*) FROM matched) <= ${literalCount(sql, maxTripsMatched)} AS found_all FROM way
      ), found AS MATERIALIZED (
        SELECT t.at, t.trip_id FROM matched m CROSS JOIN LATERAL (
          SELECT trips.${sql.literal(columnOf(query))} AS at, trips.trip_id FROM trips WHERE ${sql.and(tests)} LIMIT 1) t
        WHERE (SELECT found_all FROM outcome)
      )`
  }

  /**
   * The parts of the statement that reads a page: definitions, and then the queries that use them. `page` is `at, trip_id` of the
   * trips, with one more if others follow. `last` is the place of the last tested trip, if the tested trips do not fill the
   * page, although the list has more trips. `total` is {@link totalOf}.
   */
  const pageOf = (businessId: BusinessId, query: TripQuery, { after, offset, perPage }: Range) => {
    const { rows, tests } = candidatesOf(businessId, query, after)
    const order = orderOf(query, "c")
    const inOrder = sql`SELECT c.at, c.trip_id, c.assignment_id FROM (${rows}) c ORDER BY ${candidateOrderOf(query)}`
    const limit = sql`LIMIT ${literalCount(sql, perPage + 1)} ${offset === 0 ? sql`` : sql`OFFSET ${offset}`}`
    const total = after === undefined ? totalOf(businessId, query) : sql`NULL::bigint`
    const nothing = sql`SELECT NULL::timestamptz AS at, NULL::bigint AS trip_id WHERE false`
    if (tests.length === 0)
      return { definitions: sql`page AS (${inOrder} ${limit})`, page: sql`page`, last: nothing, total }
    const needed = offset + perPage + 1
    const tested =
      query.words === undefined ? maxTripsTested : Math.min(50 * needed, Math.max(5 * needed, maxTripsTested))
    const definitions = sql`
      tested AS MATERIALIZED (
        SELECT c.at, c.trip_id FROM ${passing(businessId, sql`${inOrder} LIMIT ${literalCount(sql, tested)}`, tests)}
        ORDER BY ${order} ${limit}
      ), untested AS MATERIALIZED (
        SELECT at, trip_id FROM (
          SELECT at, trip_id, count(*) OVER () AS places
          FROM (${inOrder} LIMIT 2 OFFSET ${literalCount(sql, tested - 1)}) c) c
        WHERE places = 2 AND (SELECT count(*) FROM tested) <= ${literalCount(sql, perPage)}
        ORDER BY ${order} LIMIT 1
      )`
    if (query.words === undefined)
      return { definitions, page: sql`tested`, last: sql`SELECT * FROM untested`, total }
    const foundAll = sql`(SELECT found_all FROM outcome)`
    const most = literalCount(sql, maxCount)
    const ofFound = sql`(SELECT CASE WHEN count(*) <= ${most} THEN count(*) END FROM found)`
    // The last page of a list, all of whose trips were tested, tells the total as well.
    const isEnd = sql`(SELECT count(*) BETWEEN ${offset === 0 ? sql`0` : sql`1`} AND ${literalCount(sql, perPage)} FROM tested)`
    const ofEnd = sql`(SELECT CASE WHEN count(*) + ${offset}::int <= ${most} THEN count(*) + ${offset}::int END FROM tested)`
    return {
      definitions: sql`${definitions}, ${foundByWords(businessId, query, after, inOrder)}`,
      page: sql`(
        (SELECT * FROM tested WHERE NOT ${foundAll})
        UNION ALL (SELECT * FROM found c WHERE ${foundAll} ORDER BY ${order} ${limit}))`,
      last: sql`SELECT * FROM untested WHERE NOT ${foundAll}`,
      total:
        after === undefined
          ? sql`(CASE WHEN ${foundAll} THEN ${ofFound} WHEN EXISTS (SELECT FROM untested) THEN NULL WHEN ${isEnd} THEN ${ofEnd} ELSE ${total} END)`
          : total
    }
  }

  return { orderOf, pageOf }
}
