/** The steps of quotes and bookings that email the customer (docs/api/sales.md). */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { type BookingId, ProductId, type QuoteId } from "../../kernel/Ids.ts"
import type { CustomerEmailKind } from "../../settings/EmailWording.ts"
import type { BookingRecord } from "../bookings/Booking.ts"
import { Bookings } from "../bookings/Bookings.ts"
import { type EmailData, makeCustomerEmails } from "./CustomerEmails.ts"
import { type BookingCancellation } from "./CustomerEmailInput.ts"
import { ProductRepository } from "../products/ProductRepository.ts"
import type { Product } from "../products/Product.ts"
import type { QuoteRecord } from "../quotes/Quote.ts"
import { Quotes } from "../quotes/Quotes.ts"
import type { Acceptance } from "../quotes/QuoteSteps.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The data for an email about a quote. */
export const quoteEmailData = (quote: QuoteRecord): EmailData => ({
  reference: quote.reference,
  customer_id: quote.customer_id,
  customer_name: quote.customer_name,
  description: quote.items.map(({ description }) => description).join(", "),
  total_amount: quote.total_amount,
  currency: quote.currency
})

/** The data for an email about a booking; `product` is undefined if it was deleted. */
export const bookingEmailData = (booking: BookingRecord, product: Product | undefined): EmailData => ({
  reference: booking.reference,
  customer_id: booking.customer_id,
  customer_name: booking.customer_name,
  description: product?.name ?? "",
  total_amount: booking.total_amount,
  currency: booking.currency,
  starts_at: booking.starts_at,
  ends_at: booking.ends_at,
  location: booking.pickup_address ?? product?.pickup_address ?? null,
  // The bookings of a tour share their trip, whose notices would name the address of each.
  trip_id: product?.kind === "tour" ? null : booking.trip_id
})

/**
 * Each takes a step of `Quotes` or `Bookings` and fails as that step does. With `email`, the customer's email is
 * queued in the same transaction if the record has an address. Without an email credit, it fails with
 * `UsageLimitReached` and the step is not taken.
 */
export class SalesEmails extends Context.Service<SalesEmails>()("@livery/domain/SalesEmails", {
  make: Effect.gen(function* () {
    const quotes = yield* Quotes
    const bookings = yield* Bookings
    const products = yield* ProductRepository
    const withEmail = yield* makeCustomerEmails

    const recipientOf = ({ customer_email }: { readonly customer_email: string | null }) => customer_email

    /** Takes a step of a booking and, if `email` is true, sends the customer an email of that kind. */
    const withBookingEmail = Effect.fnUntraced(function* <E>(
      acting: ActingBusiness,
      bookingId: BookingId,
      {
        email,
        kind,
        step
      }: {
        readonly kind: CustomerEmailKind
        readonly email: boolean
        readonly step: Effect.Effect<BookingRecord, E>
      }
    ) {
      if (!email) return yield* step
      // The product of a booking never changes.
      const { product_id } = yield* bookings.get(acting, bookingId)
      const product = Option.getOrUndefined(
        yield* products.find(acting.business_id, ProductId.make(product_id))
      )
      const about = (booking: BookingRecord) => bookingEmailData(booking, product)
      return yield* withEmail(acting, { kind, isRequired: true, recipientOf, about }, step)
    })

    return {
      /** `linkOf` gives the address of the customer's link for its token. */
      sendQuote: traced("SalesEmails.sendQuote")(
        (
          acting: ActingBusiness,
          quoteId: QuoteId,
          { email, linkOf }: { readonly email: boolean; readonly linkOf: (token: string) => string }
        ) =>
          email
            ? withEmail(
                acting,
                {
                  kind: "quote_sent",
                  isRequired: true,
                  recipientOf: ({ quote }) => recipientOf(quote),
                  about: ({ quote, token }) => ({
                    ...quoteEmailData(quote),
                    link: linkOf(Redacted.value(token))
                  })
                },
                quotes.send(acting, quoteId)
              )
            : quotes.send(acting, quoteId)
      ),

      acceptQuote: traced("SalesEmails.acceptQuote")(
        (acting: ActingBusiness, quoteId: QuoteId, acceptance: Acceptance, email: boolean) => {
          const step = quotes.accept(acting, quoteId, acceptance)
          const accepted = {
            kind: "quote_accepted",
            isRequired: true,
            recipientOf,
            about: quoteEmailData
          } as const
          return email ? withEmail(acting, accepted, step) : step
        }
      ),

      confirmBooking: traced("SalesEmails.confirmBooking")(
        (
          acting: ActingBusiness,
          bookingId: BookingId,
          { email, force }: { readonly force: boolean; readonly email: boolean }
        ) =>
          withBookingEmail(acting, bookingId, {
            kind: "booking_confirmed",
            email,
            step: bookings.confirm(acting, bookingId, force)
          })
      ),

      cancelBooking: traced("SalesEmails.cancelBooking")(
        (acting: ActingBusiness, bookingId: BookingId, cancellation: BookingCancellation) =>
          withBookingEmail(acting, bookingId, {
            kind: "booking_cancelled",
            email: cancellation.email,
            step: bookings.cancel(acting, bookingId, cancellation.force, cancellation.cancel_reason)
          })
      )
    }
  })
}) {
  static readonly layer = Layer.effect(SalesEmails, SalesEmails.make)
}
