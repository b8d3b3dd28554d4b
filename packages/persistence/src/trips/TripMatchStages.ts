/**
 * The statements of `MatchingTrips.ts`: the matching trips of a list, found through the list or through an index of the
 * search.
 */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import {
  type BusinessId,
  maxCount,
  offsetOf,
  type PageRequest,
  type TripCriteria,
  TripId
} from "@livery/domain"
import { literalCount } from "../sql/lists/PageLimits.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { tripMatchSql } from "./TripMatchSql.ts"

/** The list to search in. */
interface SearchedList {
  /** `trip_date, trip_id` of the first `count` trips of the list, without regard to the search. */
  readonly first: (count: number) => Statement.Fragment
  /** The conditions of the list on `trips`, without the search. */
  readonly conditions: Statement.Fragment
  /** The order of the list, by `trip_date` and `trip_id`. */
  readonly order: Statement.Fragment
  /** Whether other filters leave some of the business's trips out, perhaps most of them. */
  readonly isFiltered: boolean
  /** Whether these filters probably leave so few trips that testing them is faster than reading an index of the search. */
  readonly isProbablyShort: boolean
}

/** The search for trips of a business. */
export interface TripSearch {
  readonly businessId: BusinessId
  readonly criteria: TripCriteria
  readonly list: SearchedList
}

/** Criteria that have an index of their own (`indexed`), with the criteria to test its trips by (`further`). */
export interface Index {
  readonly indexed: TripCriteria
  readonly further: TripCriteria
}

/** The indexes of a search: that of words, then that of changes. */
export const indexesOf = ({ updatedSince, words }: TripCriteria): ReadonlyArray<Index> => [
  ...(words === undefined ? [] : [{ indexed: { words }, further: { updatedSince } }]),
  ...(updatedSince === undefined ? [] : [{ indexed: { updatedSince }, further: { words } }])
]

/** The lengths of a list and of an index, up to the largest total that is reported and one more. */
const lengthsOf = rowsAs(Schema.Struct({ listed: Schema.Int, indexed: Schema.Int }))

/** The numbers of trips that were read and that match. */
const Counts = Schema.Struct({ read: Schema.Int, matching: Schema.Int })
const countsOf = rowsAs(Counts)
const Stage = Schema.Struct({ ...Counts.fields, ids: Schema.Array(TripId) })
const stagesOf = rowsAs(Stage)
const stagesOfIndexes = rowsAs(Schema.Struct({ ...Stage.fields, is_left_out: Schema.Boolean }))
const noTrips = { read: 0, matching: 0, ids: [] }

