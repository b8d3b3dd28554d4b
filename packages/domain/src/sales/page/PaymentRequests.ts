/** The invoice with which a visitor pays what they have just booked. */
import { Effect } from "effect"
import { PaymentLinks } from "../../billing/PaymentLinks.ts"
import type { ActingBusiness } from "../../business/Business.ts"
import type { BookingId, TripId } from "../../kernel/Ids.ts"
import type { BusinessProfile } from "../../settings/BusinessProfile.ts"
import { BookingPayments } from "../bookings/BookingPayments.ts"

/** What was booked: a ride, or places of a product. */
type Booked = { readonly trip_id: TripId } | { readonly booking_id: BookingId }

/** The price that the visitor saw contains its tax, so the invoice adds none. */
const taxed = { tax_rate: 0 }

/**
 * Makes the function that raises the invoice of a booking and returns its `payment_hash`. Null if the business
 * does not ask for payment, if it has to confirm the booking first, if nothing is due, and if the payment provider fails: what
 * was booked stays booked, and the office sends the invoice. A repeated call returns the same hash.
 */
export const makePaymentRequests = Effect.gen(function* () {
  const links = yield* PaymentLinks
  const bookings = yield* BookingPayments

  return Effect.fnUntraced(function* (
    { acting, profile }: { readonly acting: ActingBusiness; readonly profile: BusinessProfile },
    booked: Booked
  ) {
    if (!profile.booking_page.asks_payment || profile.booking_confirmation_required) return null
    const link =
      "trip_id" in booked
        ? links.ofTrip(acting, booked.trip_id, taxed)
        : bookings.link(acting, booked.booking_id, taxed)
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
