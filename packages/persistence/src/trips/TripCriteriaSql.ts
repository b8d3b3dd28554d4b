/** SQL for the filters that the list of trips and the dispatch board share. */
import type { SqlClient, Statement } from "effect/sql"
import type { BusinessId, TripCriteria } from "@livery/domain"
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

  return { conditionsOf }
}
