import { type BookingPayment, InvoicedBookings } from "@livery/domain"
import type { BookingRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(InvoicedBookings, ({ bookings, step }) => {
  const follow = (isFollowing: (row: BookingRow) => boolean, { invoiceId, paymentStatus }: BookingPayment) =>
    step(() => {
      for (const { booking_id } of bookings.where(isFollowing))
        bookings.change(booking_id, { invoice_id: invoiceId, payment_status: paymentStatus })
    })
  return {
    followInvoice: (businessId, invoiceId, payment) =>
      follow(
        ({ business_id, invoice_id }) => business_id === businessId && invoice_id === invoiceId,
        payment
      ),
    followTrips: (businessId, tripIds, payment) =>
      follow(
        ({ business_id, shares_trip, trip_id }) =>
          business_id === businessId && !shares_trip && trip_id !== null && tripIds.includes(trip_id),
        payment
      )
  }
})
