/** The invoice with which a visitor pays what they have just booked. */
import { Effect, Option } from "effect"
import { dueMinorOf } from "../../billing/invoice/Invoice.ts"
import { InvoiceRepository } from "../../billing/invoice/InvoiceRepository.ts"
import { nothingSent } from "../../billing/invoice/LineTaxes.ts"
import { PaymentLinks } from "../../billing/PaymentLinks.ts"
import type { ActingBusiness } from "../../business/Business.ts"
import type { BookingId, InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { BusinessProfile } from "../../settings/BusinessProfile.ts"
import { TripRepository } from "../../trips/trip/TripRepository.ts"
import { BookingPayments } from "../bookings/BookingPayments.ts"
import { BookingRepository } from "../bookings/BookingRepository.ts"

/** What was booked: a ride, or places of a product. */
type Booked = { readonly trip_id: TripId } | { readonly booking_id: BookingId }

/** The visitor pays the price that the page showed: the taxes of the invoice are in it. */
const taxed = { ...nothingSent, tax_included: true }

/**
 * Makes the function that raises the invoice of a booking and returns its `payment_hash`. Null if the business
 * does not ask for payment, if it has to confirm the booking first, if nothing is due, and if the payment provider fails: what was booked stays booked, and the office sends the invoice. A repeated call returns the same hash without the provider.
 */
export const makePaymentRequests = Effect.gen(function* () {
  const links = yield* PaymentLinks
  const payments = yield* BookingPayments
  const trips = yield* TripRepository
  const bookings = yield* BookingRepository
  const invoices = yield* InvoiceRepository

  /** The invoice that a booking has. */
  const invoiceOf = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, booked: Booked) {
    const record: Option.Option<{ readonly invoice_id: InvoiceId | null }> =
      "trip_id" in booked
        ? yield* trips.find(business_id, booked.trip_id)
        : yield* bookings.find(business_id, booked.booking_id)
    const invoiceId = Option.getOrUndefined(record)?.invoice_id ?? null
    return invoiceId === null
      ? undefined
      : Option.getOrUndefined(yield* invoices.find(business_id, invoiceId))
  })

  return Effect.fnUntraced(function* (
    { acting, profile }: { readonly acting: ActingBusiness; readonly profile: BusinessProfile },
    booked: Booked
  ) {
    if (!profile.booking_page.asks_payment || profile.booking_confirmation_required) return null
    // A repeated booking leaves the payment alone that the customer may have begun.
    const raised = yield* invoiceOf(acting, booked)
    if (raised !== undefined) return dueMinorOf(raised) === 0 ? null : raised.payment_hash
    const link =
      "trip_id" in booked
        ? links.ofTrip(acting, booked.trip_id, taxed)
        : payments.link(acting, booked.booking_id, taxed)
    return yield* link.pipe(
      Effect.map(({ payment_hash }): string | null => payment_hash),
      Effect.catchTag("NothingOutstanding", () => Effect.succeed(null)),
      Effect.catch(({ message }) =>
        Effect.as(
          Effect.logWarning("no payment link for a new booking", { ...booked, reason: message }),
          null
        )
      )
    )
  })
})
