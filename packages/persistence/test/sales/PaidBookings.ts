import type { BusinessId } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Gives each booking of a business its row in `booking_payments`: paid if it has an invoice. */
export const payBookings = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO booking_payments (business_id, booking_id, invoice_id, payment_status, status, starts_at, product_id, customer_id)
    SELECT business_id, booking_id, invoice_id, CASE WHEN invoice_id IS NULL THEN 'unpaid' ELSE 'paid' END, status, starts_at,
      product_id, customer_id
    FROM bookings WHERE business_id = ${business} ORDER BY booking_id`
})
