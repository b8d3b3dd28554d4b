/** The statements that read the ids of a list of trips in its order, each from the index of its filter. */
import type { SqlClient, Statement } from "effect/sql"
import {
  type BusinessId,
  DriverStatus,
  maxCount,
  tripMachine,
  type TripQuery,
  type TripStatus
} from "@livery/domain"
import { sharedLimit, literalCount } from "../sql/lists/PageLimits.ts"
import { instant } from "../sql/rows/Rows.ts"
import { isOnTrip } from "./TripConditions.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"

/**
 * A cursor: the last trip before a page, and the number of that page. `tripDate` is in milliseconds since 1970.
 */
export interface ListCursor {
  readonly page: number
  readonly tripDate: number
  readonly tripId: number
}

/** Which trips of a list to read: `count` trips, after a cursor or after `offset` trips. */
interface Range {
  readonly count: number
  readonly offset?: number
  readonly after?: ListCursor | undefined
  /** False for any `count` trips of the list, in no order, which a total needs. */
  readonly isOrdered?: boolean
  readonly driverPlan?: DriverPlan
  /** True if trips without a driver may be left out: the list is a driver's. */
  readonly isOfDrivers?: boolean
}

/**
 * How to read a driver's trips under further filters:
 *
 * - `driverFirst`: read the driver's trips, and test the other filters on each.
 * - `filtersFirst`: read the trips that the other filters find, and test the driver on each.
 * - `intersect`: read the ids of both, and compare them.
 */
export type DriverPlan = "driverFirst" | "filtersFirst" | "intersect"

/** A table that has the columns `trip_date` and `trip_id`. */
type Table = "trips" | "a" | "f" | "t" | "v"

/** Whether a query has a filter that few trips meet. Its index is read, and the other filters are tested. */
export const hasSelectiveFilter = ({
  carId,
  customerId,
  flightKey,
  groupId,
  reference
}: TripQuery): boolean => (reference ?? flightKey ?? carId ?? customerId ?? groupId) !== undefined

/** The `driver_status` of each trip that has a driver. */
const withDrivers = DriverStatus.literals.filter((status) => status !== "unassigned")

