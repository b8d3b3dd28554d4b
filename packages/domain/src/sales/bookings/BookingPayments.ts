/**
 * Paying for bookings (docs/api/invoices.md). A booking is paid through its invoice, so that its payments are in the one
 * ledger. A booking with a trip of its own has the invoice of the trip.
 */
import { Context, Effect, Layer, Option } from "effect"
import { NothingOutstanding } from "../../billing/provider/CardPayment.ts"
import { dueMinorOf, type Invoice } from "../../billing/invoice/Invoice.ts"
import { requireIssued } from "../../billing/invoice/InvoiceRules.ts"
import { InvoiceRepository } from "../../billing/invoice/InvoiceRepository.ts"
import { nothingSent } from "../../billing/invoice/LineTaxes.ts"
import { namingTax } from "../../billing/invoice/RaisedFor.ts"
import { asUsual } from "../../billing/invoice/Untaxed.ts"
import { Invoices } from "../../billing/Invoices.ts"
import { PaymentLinks } from "../../billing/PaymentLinks.ts"
import type { PaymentLinkInput } from "../../billing/invoice/PaymentLink.ts"
import { PaymentProvider } from "../../billing/provider/PaymentProvider.ts"
import { Payments } from "../../billing/Payments.ts"
import type { ActingBusiness } from "../../business/Business.ts"
import { PlanRepository } from "../../business/PlanRepository.ts"
import { CustomerRepository } from "../../customers/CustomerRepository.ts"
import { orNotFound } from "../../kernel/Errors.ts"
import { afterChange } from "../../kernel/Faults.ts"
import { type BookingId, InvoiceId } from "../../kernel/Ids.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { unspecifiedTaxTerms } from "../../kernel/money/Taxes.ts"
import { wallClock } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { chargeOf } from "../../trips/trip/Trip.ts"
import { TripRepository } from "../../trips/trip/TripRepository.ts"
import { type Booking, holdsPlaces } from "./Booking.ts"
import { BookingRepository } from "./BookingRepository.ts"
import { BookingSteps } from "./BookingSteps.ts"
import { ProductRepository } from "../products/ProductRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { BookingPaymentInput } from "./BookingPaymentInput.ts"

/** The most times that a booking is read, if another request invoices its trip meanwhile. Then the request fails. */
const maxAttempts = 3

/**
 * Both raise the booking's invoice if it has none: for the price of the booking, or as for its trip. A booking that
 * was cancelled or has expired gets none, except for the cancellation fee of its trip. `NothingOutstanding` if nothing
 * is due; `PlanLimitExceeded` as for a new invoice; `NotFound` if the booking is absent or another business's.
 */
