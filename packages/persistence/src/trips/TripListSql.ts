/** The statements that read the ids of a list of trips in its order, each from the index of its filter. */
import type { SqlClient, Statement } from "effect/sql"
import type { BusinessId, TripQuery } from "@livery/domain"
import { instant } from "../sql/Rows.ts"
import { isOnTrip } from "./TripConditions.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"

/** The position before a page: its first trip is the next one after it. `tripDate` is in milliseconds since 1970. */
export interface Place {
  readonly page: number
  readonly tripDate: number
  readonly tripId: number
}

/** Which trips of a list to read: `count` trips, after a place or after `offset` trips. */
interface Stretch {
  readonly count: Statement.Fragment
  readonly offset?: number
  readonly place?: Place | undefined
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
  const timesOf = ({ before, from, order }: TripQuery, place: Place | undefined, table: "trips" | "a") => {
    const name = sql.literal(table)
    const compare = sql.literal(order === "soonest" ? ">" : "<")
    return [
      ...(from === undefined ? [] : [sql`${name}.trip_date >= ${instant(from)}`]),
      ...(before === undefined ? [] : [sql`${name}.trip_date < ${instant(before)}`]),
      ...(place === undefined
        ? []
        : [
            sql`(${name}.trip_date, ${name}.trip_id) ${compare} (${new Date(place.tripDate)}::timestamptz, ${place.tripId}::bigint)`
          ])
    ]
  }

  /** The conditions of the list on the other columns of `trips`. */
  const othersOf = (businessId: BusinessId, query: TripQuery) => [
    ...(query.status === undefined ? [] : [sql`trips.status = ${query.status}`]),
    ...(query.paymentStatus === undefined ? [] : [sql`trips.payment_status = ${query.paymentStatus}`]),
    ...criteria.conditionsOf(businessId, query)
  ]

  const conditionsOf = (businessId: BusinessId, query: TripQuery, place?: Place) =>
    sql.and([
      sql`trips.business_id = ${businessId}`,
      sql`trips.deleted_at IS NULL`,
      ...othersOf(businessId, query),
      ...timesOf(query, place, "trips")
    ])

  /**
   * A driver's trips from the index of the driver's assignments. If there is no other filter, two small indexes tell
   * whether the trip is deleted or was reopened, so that a count reads no rows of `trips`.
   */
  const ofDriver = (businessId: BusinessId, { driverId, ...query }: TripQuery, place: Place | undefined) => {
    const others = othersOf(businessId, query)
    const trip = (column: string, condition: Statement.Fragment) => sql`(
      SELECT ${sql.literal(column)} FROM trips
      WHERE trips.business_id = ${businessId} AND trips.trip_id = a.trip_id AND ${condition})`
    const stands =
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
        ...timesOf(query, place, "a"),
        ...stands
      ])}
      ORDER BY ${orderOf(query, "a")}`
  }

  /**
   * The first `count` trips of each car of a class, in order. The first `count` trips of all these cars are among them.
   */
  const ofClass = (
    businessId: BusinessId,
    { vehicleClass, ...query }: TripQuery,
    place: Place | undefined,
    count: Statement.Fragment
  ) => sql`
    SELECT v.trip_date, v.trip_id FROM cars c
    CROSS JOIN LATERAL (
      SELECT trips.trip_date, trips.trip_id FROM trips
      WHERE ${conditionsOf(businessId, query, place)} AND trips.car_id = c.car_id
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
    place: Place | undefined
  ) => {
    const [column, isSoonest] = [sql.literal(`trips.${name}`), query.order === "soonest"]
    const after = sql.literal(isSoonest ? ">" : "<")
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
          place === undefined
            ? sql``
            : sql`AND (${column}, trips.trip_date, trips.trip_id) ${after} (${value}, ${new Date(place.tripDate)}::timestamptz, ${place.tripId}::bigint)`
        }
      ORDER BY ${sql.literal(`trips.${name} ${isSoonest ? "ASC" : "DESC"}`)}, ${orderOf(query, "trips")}`
  }

  /** `trip_date, trip_id` of a stretch of the list, in order. */
  const first = (businessId: BusinessId, query: TripQuery, { count, offset = 0, place }: Stretch) => {
    const skip = offset === 0 ? sql`` : sql` OFFSET ${offset}`
    if (query.driverId !== undefined) return sql`${ofDriver(businessId, query, place)} LIMIT ${count}${skip}`
    const ofOneTrip = query.reference ?? query.flightKey ?? query.carId ?? query.customerId ?? query.groupId
    if (query.vehicleClass !== undefined && ofOneTrip === undefined)
      return sql`${ofClass(businessId, query, place, sql`${count} + ${offset}`)} LIMIT ${count}${skip}`
    const { driverStatus, tripType, ...others } = query
    if (ofOneTrip === undefined && driverStatus !== undefined)
      return sql`${ofValue(businessId, { ...others, tripType }, ["driver_status", driverStatus], place)} LIMIT ${count}${skip}`
    if (ofOneTrip === undefined && tripType !== undefined)
      return sql`${ofValue(businessId, others, ["trip_type", tripType], place)} LIMIT ${count}${skip}`
    return sql`
      SELECT trip_date, trip_id FROM trips WHERE ${conditionsOf(businessId, query, place)}
      ORDER BY ${orderOf(query)} LIMIT ${count}${skip}`
  }

  return { conditionsOf, first, orderOf }
}
