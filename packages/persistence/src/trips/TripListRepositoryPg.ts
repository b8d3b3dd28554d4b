/** The domain's `TripListRepository` on PostgreSQL. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type BusinessId,
  maxCount,
  maxTripsTested,
  offsetOf,
  type PageRequest,
  pageTooDeep,
  reachOf,
  StoredTrip,
  type Trip,
  TripListRepository,
  type TripPage,
  type TripQuery,
  traced
} from "@livery/domain"
import { cursorOf, numbersOf } from "../sql/lists/Cursors.ts"
import { rowsDecoder } from "../sql/rows/RowDecoder.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { type ListPlace, type Range, tripListSql } from "./TripListSql.ts"
import { tripColumns, tripRows } from "./TripRows.ts"

/** The range of instants that a `Timestamp` can express, plus a day for its offset. */
const [firstDate, lastDate] = [Date.UTC(1969, 11, 31), Date.UTC(3000, 0, 2)]

/** Parses a cursor, with the number of the page that follows it; `None` for a text that no page has returned. */
const parseCursor = (cursor: string): Option.Option<{ readonly page: number; readonly after: ListPlace }> =>
  Option.flatMap(numbersOf(cursor), ([page = 0, at = 0, tripId = 0, ...others]) =>
    others.length === 0 && page > 1 && tripId > 0 && at >= firstDate && at <= lastDate
      ? Option.some({ page, after: { at, tripId } })
      : Option.none()
  )

const decodeTrips = rowsDecoder(StoredTrip)
const totalsOf = rowsAs(Schema.Struct({ total: Schema.NullOr(Schema.Int) }))
const placesOf = rowsAs(Schema.Struct({ at: Schema.DateTimeUtc, trip_id: Schema.Int }))

/** Where a page begins: after a cursor, or after so many trips. */
interface Start {
  readonly after?: ListPlace | undefined
  readonly offset: number
}

/**
 * A list is read from the index of one filter, and the others are tested trip by trip (`TripListSql.ts`). A search is such a
 * test too while many trips match. If fewer than one in twenty of the first trips match, the index of words is read.
 */
export const layer = Layer.effect(
  TripListRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = tripColumns(sql)
    const { idsOf, isTested, lastTested, newestMatches, orderOf, totalOf } = tripListSql(sql)

    /** Whole trips by their ids, with the total, if it is read. LIMIT 1 makes PostgreSQL look up each trip by its key. */
    const readTrips = (
      businessId: BusinessId,
      query: TripQuery,
      ids: Statement.Fragment,
      total: Statement.Fragment | undefined,
      definitions: Statement.Fragment = sql``
    ) => {
      const at = query.updatedSince === undefined ? "trip_date" : "updated_at"
      return Effect.orDie(
        tripRows(sql`
          ${definitions} SELECT ${columns(businessId)}${total === undefined ? sql`` : sql`, ${total} AS total`} FROM (${ids}) p
          CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.trip_id LIMIT 1) t
          ORDER BY ${orderOf(query, "t", at)}`)
      )
    }

    const placeOf = (query: TripQuery, trip: Trip): ListPlace => ({
      at: DateTime.toEpochMillis(query.updatedSince === undefined ? trip.trip_date : trip.updated_at),
      tripId: trip.trip_id
    })

    const pageOf = (
      page: number,
      items: ReadonlyArray<Trip>,
      total: number | undefined,
      next: ListPlace | undefined
    ): TripPage<Trip> => ({
      page,
      items,
      total,
      hasMore: next !== undefined,
      nextCursor: next && cursorOf([page + 1, next.at, next.tripId])
    })

    /** The page of these rows, which have one row more if others follow. */
    const fullPage = Effect.fnUntraced(function* (
      query: TripQuery,
      { page, perPage }: PageRequest,
      rows: ReadonlyArray<object>
    ) {
      const trips = decodeTrips(rows)
      const items = trips.slice(0, perPage)
      const last = trips.length > perPage ? items.at(-1) : undefined
      const [first] = yield* totalsOf(Effect.succeed(rows.slice(0, 1)))
      return pageOf(page, items, first?.total ?? undefined, last && placeOf(query, last))
    })

    /** A page of the newest matches of a search, from the index of words. */
    const searchedPage = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest,
      { after, offset }: Start
    ) {
      const found = newestMatches(businessId, query, after)
      const ids = sql`
        SELECT * FROM found ORDER BY ${orderOf(query, "found")} LIMIT ${request.perPage + 1} OFFSET ${offset}`
      const total = sql`
        (SELECT CASE WHEN count(*) <= ${maxCount} AND (SELECT count(*) FROM newest) <= ${maxTripsTested} THEN count(*) END FROM found)`
      const rows = yield* readTrips(businessId, query, ids, total, found)
      const page = yield* fullPage(query, request, rows)
      if (rows.length > 0 || after !== undefined)
        return after === undefined ? page : { ...page, total: undefined }
      const [counts] = yield* totalsOf(sql`${found} SELECT ${total} AS total`)
      return { ...page, total: counts?.total ?? undefined }
    })

    const read = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest,
      { after, offset }: Start
    ) {
      if (query.words?.length === 0) return pageOf(request.page, [], 0, undefined)
      const tested =
        query.words === undefined
          ? maxTripsTested
          : Math.min(20 * (offset + request.perPage + 1), maxTripsTested)
      const range: Range = { count: request.perPage + 1, offset, after, tested }
      const total = totalOf(businessId, query)
      const ids = idsOf(businessId, query, range)
      const rows = yield* readTrips(businessId, query, ids, after === undefined ? total : undefined)
      if (rows.length === 0 && after === undefined && !isTested(businessId, query)) {
        const [counts] = offset === 0 ? [{ total: 0 }] : yield* totalsOf(sql`SELECT ${total} AS total`)
        return pageOf(request.page, [], counts?.total ?? undefined, undefined)
      }
      const page = yield* fullPage(query, request, rows)
      if (page.hasMore || !isTested(businessId, query)) return page
      // The tested trips do not fill the page. Either the list ends with them, or it has more.
      const [last] = yield* placesOf(lastTested(businessId, query, range))
      if (last === undefined) {
        if (rows.length > 0 || after !== undefined) return page
        const [counts] = yield* totalsOf(sql`SELECT ${total} AS total`)
        return { ...page, total: counts?.total ?? undefined }
      }
      if (query.words !== undefined) return yield* searchedPage(businessId, query, request, { after, offset })
      if (offset > 0) return yield* pageTooDeep()
      const next = { at: DateTime.toEpochMillis(last.at), tripId: last.trip_id }
      return pageOf(request.page, page.items, undefined, next)
    })

    const page = traced("TripListPg.page")(function* (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest
    ) {
      const offset = offsetOf(request)
      if (offset > reachOf(query, request)) return yield* pageTooDeep()
      return yield* read(businessId, query, request, { offset })
    })

    const after = traced("TripListPg.after")(function* (
      businessId: BusinessId,
      query: TripQuery,
      cursor: string,
      perPage: number
    ) {
      const parsed = parseCursor(cursor)
      if (Option.isNone(parsed)) return Option.none()
      const { after: place, page: number } = parsed.value
      const found = read(businessId, query, { page: number, perPage }, { after: place, offset: 0 })
      const { total: _total, ...next } = yield* Effect.orDie(found)
      return Option.some({ ...next, total: undefined })
    })

    return TripListRepository.of({ page, after })
  })
)
