/**
 * Pages of the trips that match a search or were changed since an instant. No index has these trips in the order of a
 * list, and a search may match one trip or all of them. So a page is read in stages, until one of them suffices:
 *
 *     1. unless the list is probably short, read the index    suffices if an index has at most `maxCount` trips, or
 *        of words by those that few trips have, then that     `maxTripsTested` if the list has other filters
 *        of changes, each unless it probably has many trips
 *     2. test the first `maxTripsTested` trips of the list    suffices if many trips match: they fill the page
 *     3. read the indexes that stage 1 left out, or read      suffices if an index has at most `maxCount` trips
 *        only up to `maxTripsTested`
 *     4. test the first `maxCount` trips of the list          suffices if the list is no longer, or the page is full
 *     5. read all matching trips of an index
 *
 * If the tested trips fill the page, another statement counts the total: that of changes through their index, if that has
 * fewer trips than the list. Otherwise it tests the list up to the largest total that is reported. If the list is longer
 * and not all of the tested trips match, it counts through the index of words.
 */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import {
  type BusinessId,
  maxCount,
  maxTripsTested,
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

/** A page of ids, with one id more if more follow. `total` is undefined if it was not counted. */
interface Matching {
  readonly ids: ReadonlyArray<TripId>
  readonly total: number | undefined
}

/** The lengths of a list and of an index, up to the largest total that is reported and one more. */
const lengthsOf = rowsAs(Schema.Struct({ listed: Schema.Int, indexed: Schema.Int }))

/** The numbers of trips that were read and that match. */
const Counts = Schema.Struct({ read: Schema.Int, matching: Schema.Int })
const countsOf = rowsAs(Counts)
const Stage = Schema.Struct({ ...Counts.fields, ids: Schema.Array(TripId) })
const stagesOf = rowsAs(Stage)
const stagesOfIndexes = rowsAs(Schema.Struct({ ...Stage.fields, is_left_out: Schema.Boolean }))
const noTrips = { read: 0, matching: 0, ids: [] }

/** Criteria that have an index of their own (`indexed`), with the criteria to test its trips by (`further`). */
interface Index {
  readonly indexed: TripCriteria
  readonly further: TripCriteria
}

const indexesOf = ({ updatedSince, words }: TripCriteria): ReadonlyArray<Index> => [
  ...(words === undefined ? [] : [{ indexed: { words }, further: { updatedSince } }]),
  ...(updatedSince === undefined ? [] : [{ indexed: { updatedSince }, further: { words } }])
]

/** Whether the criteria have a search or an instant of change. */
export const needsMatching = ({ updatedSince, words }: TripCriteria): boolean =>
  updatedSince !== undefined || words !== undefined

/** Reads pages of matching trips. */
export const matchingTrips = (sql: SqlClient.SqlClient) => {
  const { estimateOf, matchesOf, matchingIds, noEstimate } = tripMatchSql(sql)

  /**
   * `trip_date, trip_id` of the trips of the list among `candidates` that meet the `further` criteria, in no order.
   * `candidates` has `business_id` and `trip_id`.
   */
  const listedOf = (
    businessId: BusinessId,
    further: TripCriteria,
    list: SearchedList,
    candidates: Statement.Fragment
  ) => sql`
    SELECT t.trip_date, t.trip_id FROM ${candidates}
    CROSS JOIN LATERAL (
      SELECT * FROM trips
      WHERE trips.business_id = ${businessId} AND trips.trip_id = candidates.trip_id AND ${list.conditions}
        AND ${sql.and([sql`true`, ...matchesOf(businessId, further, sql`trips`)])}
      LIMIT 1) t
    WHERE candidates.business_id = ${businessId}`

  const readStage = (statement: Statement.Statement<object>) =>
    Effect.map(stagesOf(statement), ([stage = noTrips]) => stage)

  /** One more than the largest total that is reported. */
  const tooMany = literalCount(sql, maxCount + 1)

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
  const countChanges = Effect.fnUntraced(function* (
    businessId: BusinessId,
    criteria: TripCriteria,
    list: SearchedList
  ) {
    const changes = probe(businessId, criteria)
    // Only whether the list is longer matters, so no more of it is counted.
    const [lengths] = yield* lengthsOf(sql`
      WITH changed AS MATERIALIZED (SELECT count(*) AS indexed FROM (${changes}) i)
      SELECT indexed, (
        SELECT count(*) FROM (
          SELECT FROM (${list.first(maxCount + 1)}) l LIMIT (SELECT indexed + 1 FROM changed)) l) AS listed
      FROM changed`)
    if (lengths === undefined || lengths.indexed > maxCount || lengths.indexed >= lengths.listed) return
    const [all] = yield* countsOf(sql`
      SELECT 0 AS read, count(*) AS matching
      FROM (${listedOf(businessId, {}, list, sql`(${changes}) candidates`)}) c`)
    return all?.matching
  })

  /** The number of matching trips of the list, or `maxCount + 1` if there are more. */
  const count = Effect.fnUntraced(function* (
    businessId: BusinessId,
    criteria: TripCriteria,
    list: SearchedList
  ) {
    const changed = criteria.words === undefined ? yield* countChanges(businessId, criteria, list) : undefined
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
      FROM (${listedOf(businessId, { ...criteria, words: undefined }, list, candidates)} LIMIT ${tooMany}) c`)
    return all?.matching ?? 0
  })

  return Effect.fnUntraced(function* (
    businessId: BusinessId,
    criteria: TripCriteria,
    list: SearchedList,
    request: PageRequest,
    isCounted = true
  ): Effect.fn.Return<Matching> {
    if (criteria.words?.length === 0) return { ids: [], total: 0 }
    const page = sql`
      array_to_json(ARRAY(
        SELECT trip_id FROM matches ORDER BY ${list.order}
        LIMIT ${literalCount(sql, request.perPage + 1)} OFFSET ${offsetOf(request)})) AS ids`

    /**
     * The matching ones among the first `most` trips of the list. `read` exceeds `most` if the list is longer; the page
     * then needs no trips after those that fill it. PostgreSQL from version 17 on does not sort what is in order, and
     * tests no further trips.
     */
    const fromList = (most: number) => {
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
        SELECT (SELECT count(*) FROM first_trips) AS read, (SELECT count(*) FROM matches) AS matching, ${page}`)
    }

    /**
     * The trips of the list among those of an index; none if the index has more than `most` trips. `read` is the number
     * of its trips. By an estimate, an index that probably has many is left out.
     */
    const fromIndex = ({ further, indexed }: Index, estimate: Statement.Fragment, most: number) => {
      const over = literalCount(sql, most + 1)
      const limit = sql`(SELECT CASE WHEN is_long THEN 0 ELSE ${over} END FROM index)`
      const candidatesIfFew = sql`(
        SELECT * FROM candidates WHERE (SELECT count(*) FROM candidates) < ${over}) candidates`
      const stages = stagesOfIndexes(sql`
        WITH index AS MATERIALIZED (${estimate}),
          candidates AS MATERIALIZED (${probe(businessId, indexed, limit, sql`(SELECT words FROM index)`)}),
          matches AS MATERIALIZED (${listedOf(businessId, further, list, candidatesIfFew)})
        SELECT (SELECT count(*) FROM candidates) AS read, (SELECT count(*) FROM matches) AS matching, ${page},
          (SELECT is_long FROM index) AS is_left_out`)
      return Effect.map(stages, ([stage = { ...noTrips, is_left_out: false }]) => stage)
    }

    const leftOut: Array<Index> = []
    const maxIndexed = list.isFiltered ? maxTripsTested : maxCount
    for (const index of indexesOf(criteria)) {
      const all = list.isProbablyShort
        ? undefined
        : yield* fromIndex(index, estimateOf(businessId, index.indexed), maxIndexed)
      if (all !== undefined && !all.is_left_out && all.read <= maxIndexed)
        return { ids: all.ids, total: all.matching }
      if (all === undefined || all.is_left_out || maxIndexed < maxCount) leftOut.push(index)
    }
    for (const most of [maxTripsTested, maxCount]) {
      const first = yield* fromList(most)
      if (first.read <= most) return { ids: first.ids, total: first.matching }
      if (first.ids.length > request.perPage)
        return { ids: first.ids, total: isCounted ? yield* count(businessId, criteria, list) : undefined }
      if (most === maxTripsTested)
        for (const index of leftOut) {
          const all = yield* fromIndex(index, noEstimate(businessId, index.indexed), maxCount)
          if (all.read <= maxCount) return { ids: all.ids, total: all.matching }
        }
    }
    const further = { ...criteria, words: undefined }
    const all = yield* readStage(sql`
      WITH candidates AS MATERIALIZED (${matchingIds(businessId, criteria)}),
        matches AS MATERIALIZED (${listedOf(businessId, further, list, sql`candidates`)})
      SELECT 0 AS read, least((SELECT count(*) FROM matches), ${tooMany}) AS matching, ${page}`)
    return { ids: all.ids, total: all.matching }
  })
}
