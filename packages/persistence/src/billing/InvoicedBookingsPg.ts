import { type BookingPayment, InvoicedBookings } from "@livery/domain"
import { execute } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

export const layer = onPostgres(InvoicedBookings, (sql) => {
  const set = ({ invoiceId, paymentStatus }: BookingPayment) =>
    sql`UPDATE booking_payments SET invoice_id = ${invoiceId}, payment_status = ${paymentStatus}`
  return {
    followInvoice: (businessId, invoiceId, payment) =>
      execute(sql`${set(payment)} WHERE business_id = ${businessId} AND invoice_id = ${invoiceId}`),
    followTrips: (businessId, tripIds, payment) =>
      execute(sql`
        ${set(payment)} WHERE business_id = ${businessId} AND booking_id IN (
          SELECT b.booking_id FROM bookings b
          WHERE b.business_id = ${businessId} AND b.trip_id = ANY (${tripIds}::bigint[]) AND NOT b.shares_trip)`)
  }
})
