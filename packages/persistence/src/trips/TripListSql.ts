/**
 * The statements that find the trips of a list, in its order.
 *
 * A list is read from one index: that of its most selective filter ({@link indexes}), in the order of the list. The other
 * filters are tested on each trip. At most `tested` trips are tested by one statement, so its cost has a bound:
 *
 *     driver_id=7&status=completed    the driver's assignments by pickup time; the status of each trip is tested
 *     status=completed                the trips of this status by pickup time; nothing is tested
 */
import type { SqlClient, Statement } from "effect/sql"
import { type BusinessId, maxCount, maxTripsFound, maxTripsTested, type TripQuery } from "@livery/domain"
import { literalCount } from "../sql/lists/PageLimits.ts"
import { documentQueryOf } from "../sql/lists/SearchDocument.ts"
import { instant } from "../sql/rows/Rows.ts"
import { isOnTrip } from "./TripConditions.ts"
import { tripCriteriaSql } from "./TripCriteriaSql.ts"
import { tripsByStatus } from "./TripsByStatus.ts"

/** The place of a trip in a list: the instant that the list is ordered by, in milliseconds since 1970, and the id. */
export interface ListPlace {
  readonly at: number
  readonly tripId: number
}

/** Which trips of a list to read: `count` trips after `after` and after `offset` further ones. */
export interface Range {
  readonly count: number
  readonly offset: number
  readonly after: ListPlace | undefined
  /** The most trips on which filters are tested. */
  readonly tested: number
}

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