export class BookingPayments extends Context.Service<BookingPayments>()("@livery/domain/BookingPayments", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const bookings = yield* BookingRepository
    const steps = yield* BookingSteps
    const products = yield* ProductRepository
    const customers = yield* CustomerRepository
    const trips = yield* TripRepository
    const invoices = yield* InvoiceRepository
    const invoicing = yield* Invoices
    const payments = yield* Payments
    const links = yield* PaymentLinks
    const provider = yield* PaymentProvider

    /**
     * The content of a new invoice: the trip of the booking, or a line at the price of the booking; null if there is
     * no charge.
     */
    const chargesOf = Effect.fnUntraced(function* (
      { business_id, timezone }: ActingBusiness,
      booking: Booking
    ) {
      const { currency, product_id, reference, shares_trip, starts_at, total_minor, trip_id } = booking
      if (trip_id !== null && !shares_trip) {
        const trip = Option.getOrUndefined(yield* trips.find(business_id, trip_id))
        if (trip === undefined || chargeOf(trip) === 0) return null
        const { customer_id } = trip
        return {
          own: unspecifiedTaxTerms,
          invoice: { customer_id, currency: trip.currency, items: [], trip_ids: [trip_id] }
        }
      }
      if (total_minor === 0 || !holdsPlaces(booking.status)) return null
      const product = Option.getOrUndefined(yield* products.find(business_id, product_id))
      const customer =
        booking.customer_id === null
          ? undefined
          : Option.getOrUndefined(yield* customers.find(business_id, booking.customer_id))
      const time = wallClock(starts_at, timezone).slice(0, 16)
      const item = {
        description: [reference, time, ...(product === undefined ? [] : [product.name])].join(", "),
        quantity: 1,
        unit_price: toMajor({ minor: total_minor, currency }),
        ...nothingSent,
        trip_id: null
      }
      return {
        own: product ?? unspecifiedTaxTerms,
        // If the customer was deleted, the invoice has no customer, as the trip of a booking has none then.
        invoice: { customer_id: customer?.customer_id ?? null, currency, items: [item], trip_ids: [] }
      }
    })

    const raise = Effect.fnUntraced(function* <E>(
      acting: ActingBusiness,
      booking: Booking,
      taxes: PaymentLinkInput,
      beforeRaising: Effect.Effect<void, E>
    ) {
      const charges = yield* chargesOf(acting, booking)
      if (charges === null)
        return yield* new NothingOutstanding({ reason: `Nothing is due on booking ${booking.reference}` })
      yield* beforeRaising
      const { invoice_id } = yield* invoicing
        .create(
          acting,
          { ...charges.invoice, due_date: null, notes: null, ...taxes, ...asUsual },
          charges.own
        )
        .pipe(namingTax)
      const invoiceId = InvoiceId.make(invoice_id)
      if (booking.trip_id === null || booking.shares_trip)
        yield* bookings.setInvoice(booking.business_id, booking.booking_id, invoiceId)
      return invoiceId
    })

    const lock = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, bookingId: BookingId) {
      // The business is locked before the booking (docs/lock-order.md).
      yield* plans.lock(business_id)
      return yield* steps.lock(business_id, bookingId)
    })

    /**
     * The booking's invoice, which is raised if there is none; `beforeRaising` runs first then.
     * `NothingOutstanding` if nothing is due. Runs in the caller's transaction.
     */
    const invoiceOf = Effect.fnUntraced(function* <E>(
      acting: ActingBusiness,
      bookingId: BookingId,
      taxes: PaymentLinkInput,
      beforeRaising: Effect.Effect<void, E>
    ) {
      const { business_id } = acting
      const booking = yield* lock(acting, bookingId)
      const invoiceId = booking.invoice_id ?? (yield* raise(acting, booking, taxes, beforeRaising))
      const invoice = yield* orNotFound("invoice")(yield* invoices.find(business_id, invoiceId))
      yield* requireIssued(invoice)
      if (dueMinorOf(invoice) === 0)
        return yield* new NothingOutstanding({ reason: `Nothing is due on invoice ${invoice.number}` })
      return invoice
    })

    /** Tries again after a conflict: a concurrent request may have put the booking's trip on an invoice. */
    const retryAfterConflict = <A, E extends { readonly _tag: string }>(work: Effect.Effect<A, E>) =>
      Effect.retry(work, { times: maxAttempts - 1, while: ({ _tag }) => _tag === "Conflict" })

    return {
      /** The link with which the customer pays by card; as for a trip, also in its faults. */
      link: traced("BookingPayments.link")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        taxes: PaymentLinkInput
      ) {
        const { invoice, isRaised } = yield* retryAfterConflict(
          atomically(transaction, function* () {
            // A booking whose expiry is not stored yet: its places are gone, and its invoice becomes void.
            const booking = yield* lock(acting, bookingId)
            if (booking.status === "expired") yield* steps.expire(booking)
            const invoice: Invoice = yield* invoiceOf(acting, bookingId, taxes, provider.configured)
            return { invoice, isRaised: booking.invoice_id === null }
          })
        )
        const made = links.ofInvoice(invoice)
        return yield* isRaised ? afterChange(made) : made
      }),

      /**
       * Records a payment that was received, as for any invoice. No invoice is raised for a payment that is refused.
       */
      record: traced("BookingPayments.record")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        { tax_included, tax_rate, taxes, ...payment }: BookingPaymentInput
      ) {
        return yield* retryAfterConflict(
          atomically(transaction, function* () {
            const { invoice_id } = yield* invoiceOf(
              acting,
              bookingId,
              { tax_included, tax_rate, taxes },
              Effect.void
            )
            return yield* payments.record(acting, invoice_id, payment)
          })
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BookingPayments, BookingPayments.make).pipe(
    Layer.provide(BookingSteps.layer)
  )
}
