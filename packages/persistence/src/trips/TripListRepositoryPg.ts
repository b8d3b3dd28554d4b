/** The domain's `TripListRepository` on PostgreSQL. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type BusinessId,
  maxCount,
  maxTripsTested,
  offsetOf,
  type PageRequest,
  StoredTrip,
  type Trip,
  TripListRepository,
  type TripPage,
  type TripQuery,
  traced
} from "@livery/domain"
import { cursorOf, numbersOf } from "../sql/lists/Cursors.ts"
import { countedPagesOf, pageOf } from "../sql/lists/Pages.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { isRareClass } from "./VehicleClasses.ts"
import { matchingTrips, needsMatching } from "./MatchingTrips.ts"
import { hasSelectiveFilter, type ListCursor, tripListSql, type DriverPlan } from "./TripListSql.ts"
import { readTrips, tripColumns, tripRows } from "./TripRows.ts"

/** The range of dates that a `Timestamp` can express, plus a day for its offset. */
const [firstDate, lastDate] = [Date.UTC(1969, 11, 31), Date.UTC(3000, 0, 2)]

/** Parses a cursor; `None` for a text that no page has returned. */
const parseCursor = (cursor: string): Option.Option<ListCursor> =>
  Option.flatMap(numbersOf(cursor), ([page = 0, tripDate = 0, tripId = 0, ...others]) =>
    others.length === 0 && page > 1 && tripId > 0 && tripDate >= firstDate && tripDate <= lastDate
      ? Option.some({ page, tripDate, tripId })
      : Option.none()
  )

/** The fields of a query that are no filters of the list: `MatchingTrips` adds a search and `updatedSince`. */
const noFilters: ReadonlySet<string> = new Set<keyof TripQuery>(["order", "updatedSince", "words"])

/** Filters by a value that many trips may have. */
const wideFilters: ReadonlySet<string> = new Set<keyof TripQuery>([
  "driverStatus",
  "paymentStatus",
  "status",
  "tripType"
])

/** The filters that a query has, except for a search and `updatedSince`. */
const filtersOf = (query: TripQuery): ReadonlyArray<string> =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined || noFilters.has(name) ? [] : [name]))

const countedTrips = countedPagesOf(StoredTrip)
const sizesAs = rowsAs(Schema.Struct({ of_driver: Schema.Int, of_others: Schema.Int }))

/**
 * Each filter has an index in the order of the list. A page and its total are ranges of that index; whole rows are read
 * for the page only.
 */
