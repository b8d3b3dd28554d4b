/** The statements that read the ids of a list of trips in its order, each from the index of its filter. */
import type { SqlClient, Statement } from "effect/sql"
import type { BusinessId, TripQuery } from "@livery/domain"
import { instant } from "../sql/Rows.ts"
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
  readonly count: Statement.Fragment
  readonly offset?: number
  readonly after?: ListCursor | undefined
}

/** A table that has the columns `trip_date` and `trip_id`. */
type Table = "trips" | "a" | "t" | "v"

/** Builds the statements of the list. A search and `updatedSince` are left out: `MatchingTrips` adds them. */
export const tripListSql = (sql: SqlClient.SqlClient) => {
  const criteria = tripCriteriaSql(sql)
  const onTrip = sql.literal(`a.status ${isOnTrip}`)

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
   * and of reopened trips suffice for the conditions on the trip, so that a count reads no rows of `trips`.
   */
  const ofDriver = (
    businessId: BusinessId,
    { driverId, ...query }: TripQuery,
    after: ListCursor | undefined
  ) => {
    const others = othersOf(businessId, query)
    const trip = (column: string, condition: Statement.Fragment) => sql`(
      SELECT ${sql.literal(column)} FROM trips
      WHERE trips.business_id = ${businessId} AND trips.trip_id = a.trip_id AND ${condition})`
    const isListed =
      others.length > 0
        ? [
            sql`a.assignment_id > ${trip(
              "coalesce(trips.reopened_after, 0)",
              sql.and([sql`trips.deleted_at IS NULL`, ...others])
            )}`
          ]
        : [
            sql`${trip("trips.trip_id", sql`trips.deleted_at IS NOT NULL`)} IS NULL`,
            sql`a.assignment_id > coalesce(${trip("trips.reopened_after", sql`trips.reopened_after IS NOT NULL`)}, 0)`
          ]
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

  /**
   * The first `count` trips of each car of a class, in order. The first `count` trips of all these cars are among them.
   */
  const ofClass = (
    businessId: BusinessId,
    { vehicleClass, ...query }: TripQuery,
    after: ListCursor | undefined,
    count: Statement.Fragment
  ) => sql`
    SELECT v.trip_date, v.trip_id FROM cars c
    CROSS JOIN LATERAL (
      SELECT trips.trip_date, trips.trip_id FROM trips
      WHERE ${conditionsOf(businessId, query, after)} AND trips.car_id = c.car_id
      ORDER BY ${orderOf(query, "trips")} LIMIT ${count}) v
    WHERE c.business_id = ${businessId} AND c.vehicle_class = ${vehicleClass}
    ORDER BY ${orderOf(query, "v")}`

  /**
   * The trips with one value of a column, from the index of the column. The bounds are compared as rows, and the order
   * begins with the column. With an equality, PostgreSQL could choose the index of dates instead, if its statistics
   * know only one value of the column.
   */
  const ofValue = (
    businessId: BusinessId,
    { before, from, ...query }: TripQuery,
    [name, value]: readonly ["driver_status" | "trip_type", string],
    after: ListCursor | undefined
  ) => {
    const [column, isSoonest] = [sql.literal(`trips.${name}`), query.order === "soonest"]
    const compare = sql.literal(isSoonest ? ">" : "<")
    return sql`
      SELECT trip_date, trip_id FROM trips
      WHERE ${conditionsOf(businessId, query)}
        AND (${column}, trips.trip_date) >= (${value}, ${from === undefined ? sql`'-infinity'` : instant(from)}::timestamptz)
        AND (${column}, trips.trip_date) ${
          before === undefined
            ? sql`<= (${value}, 'infinity'::timestamptz)`
            : sql`< (${value}, ${instant(before)}::timestamptz)`
        }
        ${
          after === undefined
            ? sql``
            : sql`AND (${column}, trips.trip_date, trips.trip_id) ${compare} (${value}, ${new Date(after.tripDate)}::timestamptz, ${after.tripId}::bigint)`
        }
      ORDER BY ${sql.literal(`trips.${name} ${isSoonest ? "ASC" : "DESC"}`)}, ${orderOf(query, "trips")}`
  }

  /** `trip_date, trip_id` of a range of the list, in order. */
  const first = (businessId: BusinessId, query: TripQuery, { after, count, offset = 0 }: Range) => {
    const skip = offset === 0 ? sql`` : sql` OFFSET ${offset}`
    if (query.driverId !== undefined) return sql`${ofDriver(businessId, query, after)} LIMIT ${count}${skip}`
    // A filter that few trips meet: its index is read, and the other filters are tested.
    const selectiveFilter =
      query.reference ?? query.flightKey ?? query.carId ?? query.customerId ?? query.groupId
    if (query.vehicleClass !== undefined && selectiveFilter === undefined)
      return sql`${ofClass(businessId, query, after, sql`${count} + ${offset}`)} LIMIT ${count}${skip}`
    const { driverStatus, tripType, ...others } = query
    if (selectiveFilter === undefined && driverStatus !== undefined)
      return sql`${ofValue(businessId, { ...others, tripType }, ["driver_status", driverStatus], after)} LIMIT ${count}${skip}`
    if (selectiveFilter === undefined && tripType !== undefined)
      return sql`${ofValue(businessId, others, ["trip_type", tripType], after)} LIMIT ${count}${skip}`
    return sql`
      SELECT trip_date, trip_id FROM trips WHERE ${conditionsOf(businessId, query, after)}
      ORDER BY ${orderOf(query)} LIMIT ${count}${skip}`
  }

  return { conditionsOf, first, orderOf }
}
