import { Array, Effect, Schema, Struct } from "effect"
import { Customer, CustomerId, TripId, TripReferences } from "@livery/domain"
import { rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { lockActiveCars, lockCustomerEmails } from "./ReferenceLocks.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const byEmail = rowsAs(Schema.Struct({ email: Schema.String, customer_id: CustomerId }))
const byExternalRef = rowsAs(Schema.Struct({ external_ref: Schema.String, trip_id: TripId }))
const customersById = rowsAs(Customer.mapFields(Struct.pick(["customer_id", "name", "email", "phone"])))
const trips = rowsAs(Schema.Struct({ trip_id: TripId }))
const customers = rowsAs(Customer.mapFields(Struct.pick(["name", "email", "phone"])))

/**
 * Locks rows of `cars`, `customers` and `trips`. A lock on an external reference is one of 256 per business, which
 * references share.
 */
export const layer = onPostgres(TripReferences, (sql) => ({
  lockCars: lockActiveCars(sql),
  lockCustomer: (businessId, customerId) =>
    firstOf(
      customers(sql`
            SELECT name, email, phone FROM customers
            WHERE business_id = ${businessId} AND customer_id = ${customerId} AND deleted_at IS NULL
            FOR KEY SHARE`)
    ),
  lockCustomers: (businessId, customerIds) =>
    customerIds.length === 0
      ? Effect.succeed(new Map())
      : Effect.map(
          customersById(sql`
            SELECT customer_id, name, email, phone FROM customers
            WHERE business_id = ${businessId} AND customer_id = ANY (${customerIds}::bigint[]) AND deleted_at IS NULL
            ORDER BY customer_id FOR KEY SHARE`),
          (found) => new Map(found.map(({ customer_id, ...customer }) => [customer_id, customer]))
        ),
  lockCustomersByEmail: Effect.fnUntraced(function* (businessId, emails) {
    if (emails.length === 0) return new Map()
    // A separate statement, so that the next one sees an email that was set while this one waited.
    yield* lockCustomerEmails(sql, businessId, "FOR SHARE")
    const found = yield* byEmail(sql`
        SELECT c.email, c.customer_id FROM unnest(${emails}::text[]) AS e (email)
        JOIN customers c ON c.business_id = ${businessId} AND c.email = e.email AND c.deleted_at IS NULL
        ORDER BY c.customer_id FOR KEY SHARE OF c`)
    return new Map(found.map(({ customer_id, email }) => [email, customer_id]))
  }),
  lockTrip: (businessId, tripId) =>
    Effect.map(
      trips(sql`
          SELECT trip_id FROM trips
          WHERE business_id = ${businessId} AND trip_id = ${tripId} AND deleted_at IS NULL FOR KEY SHARE`),
      Array.isReadonlyArrayNonEmpty
    ),
  lockExternalRefs: Effect.fnUntraced(function* (businessId, externalRefs) {
    if (externalRefs.length === 0) return new Map()
    // A separate statement, so that the next one sees a trip that was stored while this one waited. The update locks an
    // existing row, and `false` keeps it from being written. In order, so that two transactions cannot deadlock.
    yield* Effect.orDie(sql`
        INSERT INTO external_ref_locks (business_id, bucket)
        SELECT DISTINCT ${businessId}::bigint, hashtext(e.ref) & 255 AS bucket
        FROM unnest(${externalRefs}::text[]) AS e (ref) ORDER BY bucket
        ON CONFLICT (business_id, bucket) DO UPDATE SET bucket = excluded.bucket WHERE false`)
    const found = yield* byExternalRef(sql`
        SELECT t.external_ref, t.trip_id FROM unnest(${externalRefs}::text[]) AS e (ref)
        JOIN trips t ON t.business_id = ${businessId} AND t.external_ref = e.ref AND t.deleted_at IS NULL`)
    return new Map(found.map(({ external_ref, trip_id }) => [external_ref, trip_id]))
  })
}))
