/**
 * Pages of the trips that match a search or were changed since an instant. No index has these trips in the order of a
 * list, and a search may match one trip or all of them. So the first trips of the list are tested one by one: if many
 * match, they fill the page. Otherwise few trips of the list match. The index of words or of changes finds them all, if it
 * has up to `maxCount` trips for the search. If each has more, up to `maxCount` trips of the list are tested. Only if the
 * list is longer too and these do not fill the page, all trips of an index are read.
 *
 * If the first trips fill the page, another statement counts the total. It tests the list up to the largest total that
 * is reported. If the list is longer and not all of the tested trips match, it counts through the index of words.
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
import { rowsAs } from "../sql/Rows.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"

/** The list to search in. */
interface Searched {
  /** `trip_date, trip_id` of the first `count` trips of the list, without regard to the search. */
  readonly first: (count: number) => Statement.Fragment
  /** The conditions of the list on `trips`, without the search. */
  readonly conditions: Statement.Fragment
  /** The order of the list, by `trip_date` and `trip_id`. */
  readonly order: Statement.Fragment
}

/** A page of ids, with one id more if more follow. `total` is undefined if it was not counted. */
interface Matching {
  readonly ids: ReadonlyArray<TripId>
  readonly total: number | undefined
}

const counted = rowsAs(Schema.Struct({ seen: Schema.Int, found: Schema.Int }))
const matching = rowsAs(Schema.Struct({ seen: Schema.Int, found: Schema.Int, ids: Schema.Array(TripId) }))
const nothing = { seen: 0, found: 0, ids: [] }

/** The criteria that have an index of their own, with those that its trips are still to meet. */
const indexesOf = ({
  updatedSince,
  words
}: TripCriteria): ReadonlyArray<{
  readonly indexed: TripCriteria
  readonly further: TripCriteria
}> => [
  ...(words === undefined ? [] : [{ indexed: { words }, further: { updatedSince } }]),
  ...(updatedSince === undefined ? [] : [{ indexed: { updatedSince }, further: { words } }])
]

/** Whether the criteria have a search or an instant of change. */
export const needsMatching = ({ updatedSince, words }: TripCriteria): boolean =>
  updatedSince !== undefined || words !== undefined

/** Reads pages of matching trips. */
export const matchingTrips = (sql: SqlClient.SqlClient) => {
  const { matchesOf, matchingIds } = tripCriteriaSql(sql)
  const literal = (rows: number) => sql.literal(String(Math.trunc(rows)))

  /**
   * `trip_date, trip_id` of the trips of the list among `found` that meet `further` criteria, without an order. `found` has
   * `business_id` and `trip_id`.
   */
  const listedOf = (
    businessId: BusinessId,
    further: TripCriteria,
    list: Searched,
    found: Statement.Fragment
  ) => sql`
    SELECT t.trip_date, t.trip_id FROM ${found}
    CROSS JOIN LATERAL (
      SELECT * FROM trips
      WHERE trips.business_id = ${businessId} AND trips.trip_id = found.trip_id AND ${list.conditions}
        AND ${sql.and([sql`true`, ...matchesOf(businessId, further, sql`trips`)])}
      LIMIT 1) t
    WHERE found.business_id = ${businessId}`

  const oneMatching = (statement: Statement.Statement<object>) =>
    Effect.map(matching(statement), ([row = nothing]) => row)

  /**
   * Up to `maxCount + 1` rows of `matchingIds`. OFFSET 0 and the join keep the limit apart from the scan, for which
   * PostgreSQL might read the table in its own order.
   */
  const probe = (businessId: BusinessId, indexed: TripCriteria) => sql`
    SELECT i.business_id, i.trip_id FROM (${matchingIds(businessId, indexed)} OFFSET 0) i
    CROSS JOIN (VALUES (1), (1) LIMIT 1) once LIMIT ${literal(maxCount + 1)}`

  /** The number of matching trips of the list, or `maxCount + 1` if there are more. */
  const count = Effect.fnUntraced(function* (businessId: BusinessId, criteria: TripCriteria, list: Searched) {
    const [tested] = yield* counted(sql`
      WITH nearest AS MATERIALIZED (${list.first(maxCount + 1)})
      SELECT (SELECT count(*) FROM nearest) AS seen, count(*) AS found FROM nearest
      WHERE ${sql.and(matchesOf(businessId, criteria, sql`nearest`))}`)
    if (tested === undefined || tested.seen <= maxCount || tested.found > maxCount) return tested?.found ?? 0
    // OFFSET 0 keeps the scan of the index apart from the join, and LIMIT ends both at once.
    const found = sql`(${matchingIds(businessId, criteria)} OFFSET 0) found`
    const [all] = yield* counted(sql`
      SELECT 0 AS seen, count(*) AS found
      FROM (${listedOf(businessId, { ...criteria, words: undefined }, list, found)} LIMIT ${literal(maxCount + 1)}) c`)
    return all?.found ?? 0
  })

  return Effect.fnUntraced(function* (
    businessId: BusinessId,
    criteria: TripCriteria,
    list: Searched,
    request: PageRequest,
    isCounted = true
  ): Effect.fn.Return<Matching> {
    if (criteria.words?.length === 0) return { ids: [], total: 0 }
    const page = sql`
      array_to_json(ARRAY(
        SELECT trip_id FROM hits ORDER BY ${list.order}
        LIMIT ${literal(request.perPage + 1)} OFFSET ${offsetOf(request)})) AS ids`

    /** The matching ones among the first `most` trips of the list. `seen` exceeds `most` if the list is longer. */
    const amongFirst = (most: number) =>
      oneMatching(sql`
        WITH nearest AS MATERIALIZED (${list.first(most + 1)}),
          hits AS MATERIALIZED (
            SELECT trip_date, trip_id FROM nearest
            WHERE ${sql.and(matchesOf(businessId, criteria, sql`nearest`))})
        SELECT (SELECT count(*) FROM nearest) AS seen, (SELECT count(*) FROM hits) AS found, ${page}`)

    /**
     * Those of the list among `found` that also match `further`, or none if `found` has more than `most` rows. `seen` is
     * the number of these rows.
     */
    const amongFound = (found: Statement.Fragment, further: TripCriteria, most?: number) => {
      const few = sql`(SELECT * FROM found WHERE (SELECT count(*) FROM found) <= ${literal(most ?? 0)}) found`
      return oneMatching(sql`
        WITH found AS MATERIALIZED (${found}),
          hits AS MATERIALIZED (${listedOf(businessId, further, list, most === undefined ? sql`found` : few)})
        SELECT (SELECT count(*) FROM found) AS seen,
          least((SELECT count(*) FROM hits), ${literal(maxCount + 1)}) AS found, ${page}`)
    }

    for (const most of [maxTripsTested, maxCount]) {
      const first = yield* amongFirst(most)
      if (first.seen <= most) return { ids: first.ids, total: first.found }
      if (first.ids.length > request.perPage)
        return { ids: first.ids, total: isCounted ? yield* count(businessId, criteria, list) : undefined }
      if (most === maxTripsTested)
        for (const { indexed, further } of indexesOf(criteria)) {
          const all = yield* amongFound(probe(businessId, indexed), further, maxCount)
          if (all.seen <= maxCount) return { ids: all.ids, total: all.found }
        }
    }
    const all = yield* amongFound(matchingIds(businessId, criteria), { ...criteria, words: undefined })
    return { ids: all.ids, total: all.found }
  })
}
