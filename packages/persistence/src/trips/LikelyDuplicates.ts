/** The trips that a trip likely duplicates. */
import { maxDuplicates } from "@livery/domain"
import type { SqlClient, Statement } from "effect/sql"
import { isNotCancelled } from "./TripConditions.ts"

/** The values that are compared: parameters or placeholders of a compiled statement. */
export interface Duplicated<Value> {
  readonly businessId: Value
  readonly tripDate: Value
  readonly pickupAddress: Value
  readonly customerName: Value
}

/**
 * The ids of the first {@link maxDuplicates} trips with that pickup and passenger that are not cancelled, as JSON.
 * `others` excludes trips, each called `t`.
 */
export const likelyDuplicates = (
  sql: SqlClient.SqlClient,
  { businessId, customerName, pickupAddress, tripDate }: Duplicated<unknown>,
  others: Statement.Fragment = sql``
): Statement.Fragment => sql`
  array_to_json(ARRAY(
    SELECT t.trip_id FROM trips t
    WHERE t.business_id = ${businessId} AND t.trip_date = ${tripDate}::timestamptz
      AND lower(t.pickup_address) = lower(${pickupAddress}::text)
      AND lower(t.customer_name) = lower(${customerName}::text)
      ${others} AND t.deleted_at IS NULL AND t.status ${sql.literal(isNotCancelled)}
    ORDER BY t.trip_id LIMIT ${maxDuplicates}))`
