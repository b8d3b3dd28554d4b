/** SQL for the filters that the list of trips and the dispatch board share. */
import type { SqlClient, Statement } from "effect/sql"
import type { BusinessId, TripCriteria } from "@livery/domain"
import { instant } from "../sql/rows/Rows.ts"
import { documentQueryOf } from "../sql/lists/SearchDocument.ts"
import { flightKeyOfTrip } from "../migrations/0010_trips.ts"
import { isOnTrip } from "./TripConditions.ts"

/** The conditions on `trips` of each filter. Other tables are read by subqueries, which PostgreSQL runs trip by trip. */
export const tripCriteriaSql = (sql: SqlClient.SqlClient) => {
  const onTrip = sql.literal(`a.status ${isOnTrip}`)

  /** The current assignments `a` of a trip. */
  const assignments = (businessId: BusinessId) => sql`
    FROM assignments a
    WHERE a.business_id = ${businessId} AND a.trip_id = trips.trip_id AND ${onTrip}
      AND a.assignment_id > coalesce(trips.reopened_after, 0)`

  /** The ids of the cars that drive a trip: the domain's `drivingCarsOf`. */
  const drivingCars = (businessId: BusinessId) => sql`(
    SELECT coalesce(array_agg(coalesce(a.car_id, trips.car_id)), ARRAY[trips.car_id]) ${assignments(businessId)})`

  const conditions = {
    carId: (car, businessId) => sql`${car}::bigint = ANY (${drivingCars(businessId)}::bigint[])`,
    costCenter: (costCenter) => sql`trips.details ->> 'cost_center' = ${costCenter}`,
    customerId: (customer) => sql`trips.customer_id = ${customer}`,
    driverId: (driver, businessId) =>
      sql`${driver}::bigint = ANY (ARRAY(SELECT a.driver_id ${assignments(businessId)}))`,
    driverStatus: (status) => sql`trips.driver_status = ${status}`,
    externalRef: (ref) => sql`trips.external_ref = ${ref}`,
    flightKey: (key) => sql`(trips.flight_number IS NOT NULL AND ${sql.literal(flightKeyOfTrip)} = ${key})`,
    groupId: (group) => sql`trips.group_id = ${group}`,
    orderedClass: (ordered) => sql`trips.details ->> 'vehicle_class' = ${ordered}`,
    poNumber: (poNumber) => sql`trips.details ->> 'po_number' = ${poNumber}`,
    reference: (reference) => sql`trips.reference = ${reference}`,
    tripType: (type) => sql`trips.trip_type = ${type}`,
    updatedSince: (since) => sql`trips.updated_at >= ${instant(since)}`,
    vehicleClass: (vehicleClass, businessId) => sql`EXISTS (
      SELECT FROM cars c
      WHERE c.business_id = ${businessId} AND c.car_id = ANY (${drivingCars(businessId)}::bigint[]) AND c.vehicle_class = ${vehicleClass})`,
    words: (words, businessId) => sql`EXISTS (
      SELECT FROM trip_search s
      WHERE s.business_id = ${businessId} AND s.trip_id = trips.trip_id
        AND s.search @@ ${documentQueryOf(businessId, words)}::tsquery)`
  } satisfies {
    readonly [Name in keyof TripCriteria]-?: (
      value: NonNullable<TripCriteria[Name]>,
      businessId: BusinessId
    ) => Statement.Fragment
  }

  /** The condition of each filter that is given, by its name. */
  const conditionsOf = (
    businessId: BusinessId,
    criteria: TripCriteria
  ): ReadonlyMap<keyof TripCriteria, Statement.Fragment> =>
    new Map(
      (Object.keys(conditions) as ReadonlyArray<keyof TripCriteria>).flatMap((name) => {
        const value = criteria[name]
        const condition = conditions[name] as (value: unknown, businessId: BusinessId) => Statement.Fragment
        return value === undefined ? [] : [[name, condition(value, businessId)]]
      })
    )

  return { conditionsOf }
}