/** Builds the statements of the list. A search and `updatedSince` are left out: `MatchingTrips` adds them. */
export const tripListSql = (sql: SqlClient.SqlClient) => {
  const criteria = tripCriteriaSql(sql)
  const onTrip = sql.literal(`a.status ${isOnTrip}`)

  const skipOf = (offset: number) => (offset === 0 ? sql`` : sql`OFFSET ${offset}`)

  /** A range of a list whose ids are read in order, by one plan for many pages (`sharedLimit`). */
  const rangeOf = (ids: Statement.Fragment, { count, offset = 0 }: Range) => {
    const limit = sql`LIMIT ${literalCount(sql, count)}`
    return offset === 0
      ? sql`${ids} ${limit}`
      : sql`
        SELECT w.trip_date, w.trip_id FROM (${ids} LIMIT ${literalCount(sql, sharedLimit(offset + count))}) w
        ${limit} ${skipOf(offset)}`
  }

  /** A `LIMIT` for a branch of a list, which has to have the trips that are skipped, too. */
  const upTo = ({ count, offset = 0 }: Range) =>
    offset === 0 ? sql`LIMIT ${literalCount(sql, count)}` : sql`LIMIT ${literalCount(sql, count)} + ${offset}`

  const orderOf = ({ order }: TripQuery, table?: Table) => {
    const prefix = table === undefined ? "" : `${table}.`
    const direction = order === "soonest" ? "ASC" : "DESC"
    return sql.literal(`${prefix}trip_date ${direction}, ${prefix}trip_id ${direction}`)
  }

  /** The conditions of the list on the columns `trip_date` and `trip_id` of a table. */
  const timesOf = (
    { before, from, order }: TripQuery,
    after: ListCursor | undefined,
    table: "trips" | "a"
  ) => {
    const name = sql.literal(table)
    const compare = sql.literal(order === "soonest" ? ">" : "<")
    return [
      ...(from === undefined ? [] : [sql`${name}.trip_date >= ${instant(from)}`]),
      ...(before === undefined ? [] : [sql`${name}.trip_date < ${instant(before)}`]),
      ...(after === undefined
        ? []
        : [
            sql`(${name}.trip_date, ${name}.trip_id) ${compare} (${new Date(after.tripDate)}::timestamptz, ${after.tripId}::bigint)`
          ])
    ]
  }

  /** The conditions of the list on the other columns of `trips`. */
  const othersOf = (businessId: BusinessId, query: TripQuery) => [
    ...(query.status === undefined ? [] : [sql`trips.status = ${query.status}`]),
    ...(query.paymentStatus === undefined ? [] : [sql`trips.payment_status = ${query.paymentStatus}`]),
    ...criteria.conditionsOf(businessId, query)
  ]

  const conditionsOf = (businessId: BusinessId, query: TripQuery, after?: ListCursor) =>
    sql.and([
      sql`trips.business_id = ${businessId}`,
      sql`trips.deleted_at IS NULL`,
      ...othersOf(businessId, query),
      ...timesOf(query, after, "trips")
    ])

  /**
   * A driver's trips from the index of the driver's assignments. If there is no other filter, two small indexes of deleted
   * and of reopened trips suffice for the conditions on the trip, so that a count reads no rows of `trips`. For a set, an
   * index of another filter suffices, too. `IS TRUE` keeps the set from being joined: PostgreSQL makes a hash table of it.
   */
  const ofDriver = (
    businessId: BusinessId,
    { driverId, ...query }: TripQuery,
    { after, driverPlan }: Range
  ) => {
    const others = othersOf(businessId, query)
    // More than the set had when its size was read.
    const setOf = () => first(businessId, query, { count: 2 * maxCount, isOrdered: false, isOfDrivers: true })
    const trip = (column: string, condition: Statement.Fragment) => sql`(
      SELECT ${sql.literal(column)} FROM trips
      WHERE trips.business_id = ${businessId} AND trips.trip_id = a.trip_id AND ${condition})`
    const isSince = sql`a.assignment_id > coalesce(${trip("trips.reopened_after", sql`trips.reopened_after IS NOT NULL`)}, 0)`
    const isListed =
      driverPlan === "intersect"
        ? [sql`(a.trip_id IN (SELECT o.trip_id FROM (${setOf()}) o)) IS TRUE`, isSince]
        : others.length > 0
          ? [
              sql`a.assignment_id > ${trip(
                "coalesce(trips.reopened_after, 0)",
                sql.and([sql`trips.deleted_at IS NULL`, ...others])
              )}`
            ]
          : [sql`${trip("trips.trip_id", sql`trips.deleted_at IS NOT NULL`)} IS NULL`, isSince]
    return sql`
      SELECT a.trip_date, a.trip_id FROM assignments a
      WHERE ${sql.and([
        sql`a.business_id = ${businessId}`,
        sql`a.driver_id = ${driverId}`,
        onTrip,
        ...timesOf(query, after, "a"),
        ...isListed
      ])}
      ORDER BY ${orderOf(query, "a")}`
  }

  /** A range of the list `v`, whose branches have the first trips of their own each. */
  const merged = (
    query: TripQuery,
    branches: Statement.Fragment,
    { count, isOrdered = true, offset = 0 }: Range
  ) => sql`
    SELECT v.trip_date, v.trip_id FROM ${branches}
    ${isOrdered ? sql`ORDER BY ${orderOf(query, "v")}` : sql``}
    LIMIT ${literalCount(sql, count)} ${skipOf(offset)}`

  /** The trips of each car of a class, in order. */
  const ofClass = (businessId: BusinessId, { vehicleClass, ...query }: TripQuery, range: Range) => {
    return merged(
      query,
      sql`cars c CROSS JOIN LATERAL (
        SELECT trips.trip_date, trips.trip_id FROM trips
        WHERE ${conditionsOf(businessId, query, range.after)} AND trips.car_id = c.car_id
        ORDER BY ${orderOf(query, "trips")} ${upTo(range)}) v
      WHERE c.business_id = ${businessId} AND c.vehicle_class = ${vehicleClass}`,
      range
    )
  }

  /**
   * The trips with one of the values of a column, from the index of the column: a range of it for each value and status.
   * The bounds are compared as rows, and the order begins with the column. With an equality, PostgreSQL could choose the
   * index of dates instead, if its statistics know only one value of the column.
   */
  const ofValue = (
    businessId: BusinessId,
    { before, from, status, ...query }: TripQuery,
    [name, ...values]: readonly ["driver_status" | "trip_type", ...ReadonlyArray<string>],
    range: Range
  ) => {
    const { after } = range
    const [column, isSoonest] = [sql.literal(`trips.${name}`), query.order === "soonest"]
    const compare = sql.literal(isSoonest ? ">" : "<")
    const direction = sql.literal(isSoonest ? "ASC" : "DESC")
    const ofStatus = (value: string, of: TripStatus) => sql`
      (SELECT trip_date, trip_id FROM trips
      WHERE ${conditionsOf(businessId, query)}
        AND (${column}, trips.status, trips.trip_date) >= (${value}, ${of}, ${from === undefined ? sql`'-infinity'` : instant(from)}::timestamptz)
        AND (${column}, trips.status, trips.trip_date) ${
          before === undefined
            ? sql`<= (${value}, ${of}, 'infinity'::timestamptz)`
            : sql`< (${value}, ${of}, ${instant(before)}::timestamptz)`
        }
        ${
          after === undefined
            ? sql``
            : sql`AND (${column}, trips.status, trips.trip_date, trips.trip_id) ${compare} (${value}, ${of}, ${new Date(after.tripDate)}::timestamptz, ${after.tripId}::bigint)`
        }
      ORDER BY ${column} ${direction}, trips.status ${direction}, ${orderOf(query, "trips")}
      ${upTo(range)})`
    const statuses = status === undefined ? tripMachine.states : [status]
    const branches = values
      .flatMap((value) => statuses.map((of) => ofStatus(value, of)))
      .reduce((all, branch) => sql`${all} UNION ALL ${branch}`)
    return merged(query, sql`(${branches}) v`, range)
  }

  /** `trip_date, trip_id` of a range of the list, in order. */
  const first = (businessId: BusinessId, query: TripQuery, range: Range): Statement.Fragment => {
    const { after, isOfDrivers = query.driverId !== undefined, driverPlan } = range
    if (query.driverId !== undefined && driverPlan !== "filtersFirst")
      return rangeOf(ofDriver(businessId, query, range), range)
    if (!hasSelectiveFilter(query)) {
      const { driverStatus, tripType, ...others } = query
      if (query.vehicleClass !== undefined) return ofClass(businessId, query, range)
      if (driverStatus !== undefined)
        return ofValue(businessId, { ...others, tripType }, ["driver_status", driverStatus], range)
      // Hardly any of the pending trips has a driver.
      if (isOfDrivers && query.status === "pending")
        return ofValue(businessId, { ...others, tripType }, ["driver_status", ...withDrivers], range)
      if (tripType !== undefined) return ofValue(businessId, others, ["trip_type", tripType], range)
    }
    const ids = sql`
      SELECT trip_date, trip_id FROM trips WHERE ${conditionsOf(businessId, query, after)} ORDER BY ${orderOf(query)}`
    return rangeOf(ids, range)
  }

  /**
   * The trips of a class among the first `tested` trips that the other filters find, in order. The car of each is looked
   * up until the range is full.
   */
  const firstOfClass = (
    businessId: BusinessId,
    { vehicleClass, ...query }: TripQuery,
    { count, offset = 0, ...range }: Range,
    tested: number
  ) => sql`
    SELECT f.trip_date, f.trip_id FROM (${first(businessId, query, { ...range, count: tested })}) f
    WHERE (
      SELECT c.car_id FROM cars c
      WHERE c.business_id = ${businessId} AND c.vehicle_class = ${vehicleClass} AND c.car_id = (
        SELECT t.car_id FROM trips t WHERE t.business_id = ${businessId} AND t.trip_id = f.trip_id)) IS NOT NULL
    ORDER BY ${orderOf(query, "f")} LIMIT ${literalCount(sql, count)} ${skipOf(offset)}`

  /**
   * The numbers of trips that a driver has, deleted ones too, and that the other filters find, for the choice of the
   * {@link DriverPlan}: only the smaller number matters. The others are counted up to one more than the largest total.
   */
  const sizesOf = (businessId: BusinessId, { driverId, ...others }: TripQuery) => sql<object>`
    WITH others AS MATERIALIZED (
      SELECT count(*) AS of_others FROM (
        ${first(businessId, others, { count: maxCount + 1, isOrdered: false, isOfDrivers: true })}) o)
    SELECT of_others, (SELECT count(*) FROM (
        SELECT FROM assignments a WHERE ${sql.and([
          sql`a.business_id = ${businessId}`,
          sql`a.driver_id = ${driverId}`,
          onTrip,
          ...timesOf(others, undefined, "a")
        ])} LIMIT (SELECT CASE WHEN of_others <= ${literalCount(sql, maxCount)} THEN of_others + 1 ELSE 0 END FROM others)) d) AS of_driver
    FROM others`

  return { conditionsOf, first, firstOfClass, orderOf, sizesOf }
}
