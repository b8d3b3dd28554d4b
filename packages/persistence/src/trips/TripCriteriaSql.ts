/** SQL for the filters that the list of trips and the dispatch board share. */
import type { SqlClient, Statement } from "effect/sql"
import { type BusinessId, maxTripsTested, type TripCriteria } from "@livery/domain"
import { rowCount } from "../sql/RowCount.ts"
import { instant } from "../sql/Rows.ts"
import { isRare } from "../sql/Sample.ts"
import { documentQueryOf } from "../sql/SearchDocument.ts"
import { isOnTrip } from "./TripConditions.ts"

/**
 * Conditions on `trips` for the criteria. Other tables are read by subqueries that return a value, because PostgreSQL
 * runs these for each trip; for a join it might read all rows of the business.
 */
export const tripCriteriaSql = (sql: SqlClient.SqlClient) => {
  const onTrip = sql.literal(`a.status ${isOnTrip}`)

  /** One condition for each of the criteria that one trip's row, car and assignments decide. */
  const conditionsOf = (
    businessId: BusinessId,
    criteria: TripCriteria
  ): ReadonlyArray<Statement.Fragment> => {
    const {
      carId,
      customerId,
      driverId,
      driverStatus,
      flightKey,
      groupId,
      reference,
      tripType,
      vehicleClass
    } = criteria
    return [
      ...(carId === undefined ? [] : [sql`trips.car_id = ${carId}`]),
      ...(customerId === undefined ? [] : [sql`trips.customer_id = ${customerId}`]),
      ...(groupId === undefined ? [] : [sql`trips.group_id = ${groupId}`]),
      ...(driverStatus === undefined ? [] : [sql`trips.driver_status = ${driverStatus}`]),
      ...(tripType === undefined ? [] : [sql`trips.trip_type = ${tripType}`]),
      ...(reference === undefined ? [] : [sql`trips.reference = ${reference}`]),
      ...(flightKey === undefined
        ? []
        : [
            sql`trips.flight_number IS NOT NULL`,
            sql`upper(replace(trips.flight_number, ' ', '') COLLATE "C") = ${flightKey}`
          ]),
      ...(vehicleClass === undefined
        ? []
        : [
            sql`(
              SELECT c.car_id FROM cars c
              WHERE c.business_id = ${businessId} AND c.car_id = trips.car_id
                AND c.vehicle_class = ${vehicleClass}) IS NOT NULL`
          ]),
      ...(driverId === undefined
        ? []
        : [
            // Not a condition on `a.driver_id`, for which PostgreSQL might read all of the driver's assignments.
            sql`${driverId} = ANY (ARRAY(
              SELECT a.driver_id FROM assignments a
              WHERE a.business_id = ${businessId} AND a.trip_id = trips.trip_id AND ${onTrip}
                AND a.assignment_id > coalesce(trips.reopened_after, 0)))`
          ])
    ]
  }

  const asQuery = (businessId: BusinessId, words: NonNullable<TripCriteria["words"]>) =>
    sql`${documentQueryOf(businessId, words)}::tsquery`

  /** Conditions on a row with a `trip_id`, called `of`, for the criteria that need an index of their own. */
  const matchesOf = (
    businessId: BusinessId,
    { updatedSince, words }: TripCriteria,
    of: Statement.Fragment
  ) => [
    ...(words === undefined
      ? []
      : [
          sql`(
            SELECT s.trip_id FROM trip_search s
            WHERE s.business_id = ${businessId} AND s.trip_id = ${of}.trip_id
              AND s.search @@ ${asQuery(businessId, words)}) IS NOT NULL`
        ]),
    ...(updatedSince === undefined
      ? []
      : [
          sql`(
            SELECT u.trip_id FROM trips u
            WHERE u.business_id = ${businessId} AND u.trip_id = ${of}.trip_id
              AND u.updated_at >= ${instant(updatedSince)}) IS NOT NULL`
        ])
  ]

  /**
   * `business_id, trip_id` of all trips that match the search; without a search, of those that were changed since. The
   * words of a search contain the business's id. With a further condition on `business_id` and old statistics, PostgreSQL
   * would read every row of the business instead of the index of words. So the caller compares `business_id` afterwards.
   */
  const matchingIds = (businessId: BusinessId, { updatedSince, words }: TripCriteria) => {
    if (words !== undefined)
      return sql`
        SELECT business_id, trip_id FROM trip_search WHERE search @@ ${asQuery(businessId, words)}`
    // For a range with two bounds, PostgreSQL expects few rows, whatever the parameters are. So it reads the index of
    // changes.
    const since =
      updatedSince === undefined
        ? sql``
        : sql`AND updated_at >= ${instant(updatedSince)} AND updated_at <= 'infinity'`
    return sql`SELECT business_id, trip_id FROM trips WHERE business_id = ${businessId} AND deleted_at IS NULL ${since}`
  }

  /**
   * Whether the index of the words, or else that of changes, probably has many trips: by a sample of the trips, or if
   * more than `maxTripsTested` trips were changed.
   */
  const areMany = (businessId: BusinessId, { updatedSince, words }: TripCriteria) =>
    words === undefined
      ? sql`(
          SELECT count(*) > ${rowCount(sql, maxTripsTested)} FROM (
            ${matchingIds(businessId, { updatedSince })} LIMIT ${rowCount(sql, maxTripsTested + 1)}) changed)`
      : sql`NOT ${isRare(
          sql,
          {
            table: sql`trip_search`,
            alias: sql`s`,
            id: sql`trip_id`,
            where: sql`business_id = ${businessId}`
          },
          sql`s.search @@ ${asQuery(businessId, words)}`
        )}`

  return { areMany, conditionsOf, matchesOf, matchingIds }
}