export const layer = Layer.effect(
  TripListRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = tripColumns(sql)
    const { conditionsOf, first, firstOfClass, orderOf, sizesOf } = tripListSql(sql)
    const isRare = isRareClass(sql)
    const matching = matchingTrips(sql)

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
      ORDER BY ${orderOf(query, "t")}`

    const withCursor = (number: number, page: Omit<TripPage<Trip>, "page">): TripPage<Trip> => {
      const last = page.hasMore ? page.items.at(-1) : undefined
      return {
        ...page,
        page: number,
        nextCursor: last && cursorOf([number + 1, DateTime.toEpochMillis(last.trip_date), last.trip_id])
      }
    }

    const idsOf = (ids: ReadonlyArray<number>) => sql`SELECT unnest(${ids}::bigint[]) AS trip_id`

    /**
     * Chooses the plan by counting the driver's trips and those of the other filters. Without an indexed filter, it is
     * `driverFirst`.
     */
    const driverPlanOf = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: TripQuery
    ): Effect.fn.Return<DriverPlan> {
      const { driverId, driverStatus, paymentStatus, status, tripType, vehicleClass } = query
      const hasIndexedFilter =
        hasSelectiveFilter(query) ||
        (vehicleClass === undefined && (driverStatus ?? paymentStatus ?? status ?? tripType) !== undefined)
      const [sizes] =
        driverId === undefined || !hasIndexedFilter ? [] : yield* sizesAs(sizesOf(businessId, query))
      if (sizes === undefined || sizes.of_others > maxCount) return "driverFirst"
      const fewer = Math.min(sizes.of_driver, sizes.of_others)
      if (fewer > maxTripsTested) return "intersect"
      return fewer === sizes.of_driver ? "driverFirst" : "filtersFirst"
    })

    /** Reads the rows of a page, whose trips are those of a range of the list, and one more. */
    const readRange = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: TripQuery,
      range: Parameters<typeof first>[2],
      columns: Statement.Fragment
    ) {
      const { driverId, vehicleClass } = query
      const needed = (range.offset ?? 0) + range.count
      // If many cars have the class, reading the first trips of each car costs more than testing the list.
      if (
        vehicleClass !== undefined &&
        driverId === undefined &&
        !hasSelectiveFilter(query) &&
        needed <= maxCount &&
        !(yield* isRare(businessId, vehicleClass))
      ) {
        const tested = 2 * needed <= maxTripsTested ? maxTripsTested : maxCount
        const rows = yield* rowsOf(businessId, query, firstOfClass(businessId, query, range, tested), columns)
        if (rows.length === range.count) return rows
      }
      return yield* rowsOf(businessId, query, first(businessId, query, range), columns)
    })

    /** A page of the trips that match a search, after a cursor if one is given. */
    const matchingPage = Effect.fnUntraced(function* (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest,
      { after, isCounted }: { readonly isCounted: boolean; readonly after?: ListCursor }
    ) {
      const filters = filtersOf(query)
      const list = {
        first: (count: number) => first(businessId, query, { count, after }),
        conditions: conditionsOf(businessId, query, after),
        order: orderOf(query),
        isFiltered: filters.length > 0,
        isProbablyShort: filters.some((name) => !wideFilters.has(name))
      }
      const { ids, total } = yield* matching({ businessId, criteria: query, list }, request, { isCounted })
      const rows = yield* readTrips(rowsOf(businessId, query, idsOf(ids.slice(0, request.perPage)), sql``))
      const counts = total === undefined || total > maxCount ? undefined : total
      return { items: rows, total: counts, hasMore: ids.length > request.perPage }
    })

    const page = traced("TripListPg.page")(function* (
      businessId: BusinessId,
      query: TripQuery,
      request: PageRequest,
      isCounted = true
    ) {
      if (needsMatching(query))
        return withCursor(request.page, yield* matchingPage(businessId, query, request, { isCounted }))
      const driverPlan = yield* driverPlanOf(businessId, query)
      const range = { count: request.perPage + 1, offset: offsetOf(request), driverPlan }
      if (!isCounted) {
        const rows = yield* readTrips(readRange(businessId, query, range, sql``))
        return withCursor(request.page, pageOf(request, rows, undefined))
      }
      const counted = sql`
        SELECT count(*) AS total
        FROM (${first(businessId, query, { count: maxCount + 1, isOrdered: false, driverPlan })}) c`
      const rows = readRange(businessId, query, range, sql`, (${counted}) AS total`)
      return withCursor(request.page, yield* countedTrips(request, tripRows(rows), counted))
    })

    const after = traced("TripListPg.after")(function* (
      businessId: BusinessId,
      query: TripQuery,
      cursor: string,
      perPage: number
    ) {
      const parsed = parseCursor(cursor)
      if (Option.isNone(parsed)) return Option.none()
      const { page } = parsed.value
      if (needsMatching(query)) {
        const matched = yield* matchingPage(
          businessId,
          query,
          { page: 1, perPage },
          { isCounted: false, after: parsed.value }
        )
        return Option.some(withCursor(page, { ...matched, total: undefined }))
      }
      const range = {
        count: perPage + 1,
        after: parsed.value,
        driverPlan: yield* driverPlanOf(businessId, query)
      }
      const rows = yield* readTrips(readRange(businessId, query, range, sql``))
      return Option.some(withCursor(page, pageOf({ page, perPage }, rows, undefined)))
    })

    return TripListRepository.of({ page, after })
  })
)
