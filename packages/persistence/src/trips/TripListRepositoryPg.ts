/** The domain's `TripListRepository` on PostgreSQL. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type BusinessId,
  countedAtMost,
  offsetOf,
  type PageRequest,
  type Trip,
  TripListRepository,
  type TripQuery
} from "@livery/domain"
import { instant, rowsAs } from "../sql/Rows.ts"
import { tripColumns, tripOf, TripRow } from "./TripRows.ts"

/** Behind which trip a page begins, and which page that is to one who counts them. */
interface Place {
  readonly page: number
  readonly tripDate: number
  readonly tripId: number
}

const cursorOf = ({ page, tripDate, tripId }: Place) =>
  Buffer.from(`${page}.${tripDate}.${tripId}`).toString("base64url")

/** What a `Timestamp` can say, with a day for its offset. */
const [firstDate, lastDate] = [Date.UTC(1969, 11, 31), Date.UTC(3000, 0, 2)]

/** The place that a cursor means, if it is one, letter by letter as it was given out. */
const placeOf = (cursor: string): Option.Option<Place> => {
  const text = Buffer.from(cursor, "base64url").toString("latin1")
  const [page = 0, tripDate = 0, tripId = 0] = text.split(".").map(Number)
  const place = { page, tripDate, tripId }
  return cursorOf(place) === cursor &&
    Number.isSafeInteger(page) &&
    page > 1 &&
    Number.isSafeInteger(tripId) &&
    tripId > 0 &&
    Number.isInteger(tripDate) &&
    tripDate >= firstDate &&
    tripDate <= lastDate
    ? Option.some(place)
    : Option.none()
}

const counts = rowsAs(Schema.Struct({ total: Schema.Int }))
const trips = rowsAs(TripRow)

/** A trip on a page, beside how many there are in all, counted one further than totals are told. */
const countedTrips = rowsAs(Schema.Struct({ ...TripRow.fields, total: Schema.Int }))

/**
 * Each combination of filters has an index of its own, in the order of the list: a page and its total are stretches
 * of that index, and whole rows are read for the page alone.
 */
export const layer = Layer.effect(
  TripListRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const conditionsOf = (businessId: BusinessId, query: TripQuery) =>
      sql.and([
        sql`business_id = ${businessId}`,
        sql`deleted_at IS NULL`,
        ...(query.status === undefined ? [] : [sql`status = ${query.status}`]),
        ...(query.paymentStatus === undefined ? [] : [sql`payment_status = ${query.paymentStatus}`]),
        ...(query.customerId === undefined ? [] : [sql`customer_id = ${query.customerId}`]),
        ...(query.from === undefined ? [] : [sql`trip_date >= ${instant(query.from)}`]),
        ...(query.before === undefined ? [] : [sql`trip_date < ${instant(query.before)}`])
      ])

    const orderOf = ({ order }: TripQuery, of: "" | "t." = "") =>
      sql.literal(
        order === "soonest"
          ? `${of}trip_date ASC, ${of}trip_id ASC`
          : `${of}trip_date DESC, ${of}trip_id DESC`
      )

    /** Written out: a plan made once for any number of rows reads more than it would for these few. */
    const rowCount = (rows: number) => sql.literal(String(Math.trunc(rows)))

    const behind = (query: TripQuery, { tripDate, tripId }: Place) =>
      query.order === "soonest"
        ? sql`(trip_date, trip_id) > (${new Date(tripDate)}::timestamptz, ${tripId}::bigint)`
        : sql`(trip_date, trip_id) < (${new Date(tripDate)}::timestamptz, ${tripId}::bigint)`

    /** Whole trips, looked up one by one by LIMIT 1: left to choose, PostgreSQL may read all of them for the join. */
    const rowsOf = (
      businessId: BusinessId,
      query: TripQuery,
      ids: Statement.Fragment,
      beside: Statement.Fragment
    ) => sql`
      SELECT ${tripColumns(sql)}${beside} FROM (${ids}) p
      CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.trip_id LIMIT 1) t
      ORDER BY ${orderOf(query, "t.")}`

    /** One more than the page holds tells whether another page follows, also beyond what is counted. */
    const pageOf = (
      { page, perPage }: PageRequest,
      rows: ReadonlyArray<typeof TripRow.Type>,
      total: number | undefined
    ) => {
      const items: ReadonlyArray<Trip> = rows.slice(0, perPage).map(tripOf)
      const last = items.at(-1)
      const hasMore = rows.length > perPage
      return {
        page,
        items,
        hasMore,
        total: total === undefined || total > countedAtMost ? undefined : total,
        nextCursor:
          hasMore && last !== undefined
            ? cursorOf({
                page: page + 1,
                tripDate: DateTime.toEpochMillis(last.trip_date),
                tripId: last.trip_id
              })
            : undefined
      }
    }

    const page = Effect.fn("TripListRepositoryPg.page")(function* (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest,
      isCounted = true
    ) {
      const conditions = conditionsOf(businessId, query)
      const order = orderOf(query)
      const ids = sql`
        SELECT trip_id FROM trips WHERE ${conditions} ORDER BY ${order}
        LIMIT ${rowCount(request.perPage + 1)} OFFSET ${offsetOf(request)}`
      if (!isCounted) return pageOf(request, yield* trips(rowsOf(businessId, query, ids, sql``)), undefined)
      const counted = sql`
        SELECT count(*) AS total
        FROM (SELECT FROM trips WHERE ${conditions} ORDER BY ${order} LIMIT ${rowCount(countedAtMost + 1)}) c`
      const rows = yield* countedTrips(rowsOf(businessId, query, ids, sql`, (${counted}) AS total`))
      const [first] = rows
      const total = first?.total ?? (request.page === 1 ? 0 : ((yield* counts(counted))[0]?.total ?? 0))
      return pageOf(request, rows, total)
    })

    const after = Effect.fn("TripListRepositoryPg.after")(function* (
      businessId: BusinessId,
      query: TripQuery,
      cursor: string,
      perPage: number
    ) {
      const place = placeOf(cursor)
      if (Option.isNone(place)) return Option.none()
      const ids = sql`
        SELECT trip_id FROM trips WHERE ${conditionsOf(businessId, query)} AND ${behind(query, place.value)}
        ORDER BY ${orderOf(query)} LIMIT ${rowCount(perPage + 1)}`
      const rows = yield* trips(rowsOf(businessId, query, ids, sql``))
      return Option.some(pageOf({ page: place.value.page, perPage }, rows, undefined))
    })

    return TripListRepository.of({ page, after })
  })
)