/** Builds and runs the statements of one client. */
export const tripMatchStages = (sql: SqlClient.SqlClient) => {
  const { estimateOf, matchesOf, matchingIds, noEstimate } = tripMatchSql(sql)

  /** One more than the largest total that is reported. */
  const tooMany = literalCount(sql, maxCount + 1)

  /**
   * `trip_date, trip_id` of the trips of the list among `candidates` that meet the `further` criteria, in no order.
   * `candidates` has `business_id` and `trip_id`.
   */
  const listedOf = (
    { businessId, list }: TripSearch,
    further: TripCriteria,
    candidates: Statement.Fragment
  ) => sql`
    SELECT t.trip_date, t.trip_id FROM ${candidates}
    CROSS JOIN LATERAL (
      SELECT * FROM trips
      WHERE trips.business_id = ${businessId} AND trips.trip_id = candidates.trip_id AND ${list.conditions}
        AND ${sql.and([sql`true`, ...matchesOf(businessId, further, sql`trips`)])}
      LIMIT 1) t
    WHERE candidates.business_id = ${businessId}`

  /**
   * The first of `matchingIds`. OFFSET 0 and the join keep the limit apart from the scan, for which PostgreSQL might read
   * the table in its own order.
   */
  const probe = (
    businessId: BusinessId,
    indexed: TripCriteria,
    limit = tooMany,
    words?: Statement.Fragment
  ) => sql`
    SELECT i.business_id, i.trip_id FROM (${matchingIds(businessId, indexed, words)} OFFSET 0) i
    CROSS JOIN (VALUES (1), (1) LIMIT 1) once LIMIT ${limit}`

  /**
   * The number of trips of the list that were changed, through the index of changes; undefined if the list is shorter or
   * more than `maxCount` trips were changed.
   */
  const countChanges = Effect.fnUntraced(function* (search: TripSearch) {
    const changes = probe(search.businessId, search.criteria)
    // Only whether the list is longer matters, so no more of it is counted.
    const [lengths] = yield* lengthsOf(sql`
      WITH changed AS MATERIALIZED (SELECT count(*) AS indexed FROM (${changes}) i)
      SELECT indexed, (
        SELECT count(*) FROM (
          SELECT FROM (${search.list.first(maxCount + 1)}) l LIMIT (SELECT indexed + 1 FROM changed)) l) AS listed
      FROM changed`)
    if (lengths === undefined || lengths.indexed > maxCount || lengths.indexed >= lengths.listed) return
    const [all] = yield* countsOf(sql`
      SELECT 0 AS read, count(*) AS matching
      FROM (${listedOf(search, {}, sql`(${changes}) candidates`)}) c`)
    return all?.matching
  })

  /** The number of matching trips of the list, or `maxCount + 1` if there are more. */
  const count = Effect.fnUntraced(function* (search: TripSearch) {
    const { businessId, criteria, list } = search
    const changed = criteria.words === undefined ? yield* countChanges(search) : undefined
    if (changed !== undefined) return changed
    const [tested] = yield* countsOf(sql`
      WITH first_trips AS MATERIALIZED (${list.first(maxCount + 1)})
      SELECT (SELECT count(*) FROM first_trips) AS read, count(*) AS matching FROM first_trips
      WHERE ${sql.and(matchesOf(businessId, criteria, sql`first_trips`))}`)
    if (tested === undefined || tested.read <= maxCount || tested.matching > maxCount)
      return tested?.matching ?? 0
    // OFFSET 0 keeps the scan of the index apart from the join, and LIMIT ends both at once.
    const candidates = sql`(${matchingIds(businessId, criteria)} OFFSET 0) candidates`
    const [all] = yield* countsOf(sql`
      SELECT 0 AS read, count(*) AS matching
      FROM (${listedOf(search, { ...criteria, words: undefined }, candidates)} LIMIT ${tooMany}) c`)
    return all?.matching ?? 0
  })

  /** The ids of a page of `matches`, and one more. */
  const idsOf = ({ list }: TripSearch, request: PageRequest) => sql`
    array_to_json(ARRAY(
      SELECT trip_id FROM matches ORDER BY ${list.order}
      LIMIT ${literalCount(sql, request.perPage + 1)} OFFSET ${offsetOf(request)})) AS ids`

  const readStage = (statement: Statement.Statement<object>) =>
    Effect.map(stagesOf(statement), ([stage = noTrips]) => stage)

  /**
   * The matching ones among the first `most` trips of the list. `read` exceeds `most` if the list is longer; the page
   * then needs no trips after those that fill it. PostgreSQL from version 17 on does not sort what is in order, and
   * tests no further trips.
   */
  const fromList = (search: TripSearch, request: PageRequest, most: number) => {
    const { businessId, criteria, list } = search
    const isLonger = sql`(SELECT count(*) > ${literalCount(sql, most)} FROM first_trips)`
    const matches = sql`
      SELECT trip_date, trip_id FROM first_trips
      WHERE ${sql.and(matchesOf(businessId, criteria, sql`first_trips`))}`
    return readStage(sql`
      WITH first_trips AS MATERIALIZED (${list.first(most + 1)}),
        matches AS MATERIALIZED (
          (${matches} AND NOT ${isLonger})
          UNION ALL
          (${matches} AND ${isLonger} ORDER BY ${list.order}
           LIMIT ${literalCount(sql, request.perPage + 1)} + ${offsetOf(request)}))
      SELECT (SELECT count(*) FROM first_trips) AS read, (SELECT count(*) FROM matches) AS matching,
        ${idsOf(search, request)}`)
  }

  const fromIndexUpTo = (
    search: TripSearch,
    request: PageRequest,
    { further, indexed }: Index,
    most: number,
    estimate: Statement.Fragment
  ) => {
    const over = literalCount(sql, most + 1)
    const limit = sql`(SELECT CASE WHEN is_long THEN 0 ELSE ${over} END FROM index)`
    const candidatesIfFew = sql`(
      SELECT * FROM candidates WHERE (SELECT count(*) FROM candidates) < ${over}) candidates`
    const stages = stagesOfIndexes(sql`
      WITH index AS MATERIALIZED (${estimate}),
        candidates AS MATERIALIZED (${probe(search.businessId, indexed, limit, sql`(SELECT words FROM index)`)}),
        matches AS MATERIALIZED (${listedOf(search, further, candidatesIfFew)})
      SELECT (SELECT count(*) FROM candidates) AS read, (SELECT count(*) FROM matches) AS matching,
        ${idsOf(search, request)}, (SELECT is_long FROM index) AS is_left_out`)
    return Effect.map(stages, ([stage = { ...noTrips, is_left_out: false }]) => stage)
  }

  /**
   * The trips of the list among those of an index; none if the index has more than `most` trips. `read` is the number
   * of its trips.
   */
  const fromIndex = (search: TripSearch, request: PageRequest, index: Index, most: number) =>
    fromIndexUpTo(search, request, index, most, noEstimate(search.businessId, index.indexed))

  /** As {@link fromIndex}, but an index that probably has many trips, by an estimate, is left out. */
  const fromShortIndex = (search: TripSearch, request: PageRequest, index: Index, most: number) =>
    fromIndexUpTo(search, request, index, most, estimateOf(search.businessId, index.indexed))

  /** The trips of the list among all those of the index of the words or, without words, of that of changes. */
  const fromWholeIndex = (search: TripSearch, request: PageRequest) => {
    const { businessId, criteria } = search
    return readStage(sql`
      WITH candidates AS MATERIALIZED (${matchingIds(businessId, criteria)}),
        matches AS MATERIALIZED (${listedOf(search, { ...criteria, words: undefined }, sql`candidates`)})
      SELECT 0 AS read, least((SELECT count(*) FROM matches), ${tooMany}) AS matching, ${idsOf(search, request)}`)
  }

  return { count, fromIndex, fromList, fromShortIndex, fromWholeIndex }
}
