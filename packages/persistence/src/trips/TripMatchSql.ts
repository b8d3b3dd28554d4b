/** SQL for the criteria of trips that have an index of their own: the words of a search, and the instant of a change. */
import type { SqlClient, Statement } from "effect/sql"
import { type BusinessId, maxTripsTested, type TripCriteria } from "@livery/domain"
import { literalCount } from "../sql/lists/PageLimits.ts"
import { instant } from "../sql/rows/Rows.ts"
import { isRareIn, sampleOf } from "../sql/lists/Sample.ts"
import { documentQueryOf } from "../sql/lists/SearchDocument.ts"

type Words = NonNullable<TripCriteria["words"]>

/** The words of a search that has more than one, and no alternatives. */
const severalIn = (words: Words): ReadonlyArray<string> => {
  const [first = [], ...alternatives] = words
  return alternatives.length === 0 && first.length > 1 ? first : []
}

/** Conditions on the trips that match, the ids of these trips, and estimates of their number. */
export const tripMatchSql = (sql: SqlClient.SqlClient) => {
  const asQuery = (businessId: BusinessId, words: Words) =>
    sql`${documentQueryOf(businessId, words)}::tsquery`

  /** Conditions on a row with a `trip_id`, called `of`, for the criteria that need an index of their own. */
  const matchesOf = (
    businessId: BusinessId,
    { updatedSince, words }: TripCriteria,
    of: Statement.Fragment
  ) => [
    ...(words === undefined
      ? []
      : [
          sql`(
            SELECT s.trip_id FROM trip_search s
            WHERE s.business_id = ${businessId} AND s.trip_id = ${of}.trip_id
              AND s.search @@ ${asQuery(businessId, words)}) IS NOT NULL`
        ]),
    ...(updatedSince === undefined
      ? []
      : [
          sql`(
            SELECT u.trip_id FROM trips u
            WHERE u.business_id = ${businessId} AND u.trip_id = ${of}.trip_id
              AND u.updated_at >= ${instant(updatedSince)}) IS NOT NULL`
        ])
  ]

  /**
   * `business_id, trip_id` of all trips that match the search; without a search, of those that were changed since. The
   * words of a search contain the business's id. With a further condition on `business_id` and old statistics, PostgreSQL
   * would read every row of the business instead of the index of words. So the caller compares `business_id` afterwards.
   * With `indexed`, the text of a `tsquery`, the index is read by these of several words, and its trips are tested for all.
   */
  const matchingIds = (
    businessId: BusinessId,
    { updatedSince, words }: TripCriteria,
    indexed?: Statement.Fragment
  ) => {
    if (words !== undefined) {
      const isMatch = sql`search @@ ${asQuery(businessId, words)}`
      const isPart = indexed !== undefined && severalIn(words).length > 0
      // IS TRUE makes the condition one that PostgreSQL does not look up in the index.
      const where = isPart ? sql`search @@ ${indexed}::tsquery AND (${isMatch}) IS TRUE` : isMatch
      return sql`SELECT business_id, trip_id FROM trip_search WHERE ${where}`
    }
    // For a range with two bounds, PostgreSQL expects few rows, whatever the parameters are. So it reads the index of
    // changes.
    const since =
      updatedSince === undefined
        ? sql``
        : sql`AND updated_at >= ${instant(updatedSince)} AND updated_at <= 'infinity'`
    return sql`SELECT business_id, trip_id FROM trips WHERE business_id = ${businessId} AND deleted_at IS NULL ${since}`
  }

  /**
   * The words to read the index of words by, as the text of a `tsquery`: those of several that are rare by a sample of the
   * trips, or else all of them if they are rare together. NULL if not even that. To read the index by a common word takes
   * long, because PostgreSQL collects all trips that have it.
   */
  const rareWords = (businessId: BusinessId, words: Words) => {
    const all = documentQueryOf(businessId, words)
    const sample = sampleOf(sql, {
      table: sql`trip_search`,
      id: sql`trip_id`,
      where: sql`business_id = ${businessId}`
    })
    const allIfRare = (of: Statement.Fragment) =>
      sql`(SELECT ${all}::text WHERE ${isRareIn(sql, of, sql`s`, sql`s.search @@ ${all}::tsquery`)})`
    const each = severalIn(words).map((word) => documentQueryOf(businessId, [[word]]))
    if (each.length === 0) return allIfRare(sample)
    return sql`(
      WITH sample AS MATERIALIZED ${sample}
      SELECT coalesce(
        (SELECT string_agg(word, ' & ') FROM unnest(${each}::text[]) word
         WHERE ${isRareIn(sql, sql`sample`, sql`s`, sql`s.search @@ word::tsquery`)}),
        ${allIfRare(sql`sample`)}))`
  }

  /**
   * A row with `is_long`, whether the index of the words, or else that of changes, probably has many trips, and the `words` to
   * read it by.
   */
  const estimateOf = (businessId: BusinessId, { updatedSince, words }: TripCriteria) =>
    words === undefined
      ? sql`
          SELECT count(*) > ${literalCount(sql, maxTripsTested)} AS is_long, NULL::text AS words FROM (
            ${matchingIds(businessId, { updatedSince })} LIMIT ${literalCount(sql, maxTripsTested + 1)}) changed`
      : // Without OFFSET 0, PostgreSQL would draw the sample for each of the two columns.
        sql`SELECT words IS NULL AS is_long, words FROM (SELECT ${rareWords(businessId, words)} AS words OFFSET 0) w`

  /** As {@link estimateOf}, to read the index in any case. */
  const noEstimate = (businessId: BusinessId, { words }: TripCriteria) =>
    sql`SELECT false AS is_long, ${words === undefined ? null : documentQueryOf(businessId, words)}::text AS words`

  return { estimateOf, matchesOf, matchingIds, noEstimate }
}
