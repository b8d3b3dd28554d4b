import { DateTime, Effect, Option, Schema } from "effect"
import {
  type BusinessId,
  offsetOf,
  type PageRequest,
  pageTooDeep,
  reachOf,
  StoredTrip,
  type Trip,
  TripListRepository,
  type TripQuery,
  traced
} from "@livery/domain"
import { cursorOf, numbersOf } from "../sql/lists/Cursors.ts"
import { rowsDecoder } from "../sql/rows/RowDecoder.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { columnOf, type ListPlace } from "./TripListSql.ts"
import { type Range, tripPageSql } from "./TripPageSql.ts"
import { tripColumns, tripRows } from "./TripRows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

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

/** What the first row of a page says about the list. */
const summariesOf = rowsAs(
  Schema.Struct({
    total: Schema.NullOr(Schema.Int),
    last_at: Schema.NullOr(Schema.DateTimeUtc),
    last_id: Schema.NullOr(Schema.Int)
  })
)

/** Whether a row has a trip: a page without trips is one row, which says what {@link summariesOf} reads. */
const hasTrip = (row: object) => "trip_id" in row && row.trip_id !== null

/** Where a page begins: after a cursor, or after so many trips. */
type Start = Pick<Range, "after" | "offset">

/** A page is read by one statement (`TripPageSql.ts`), so that no trip that changes meanwhile is skipped or repeated. */
export const layer = onPostgres(TripListRepository, (sql) => {
  const columns = tripColumns(sql)
  const { orderOf, pageOf } = tripPageSql(sql)

  /** The statement of a page: whole trips. LIMIT 1 makes PostgreSQL look up each trip by its key. */
  const rowsOf = (businessId: BusinessId, query: TripQuery, range: Range) => {
    const { definitions, last, page, total } = pageOf(businessId, query, range)
    return sql<object>`
      WITH ${definitions}
      SELECT l.total, l.last_at, l.last_id, ${columns(businessId)}
      FROM (
        SELECT ${total} AS total, e.at AS last_at, e.trip_id AS last_id FROM (SELECT) o LEFT JOIN (${last}) e ON true) l
      LEFT JOIN ${page} p ON true
      LEFT JOIN LATERAL (SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.trip_id LIMIT 1) t ON true
      ORDER BY ${orderOf(query, "t", columnOf(query))}`
  }

  const placeOf = (query: TripQuery, trip: Trip): ListPlace => ({
    at: DateTime.toEpochMillis(trip[columnOf(query)]),
    tripId: trip.trip_id
  })

  const read = Effect.fnUntraced(function* (
    businessId: BusinessId,
    query: TripQuery,
    { page, perPage }: PageRequest,
    { after, offset }: Start
  ) {
    if (query.words?.length === 0) return { page, items: [], total: 0, hasMore: false, nextCursor: undefined }
    const rows = yield* Effect.orDie(rowsOf(businessId, query, { perPage, offset, after }))
    const [summary] = yield* summariesOf(Effect.succeed(rows.slice(0, 1)))
    const trips = decodeTrips(yield* Effect.orDie(tripRows(Effect.succeed(rows.filter(hasTrip)))))
    const items = trips.slice(0, perPage)
    const final = items.at(-1)
    const { last_at = null, last_id = null, total = null } = summary ?? {}
    const tested =
      last_at !== null && last_id !== null
        ? { at: DateTime.toEpochMillis(last_at), tripId: last_id }
        : undefined
    // Which trips a page number skips is not known if filters were not tested on all trips before it.
    if (tested !== undefined && offset > 0) return yield* pageTooDeep()
    const next = trips.length > perPage && final !== undefined ? placeOf(query, final) : tested
    return {
      page,
      items,
      total: total ?? undefined,
      hasMore: next !== undefined,
      nextCursor: next && cursorOf([page + 1, next.at, next.tripId])
    }
  })

  const page = traced("TripListPg.page")(function* (
    businessId: BusinessId,
    query: TripQuery,
    request: PageRequest
  ) {
    const offset = offsetOf(request)
    if (offset > reachOf(query, request)) return yield* pageTooDeep()
    return yield* read(businessId, query, request, { offset, after: undefined })
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
    return Option.some({ ...(yield* Effect.orDie(found)), total: undefined })
  })

  return { page, after }
})
