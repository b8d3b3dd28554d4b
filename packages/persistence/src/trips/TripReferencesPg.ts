import { Array, Effect, Option, Schema, Struct } from "effect"
import { Customer, CustomerId, TripId, TripReferences } from "@livery/domain"
import { rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { lockActiveCar, lockActiveCars, lockCustomerEmails } from "./ReferenceLocks.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const ids = rowsAs(Schema.Struct({ customer_id: CustomerId }))
const trips = rowsAs(Schema.Struct({ trip_id: TripId }))
const customers = rowsAs(Customer.mapFields(Struct.pick(["name", "email", "phone"])))

/**
 * Locks rows of `cars`, `customers` and `trips`. A lock on an external reference is one of 256 per business, which
 * references share.
 */
export const layer = onPostgres(TripReferences, (sql) => ({
  lockCar: lockActiveCar(sql),
  lockCars: lockActiveCars(sql),
  lockCustomer: (businessId, customerId) =>
    firstOf(
      customers(sql`
            SELECT name, email, phone FROM customers
            WHERE business_id = ${businessId} AND customer_id = ${customerId} AND deleted_at IS NULL
            FOR KEY SHARE`)
    ),
  lockCustomerByEmail: Effect.fnUntraced(function* (businessId, email) {
    // A separate statement, so that the next one sees an email that was set while this one waited.
    yield* lockCustomerEmails(sql, businessId, "FOR SHARE")
    const [customer] = yield* ids(sql`
        SELECT customer_id FROM customers
        WHERE business_id = ${businessId} AND email = ${email} AND deleted_at IS NULL FOR KEY SHARE`)
    return Option.fromNullishOr(customer?.customer_id)
  }),
  lockTrip: (businessId, tripId) =>
    Effect.map(
      trips(sql`
          SELECT trip_id FROM trips
          WHERE business_id = ${businessId} AND trip_id = ${tripId} AND deleted_at IS NULL FOR KEY SHARE`),
      Array.isReadonlyArrayNonEmpty
    ),
  lockExternalRef: Effect.fnUntraced(function* (businessId, externalRef) {
    // A separate statement, so that the next one sees a trip that was stored while this one waited. The update locks an
    // existing row, and `false` keeps it from being written.
    yield* Effect.orDie(sql`
        INSERT INTO external_ref_locks (business_id, bucket) VALUES (${businessId}, hashtext(${externalRef}) & 255)
        ON CONFLICT (business_id, bucket) DO UPDATE SET bucket = excluded.bucket WHERE false`)
    const [trip] = yield* trips(sql`
        SELECT trip_id FROM trips
        WHERE business_id = ${businessId} AND external_ref = ${externalRef} AND deleted_at IS NULL`)
    return Option.fromNullishOr(trip?.trip_id)
  })
}))
