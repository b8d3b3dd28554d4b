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
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { maxCount, maxTripsTested, type PageRequest, type TripCriteria, type TripId } from "@livery/domain"
import { type Index, indexesOf, tripMatchStages, type TripSearch } from "./TripMatchStages.ts"

/** A page of ids, with one id more if more follow. `total` is undefined if it was not counted. */
interface Matching {
  readonly ids: ReadonlyArray<TripId>
  readonly total: number | undefined
}

/** Whether the criteria have a search or an instant of change. */
export const needsMatching = ({ updatedSince, words }: TripCriteria): boolean =>
  updatedSince !== undefined || words !== undefined

/** Reads pages of matching trips. */
export const matchingTrips = (sql: SqlClient.SqlClient) => {
  const { count, fromIndex, fromList, fromShortIndex, fromWholeIndex } = tripMatchStages(sql)

  /** Stage 1. Returns the page, or the indexes that it left out. */
  const readShortIndexes = Effect.fnUntraced(function* (search: TripSearch, request: PageRequest) {
    const { criteria, list } = search
    const leftOut: Array<Index> = []
    const maxIndexed = list.isFiltered ? maxTripsTested : maxCount
    for (const index of indexesOf(criteria)) {
      const all = list.isProbablyShort ? undefined : yield* fromShortIndex(search, request, index, maxIndexed)
      if (all !== undefined && !all.is_left_out && all.read <= maxIndexed)
        return { page: { ids: all.ids, total: all.matching }, leftOut }
      if (all === undefined || all.is_left_out || maxIndexed < maxCount) leftOut.push(index)
    }
    return { page: undefined, leftOut }
  })

  /** Stages 2 and 4. Returns the page if the first `most` trips of the list suffice. */
  const readStartOfList = Effect.fnUntraced(function* (
    search: TripSearch,
    request: PageRequest,
    most: number,
    isCounted: boolean
  ) {
    const first = yield* fromList(search, request, most)
    if (first.read <= most) return { ids: first.ids, total: first.matching }
    if (first.ids.length <= request.perPage) return undefined
    return { ids: first.ids, total: isCounted ? yield* count(search) : undefined }
  })

  /** Stage 3. Returns the page if one of the indexes has at most `maxCount` trips. */
  const readIndexes = Effect.fnUntraced(function* (
    search: TripSearch,
    request: PageRequest,
    indexes: ReadonlyArray<Index>
  ) {
    for (const index of indexes) {
      const all = yield* fromIndex(search, request, index, maxCount)
      if (all.read <= maxCount) return { ids: all.ids, total: all.matching }
    }
    return undefined
  })

  return Effect.fnUntraced(function* (
    search: TripSearch,
    request: PageRequest,
    { isCounted }: { readonly isCounted: boolean }
  ): Effect.fn.Return<Matching> {
    if (search.criteria.words?.length === 0) return { ids: [], total: 0 }
    const { leftOut, page } = yield* readShortIndexes(search, request)
    const found =
      page ??
      (yield* readStartOfList(search, request, maxTripsTested, isCounted)) ??
      (yield* readIndexes(search, request, leftOut)) ??
      (yield* readStartOfList(search, request, maxCount, isCounted))
    if (found !== undefined) return found
    const all = yield* fromWholeIndex(search, request)
    return { ids: all.ids, total: all.matching }
  })
}
