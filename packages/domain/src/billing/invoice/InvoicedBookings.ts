/** The port through which bookings follow the invoices that they are paid with. */
import { Context, type Effect } from "effect"
import type { BusinessId, InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { PaymentStatus } from "../../trips/trip/TripStatus.ts"
import { type Invoice, isInForce } from "./Invoice.ts"
import { tripPaymentStatusOf } from "./InvoiceStatus.ts"

/** The invoice that a booking is paid with, null if there is none, and the payment status that follows. */
export interface BookingPayment {
  readonly invoiceId: InvoiceId | null
  readonly paymentStatus: PaymentStatus
}

/** The payment of a booking that no invoice in force charges for. */
export const unpaidBooking: BookingPayment = { invoiceId: null, paymentStatus: "unpaid" }

/** The payment of the bookings that are paid with an invoice. One that is not in force no longer charges for them. */
export const bookingPaymentOf = (invoice: Invoice): BookingPayment =>
  isInForce(invoice)
    ? { invoiceId: invoice.invoice_id, paymentStatus: tripPaymentStatusOf(invoice.status) }
    : unpaidBooking

/**
 * Both run inside the caller's transaction, after the invoice and then the trips are locked.
 *
 * - `followInvoice`: gives the bookings that are paid with an invoice this payment, also those whose trip was deleted.
 * - `followTrips`: gives the bookings of these trips this payment. Bookings that share the trip of a departure have invoices of
 *   their own, and do not follow it.
 */
export class InvoicedBookings extends Context.Service<
  InvoicedBookings,
  {
    readonly followInvoice: (
      businessId: BusinessId,
      invoiceId: InvoiceId,
      payment: BookingPayment
    ) => Effect.Effect<void>
    readonly followTrips: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>,
      payment: BookingPayment
    ) => Effect.Effect<void>
  }
>()("@livery/domain/InvoicedBookings") {}