/** Builds the statements of the list. */
export const tripListSql = (sql: SqlClient.SqlClient) => {
  const criteria = tripCriteriaSql(sql)
  const byStatus = tripsByStatus(sql)
  const onTrip = sql.literal(`a.status ${isOnTrip}`)

  /** The order of a list, on rows called `alias`: `at` is the instant that the list is ordered by. */
  const orderOf = ({ order, updatedSince }: TripQuery, alias: string, at = "at") => {
    const direction = order === "soonest" || updatedSince !== undefined ? "ASC" : "DESC"
    return sql.literal(`${alias}.${at} ${direction}, ${alias}.trip_id ${direction}`)
  }

  /** The conditions on the time and the place in the list of rows called `alias`, whose order is by the column `at`. */
  const placesOf = (
    { before, from, order, updatedSince }: TripQuery,
    after: ListPlace | undefined,
    alias: "a" | "trips",
    at: "trip_date" | "updated_at"
  ) => {
    const column = (name: string) => sql.literal(`${alias}.${name}`)
    const compare = sql.literal(order === "soonest" || updatedSince !== undefined ? ">" : "<")
    return [
      ...(from === undefined ? [] : [sql`${column("trip_date")} >= ${instant(from)}`]),
      ...(before === undefined ? [] : [sql`${column("trip_date")} < ${instant(before)}`]),
      ...(after === undefined
        ? []
        : [
            sql`(${column(at)}, ${column("trip_id")}) ${compare} (${new Date(after.at)}::timestamptz, ${after.tripId}::bigint)`
          ])
    ]
  }

  /** The trips `at, trip_id` that meet conditions, as candidates for a list. `assignment_id` is null for these. */
  const tripsBy = (at: "trip_date" | "updated_at" = "trip_date") =>
    sql.literal(`SELECT trips.${at} AS at, trips.trip_id, NULL::bigint AS assignment_id FROM trips`)

  const fromTrips = (conditions: ReadonlyArray<Statement.Fragment>, select = tripsBy()) =>
    sql`${select} WHERE ${sql.and([...conditions, sql`trips.deleted_at IS NULL`])}`

  /** The trips of assignments that meet conditions. */
  const fromAssignments = (conditions: ReadonlyArray<Statement.Fragment>) => sql`
    SELECT a.trip_date AS at, a.trip_id, a.assignment_id FROM assignments a WHERE ${sql.and([...conditions, onTrip])}`

  /** The candidates of a list, from its index, and the conditions that are left to test on `trips` for each candidate `c`. */
  const candidatesOf = (businessId: BusinessId, query: TripQuery, after: ListPlace | undefined) => {
    const { carId, driverId, paymentStatus, status, updatedSince } = query
    const conditions = criteria.conditionsOf(businessId, query)
    const statuses = [
      ...(status === undefined ? [] : [sql`trips.status = ${status}`]),
      ...(paymentStatus === undefined ? [] : [sql`trips.payment_status = ${paymentStatus}`])
    ]
    const without = (name: string | undefined) =>
      [...conditions].flatMap(([other, condition]) => (other === name ? [] : [condition]))
    const ofTrips = (at: "trip_date" | "updated_at" = "trip_date") => [
      sql`trips.business_id = ${businessId}`,
      ...placesOf(query, after, "trips", at)
    ]
    const ofAssignments = [sql`a.business_id = ${businessId}`, ...placesOf(query, after, "a", "trip_date")]
    const isCurrent = [
      sql`trips.deleted_at IS NULL`,
      sql`coalesce(c.assignment_id > trips.reopened_after, true)`
    ]

    if (updatedSince !== undefined)
      return {
        rows: fromTrips(
          [...ofTrips("updated_at"), sql`trips.updated_at >= ${instant(updatedSince)}`],
          tripsBy("updated_at")
        ),
        tests: [...without("updatedSince"), ...statuses]
      }
    const indexed = indexes.find((name) => query[name] !== undefined)
    if (indexed === "driverId")
      return {
        rows: fromAssignments([...ofAssignments, sql`a.driver_id = ${driverId}`]),
        tests: [...isCurrent, ...without(indexed), ...statuses]
      }
    if (indexed === "carId")
      return {
        // The trips of the car, and other trips that a driver drives with it.
        rows: sql`
          (${fromTrips([...ofTrips(), sql`trips.car_id = ${carId}`])} ORDER BY ${orderOf(query, "trips", "trip_date")}) UNION ALL
          (${fromAssignments([
            ...ofAssignments,
            sql`a.car_id = ${carId}`,
            sql`(SELECT t.car_id FROM trips t WHERE t.business_id = ${businessId} AND t.trip_id = a.trip_id)
              IS DISTINCT FROM ${carId}::bigint`,
            // Of several assignments with the car, the last one.
            sql`a.assignment_id = (
              SELECT max(l.assignment_id) FROM assignments l
              WHERE l.business_id = ${businessId} AND l.trip_id = a.trip_id AND l.car_id = ${carId}
                AND l.status ${sql.literal(isOnTrip)})`
          ])} ORDER BY ${orderOf(query, "a", "trip_date")})`,
        tests: [...isCurrent, ...without(undefined), ...statuses]
      }
    const condition = indexed && conditions.get(indexed)
    if (condition !== undefined)
      return { rows: fromTrips([...ofTrips(), condition]), tests: [...without(indexed), ...statuses] }
    const rows =
      statuses.length === 0
        ? fromTrips(ofTrips())
        : byStatus(tripsBy(), ofTrips(), query, orderOf(query, "trips", "trip_date"))
    return { rows, tests: without(undefined) }
  }

  /** Whether filters of a list are tested trip by trip. */
  const isTested = (businessId: BusinessId, query: TripQuery) =>
    candidatesOf(businessId, query, undefined).tests.length > 0

  /** The candidates that pass the tests. LIMIT 1 makes PostgreSQL look up each trip by its key. */
  const passing = (
    businessId: BusinessId,
    candidates: Statement.Fragment,
    tests: ReadonlyArray<Statement.Fragment>
  ) => sql`
    (${candidates}) c CROSS JOIN LATERAL (
      SELECT FROM trips
      WHERE ${sql.and([sql`trips.business_id = ${businessId} AND trips.trip_id = c.trip_id`, ...tests])} LIMIT 1) t`

  /** `at, trip_id` of a range of a list, in order. */
  const idsOf = (businessId: BusinessId, query: TripQuery, { after, count, offset, tested }: Range) => {
    const { rows, tests } = candidatesOf(businessId, query, after)
    const inOrder = sql`SELECT * FROM (${rows}) c ORDER BY ${orderOf(query, "c")}`
    const limit = sql`LIMIT ${literalCount(sql, count)} ${offset === 0 ? sql`` : sql`OFFSET ${offset}`}`
    return tests.length === 0
      ? sql`${inOrder} ${limit}`
      : sql`
        SELECT c.at, c.trip_id FROM ${passing(businessId, sql`${inOrder} LIMIT ${literalCount(sql, tested)}`, tests)}
        ORDER BY ${orderOf(query, "c")} ${limit}`
  }

  /** The number of trips of a list; null if it has more than `maxCount`, or as many have to be tested. */
  const totalOf = (businessId: BusinessId, query: TripQuery) => {
    const { rows, tests } = candidatesOf(businessId, query, undefined)
    // In order, so that an index is read: PostgreSQL might look for them in the whole table.
    const few = sql`SELECT * FROM (${rows}) c ORDER BY ${orderOf(query, "c")} LIMIT ${literalCount(sql, maxCount + 1)}`
    const counted = tests.length === 0 ? sql`(${few}) c` : passing(businessId, few, tests)
    const listed = sql`(SELECT count(*) FROM (${few}) c)`
    return tests.length === 0
      ? sql`(SELECT nullif(count(*), ${literalCount(sql, maxCount + 1)}) FROM ${counted})`
      : sql`(CASE WHEN ${listed} <= ${literalCount(sql, maxCount)} THEN (SELECT count(*) FROM ${counted}) END)`
  }

  /** The place of the last trip that a range tests, if the list has more; no row if it has not. */
  const lastTested = (businessId: BusinessId, query: TripQuery, { after, tested }: Range) => sql`
    SELECT at, trip_id FROM (${candidatesOf(businessId, query, after).rows}) c
    ORDER BY ${orderOf(query, "c")} LIMIT 1 OFFSET ${tested}::int - 1`

  /**
   * The newest trips that match a search, from the index of words, as a list of their `at, trip_id`: by their ids, up to
   * `maxTripsFound` that pass the other filters. The index has no order, so all matches are collected before the newest are
   * taken. The words contain the business's id: with a condition on it, PostgreSQL might read all of its rows instead.
   */
  const newestMatches = (
    businessId: BusinessId,
    { words = [], ...query }: TripQuery,
    after: ListPlace | undefined
  ) => {
    const { updatedSince } = query
    const at = updatedSince === undefined ? "trip_date" : "updated_at"
    const tests = [
      sql`trips.business_id = ${businessId} AND trips.trip_id = m.trip_id AND trips.deleted_at IS NULL`,
      ...criteria.conditionsOf(businessId, query).values(),
      ...(query.status === undefined ? [] : [sql`trips.status = ${query.status}`]),
      ...(query.paymentStatus === undefined ? [] : [sql`trips.payment_status = ${query.paymentStatus}`]),
      ...placesOf(query, after, "trips", at)
    ]
    return sql`
      WITH matching AS MATERIALIZED (
        SELECT trip_id FROM trip_search WHERE search @@ ${documentQueryOf(businessId, words)}::tsquery
      ), newest AS (
        SELECT trip_id FROM matching ORDER BY trip_id DESC LIMIT ${literalCount(sql, maxTripsTested + 1)}
      ), found AS MATERIALIZED (
        SELECT t.at, t.trip_id FROM newest m CROSS JOIN LATERAL (
          SELECT trips.${sql.literal(at)} AS at, trips.trip_id FROM trips WHERE ${sql.and(tests)} LIMIT 1) t
        LIMIT ${literalCount(sql, maxTripsFound + 1)}
      )`
  }

  return { idsOf, isTested, lastTested, newestMatches, orderOf, totalOf }
}
