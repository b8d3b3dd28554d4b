/**
 * The candidates of a list of trips, in the order of the list.
 *
 * They are read from one index: that of the most selective filter ({@link indexes}). The other filters are tested on each
 * candidate (`TripPageSql.ts`):
 *
 *     driver_id=7&status=completed    the driver's assignments by pickup time; the status of each trip is tested
 *     status=completed                the trips of this status by pickup time; nothing is tested
 */
import type { SqlClient, Statement } from "effect/sql"
import type { BusinessId, TripQuery } from "@livery/domain"
import { instant } from "../sql/rows/Rows.ts"
import { isOnTrip } from "./TripConditions.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"
import { onInvoice, tripsByInvoice, tripsByStatus } from "./TripsByStatus.ts"

/** The place of a trip in a list: the instant that the list is ordered by, in milliseconds since 1970, and the id. */
export interface ListPlace {
  readonly at: number
  readonly tripId: number
}

/** The column by which a list is ordered. */
export const columnOf = ({ updatedSince }: TripQuery) =>
  updatedSince === undefined ? "trip_date" : "updated_at"

/** The filters that have an index in the order of the list, the most selective first. */
const indexes = [
  "reference",
  "externalRef",
  "flightKey",
  "groupId",
  "customerId",
  "carId",
  "driverId"
] as const

/** The filter whose index gives the candidates; undefined for the index of the pickups or of the changes. */
const indexOf = (query: TripQuery) =>
  query.updatedSince === undefined ? indexes.find((name) => query[name] !== undefined) : undefined

