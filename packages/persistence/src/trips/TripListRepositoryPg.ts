/** The domain's `TripListRepository` on PostgreSQL. */
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type BusinessId,
  maxCount,
  offsetOf,
  type PageRequest,
  StoredTrip,
  type Trip,
  TripListRepository,
  type TripPage,
  type TripQuery
} from "@livery/domain"
import { cursorOf, numbersOf } from "../sql/Cursors.ts"
import { countedPagesOf, pageOf } from "../sql/Pages.ts"
import { instant, rowsAs } from "../sql/Rows.ts"
import { tripColumns } from "./TripRows.ts"

/** The position before a page: its first trip is the next one after it. */
interface Place {
  readonly page: number
  readonly tripDate: number
  readonly tripId: number
}

/** The range of dates that a `Timestamp` can express, plus a day for its offset. */
const [firstDate, lastDate] = [Date.UTC(1969, 11, 31), Date.UTC(3000, 0, 2)]

const placeOf = (cursor: string): Option.Option<Place> =>
  Option.flatMap(numbersOf(cursor), ([page = 0, tripDate = 0, tripId = 0, ...others]) =>
    others.length === 0 && page > 1 && tripId > 0 && tripDate >= firstDate && tripDate <= lastDate
      ? Option.some({ page, tripDate, tripId })
      : Option.none()
  )

const trips = rowsAs(StoredTrip)
const countedTrips = countedPagesOf(StoredTrip)

/**
 * Each combination of filters has an index in the order of the list. A page and its total are ranges of that index;
 * whole rows are read for the page only.
 */
export const layer = Layer.effect(
  TripListRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = tripColumns(sql)

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

    const orderOf = ({ order }: TripQuery, table: "" | "t." = "") =>
      sql.literal(
        order === "soonest"
          ? `${table}trip_date ASC, ${table}trip_id ASC`
          : `${table}trip_date DESC, ${table}trip_id DESC`
      )

    /**
     * The count as a literal. As a parameter, PostgreSQL would plan for an unknown number of rows and read more than
     * needed.
     */
    const rowCount = (rows: number) => sql.literal(String(Math.trunc(rows)))

    const isAfter = (query: TripQuery, { tripDate, tripId }: Place) =>
      query.order === "soonest"
        ? sql`(trip_date, trip_id) > (${new Date(tripDate)}::timestamptz, ${tripId}::bigint)`
        : sql`(trip_date, trip_id) < (${new Date(tripDate)}::timestamptz, ${tripId}::bigint)`

    /**
     * Whole trips by their ids. LIMIT 1 makes PostgreSQL look up each trip by its key; for a join it might read all
     * trips.
     */
    const rowsOf = (
      businessId: BusinessId,
      query: TripQuery,
      ids: Statement.Fragment,
      moreColumns: Statement.Fragment
    ) => sql`
      SELECT ${columns(businessId)}${moreColumns} FROM (${ids}) p
      CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = ${businessId} AND trip_id = p.trip_id LIMIT 1) t
      ORDER BY ${orderOf(query, "t.")}`

    const withCursor = (number: number, page: Omit<TripPage<Trip>, "page">): TripPage<Trip> => {
      const last = page.hasMore ? page.items.at(-1) : undefined
      return {
        ...page,
        page: number,
        nextCursor: last && cursorOf([number + 1, DateTime.toEpochMillis(last.trip_date), last.trip_id])
      }
    }

    const page = Effect.fn("TripListPg.page")(function* (
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
      if (!isCounted) {
        const rows = yield* trips(rowsOf(businessId, query, ids, sql``))
        return withCursor(request.page, pageOf(request, rows, undefined))
      }
      const counted = sql`
        SELECT count(*) AS total
        FROM (SELECT FROM trips WHERE ${conditions} ORDER BY ${order} LIMIT ${rowCount(maxCount + 1)}) c`
      const rows = rowsOf(businessId, query, ids, sql`, (${counted}) AS total`)
      return withCursor(request.page, yield* countedTrips(request, rows, counted))
    })

    const after = Effect.fn("TripListPg.after")(function* (
      businessId: BusinessId,
      query: TripQuery,
      cursor: string,
      perPage: number
    ) {
      const place = placeOf(cursor)
      if (Option.isNone(place)) return Option.none()
      const { page } = place.value
      const ids = sql`
        SELECT trip_id FROM trips WHERE ${conditionsOf(businessId, query)} AND ${isAfter(query, place.value)}
        ORDER BY ${orderOf(query)} LIMIT ${rowCount(perPage + 1)}`
      const rows = yield* trips(rowsOf(businessId, query, ids, sql``))
      return Option.some(withCursor(page, pageOf({ page, perPage }, rows, undefined)))
    })

    return TripListRepository.of({ page, after })
  })
)
