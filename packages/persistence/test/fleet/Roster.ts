/** Rows of drivers, customers and trips, for tests of references. */
import { type BusinessId, CustomerId, type DriverId, TripId } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { unique } from "../../../../test/contract/Contract.ts"
import { newDriver as givenDriver } from "../../../../test/contract/Given.ts"

/** A driver of a business. */
export const newDriver = (businessId: BusinessId, active = true) => givenDriver(businessId, { active })

/** A customer of a business. */
export const newCustomer = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ customer_id: number }>`
    INSERT INTO customers (business_id, name, created_at, updated_at) VALUES (${businessId}, 'Ada', now(), now())
    RETURNING customer_id`
  return CustomerId.make(row?.customer_id ?? 0)
})

/** A trip of a business. */
export const newTrip = Effect.fnUntraced(function* (
  businessId: BusinessId,
  given: { readonly carId?: number; readonly customerId?: number; readonly email?: string } = {}
) {
  const sql = yield* SqlClient.SqlClient
  const { carId = null, customerId = null, email = null } = given
  const [row] = yield* sql<{ trip_id: number }>`
    INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                       dropoff_address, customer_name, customer_email, customer_id, car_id, currency, created_at,
                       updated_at)
    VALUES (${businessId}, ${unique("TR")}, 'confirmed', 'unpaid', 'transfer', ${new Date("2026-11-20T10:00:00Z")},
            'Here', 'There', 'Ada', ${email}, ${customerId}, ${carId}, 'USD', now(), now())
    RETURNING trip_id`
  return TripId.make(row?.trip_id ?? 0)
})

/** An assignment of a driver to a trip, from 10 to 11. */
export const assign = Effect.fnUntraced(function* (
  businessId: BusinessId,
  tripId: number,
  driverId: DriverId,
  status: "assigned" | "cancelled" = "assigned"
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
    VALUES (${businessId}, ${tripId}, ${driverId}, ${status}, ${new Date("2026-11-20T10:00:00Z")},
            ${new Date("2026-11-20T11:00:00Z")}, now())`
})