/** Builds the candidates, and the parts of other statements on the list. */
export const tripListSql = (sql: SqlClient.SqlClient) => {
  const criteria = tripCriteriaSql(sql)
  const byStatus = tripsByStatus(sql)
  const byInvoice = tripsByInvoice(sql)
  const onTrip = sql.literal(`a.status ${isOnTrip}`)

  /** The order of a list, on rows called `alias`: `at` is the instant that the list is ordered by. */
  const orderOf = ({ order, updatedSince }: TripQuery, alias: string, at = "at") => {
    const direction = order === "soonest" || updatedSince !== undefined ? "ASC" : "DESC"
    return sql.literal(`${alias}.${at} ${direction}, ${alias}.trip_id ${direction}`)
  }

  /**
   * The order of the candidates `c` of a list. A trip that is a candidate several times passes with its own car, or else with its
   * latest assignment. That candidate is the first: the tests may end between two candidates of a trip, and the next page begins
   * with the next trip.
   */
  const candidateOrderOf = (query: TripQuery) => {
    const indexed = indexOf(query)
    return indexed === "carId" || indexed === "driverId"
      ? sql`${orderOf(query, "c")}, c.assignment_id DESC NULLS FIRST`
      : sql`${orderOf(query, "c")}`
  }

  /** The conditions on the pickup of rows called `alias`. */
  const timesOf = ({ before, from }: TripQuery, alias: "a" | "trips") => {
    const date = sql.literal(`${alias}.trip_date`)
    return [
      ...(from === undefined ? [] : [sql`${date} >= ${instant(from)}`]),
      ...(before === undefined ? [] : [sql`${date} < ${instant(before)}`])
    ]
  }

  /** The condition on the place in the list of rows called `alias`, whose order is by the column `at`. */
  const placesOf = (
    { order, updatedSince }: TripQuery,
    after: ListPlace | undefined,
    alias: "a" | "trips",
    at: "trip_date" | "updated_at" = "trip_date"
  ) => {
    if (after === undefined) return []
    const place = sql.literal(`(${alias}.${at}, ${alias}.trip_id)`)
    const compare = sql.literal(order === "soonest" || updatedSince !== undefined ? ">" : "<")
    return [sql`${place} ${compare} (${new Date(after.at)}::timestamptz, ${after.tripId}::bigint)`]
  }

  /** The trips `at, trip_id` that meet conditions, as candidates for a list. `assignment_id` is null for these. */
  const tripsBy = (at: "trip_date" | "updated_at" = "trip_date") =>
    sql.literal(`SELECT trips.${at} AS at, trips.trip_id, NULL::bigint AS assignment_id FROM trips`)

  const fromTrips = (conditions: ReadonlyArray<Statement.Fragment>, select = tripsBy()) =>
    sql`${select} WHERE ${sql.and([...conditions, sql`trips.deleted_at IS NULL`])}`

  /** The trips of assignments that meet conditions. */
  const fromAssignments = (conditions: ReadonlyArray<Statement.Fragment>) => sql`
    SELECT a.trip_date AS at, a.trip_id, a.assignment_id FROM assignments a WHERE ${sql.and([...conditions, onTrip])}`

  /** The conditions on the statuses of `trips`. */
  const statusesOf = ({ invoiced, paymentStatus, status }: TripQuery) => [
    ...(status === undefined ? [] : [sql`trips.status = ${status}`]),
    ...(paymentStatus === undefined ? [] : [sql`trips.payment_status = ${paymentStatus}`]),
    ...(invoiced === undefined ? [] : [sql.literal(onInvoice(invoiced))])
  ]

  /** The candidates of a list, from its index, and the conditions that are left to test on `trips` for each candidate `c`. */
  const candidatesOf = (businessId: BusinessId, query: TripQuery, after: ListPlace | undefined) => {
    const { carId, driverId, updatedSince } = query
    const conditions = criteria.conditionsOf(businessId, query)
    const statuses = statusesOf(query)
    const without = (name: string | undefined) =>
      [...conditions].flatMap(([other, condition]) => (other === name ? [] : [condition]))
    const ofTrips = [
      sql`trips.business_id = ${businessId}`,
      ...timesOf(query, "trips"),
      ...placesOf(query, after, "trips")
    ]
    const ofAssignments = [
      sql`a.business_id = ${businessId}`,
      ...timesOf(query, "a"),
      ...placesOf(query, after, "a")
    ]
    const isCurrent = [
      sql`trips.deleted_at IS NULL`,
      sql`coalesce(c.assignment_id > trips.reopened_after, true)`
    ]

    if (updatedSince !== undefined)
      return {
        rows: fromTrips(
          [
            sql`trips.business_id = ${businessId}`,
            ...placesOf(query, after, "trips", "updated_at"),
            sql`trips.updated_at >= ${instant(updatedSince)}`
          ],
          tripsBy("updated_at")
        ),
        // The index of changes lacks the pickup.
        tests: [...without("updatedSince"), ...statuses, ...timesOf(query, "trips")]
      }
    const indexed = indexOf(query)
    if (indexed === "driverId")
      return {
        rows: fromAssignments([...ofAssignments, sql`a.driver_id = ${driverId}`]),
        tests: [...isCurrent, ...without(indexed), ...statuses]
      }
    if (indexed === "carId")
      return {
        // The trips of the car, and other trips that a driver drives with it.
        rows: sql`
          (${fromTrips([...ofTrips, sql`trips.car_id = ${carId}`])} ORDER BY ${orderOf(query, "trips", "trip_date")}) UNION ALL
          (${fromAssignments([...ofAssignments, sql`a.car_id = ${carId}`])} ORDER BY ${orderOf(query, "a", "trip_date")})`,
        tests: [
          // A trip that the car drives by several assignments, or by its own car as well, is a candidate several times.
          sql`(c.assignment_id IS NULL OR trips.car_id IS DISTINCT FROM ${carId}::bigint AND c.assignment_id = (
            SELECT max(l.assignment_id) FROM assignments l
            WHERE l.business_id = ${businessId} AND l.trip_id = c.trip_id AND l.car_id = ${carId}
              AND l.status ${sql.literal(isOnTrip)}))`,
          ...isCurrent,
          ...without(undefined),
          ...statuses
        ]
      }
    const condition = indexed && conditions.get(indexed)
    if (condition !== undefined)
      return { rows: fromTrips([...ofTrips, condition]), tests: [...without(indexed), ...statuses] }
    const { invoiced, paymentStatus } = query
    if (invoiced !== undefined)
      return {
        rows: byInvoice(
          tripsBy(),
          ofTrips,
          { invoiced, status: query.status },
          orderOf(query, "trips", "trip_date")
        ),
        tests: [
          ...without(undefined),
          ...(paymentStatus === undefined ? [] : statusesOf({ ...query, status: undefined }))
        ]
      }
    const rows =
      statuses.length === 0
        ? fromTrips(ofTrips)
        : byStatus(tripsBy(), ofTrips, query, orderOf(query, "trips", "trip_date"))
    return { rows, tests: without(undefined) }
  }

  /** All conditions of a list on `trips`. */
  const conditionsOf = (businessId: BusinessId, query: TripQuery, after: ListPlace | undefined) => [
    sql`trips.business_id = ${businessId} AND trips.deleted_at IS NULL`,
    ...criteria.conditionsOf(businessId, query).values(),
    ...statusesOf(query),
    ...timesOf(query, "trips"),
    ...placesOf(query, after, "trips", columnOf(query))
  ]

  return { candidateOrderOf, candidatesOf, conditionsOf, orderOf }
}
