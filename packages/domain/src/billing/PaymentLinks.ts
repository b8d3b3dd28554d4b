/** Links with which customers pay for a trip (docs/api/invoices.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { orNotFound } from "../kernel/Errors.ts"
import { afterChange } from "../kernel/Faults.ts"
import { InvoiceId, type TripId } from "../kernel/Ids.ts"
import { chargeOf, type Trip } from "../trips/trip/Trip.ts"
import { TripRepository } from "../trips/trip/TripRepository.ts"
import { CardPayments } from "./provider/CardPayments.ts"
import { NothingOutstanding } from "./provider/CardPayment.ts"
import { dueMinorOf, type Invoice } from "./invoice/Invoice.ts"
import { requireIssued } from "./invoice/InvoiceRules.ts"
import { InvoiceRepository } from "./invoice/InvoiceRepository.ts"
import { asUsual } from "./invoice/Untaxed.ts"
import { Invoices } from "./Invoices.ts"
import { PaymentPage } from "./invoice/PaymentPage.ts"
import { namingTax } from "./invoice/RaisedFor.ts"
import { PaymentProvider } from "./provider/PaymentProvider.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { PaymentLinkInput } from "./invoice/PaymentLink.ts"

/** The most times that a trip is read, if another request invoices it meanwhile. Then the request fails. */
const maxAttempts = 3

export class PaymentLinks extends Context.Service<PaymentLinks>()("@livery/domain/PaymentLinks", {
  make: Effect.gen(function* () {
    const trips = yield* TripRepository
    const invoices = yield* InvoiceRepository
    const invoicing = yield* Invoices
    const cards = yield* CardPayments
    const provider = yield* PaymentProvider
    const pageOf = yield* PaymentPage

    const ofInvoice = traced("PaymentLinks.ofInvoice")(function* (invoice: Invoice) {
      const { currency, invoice_id, number, payment_hash } = invoice
      yield* requireIssued(invoice)
      if (dueMinorOf(invoice) === 0)
        return yield* new NothingOutstanding({ reason: `Nothing is due on invoice ${number}` })
      const { amount } = yield* cards.pay(payment_hash)
      return {
        url: pageOf?.(payment_hash) ?? null,
        payment_hash,
        invoice_id,
        number,
        amount_due: amount,
        currency
      }
    })

    const invoiceFor = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      trip: Trip,
      taxes: PaymentLinkInput
    ) {
      const { currency, customer_id, reference, trip_id } = trip
      if (chargeOf(trip) === 0)
        return yield* new NothingOutstanding({ reason: `The trip ${reference} has no price` })
      yield* provider.configured
      const { invoice_id } = yield* invoicing
        .create(acting, {
          customer_id,
          currency,
          items: [],
          due_date: null,
          notes: null,
          trip_ids: [trip_id],
          ...taxes,
          ...asUsual
        })
        .pipe(namingTax)
      return InvoiceId.make(invoice_id)
    })

    return {
      /**
       * The link of the trip's invoice; a trip without an invoice gets one, for its price or the fee of its
       * cancellation. A repeated request gives the same link. The payment intent is created before the link is
       * returned, so that no link leads to a payment that the provider refuses. `NothingOutstanding` if nothing is
       * due; `PaymentRefused` and `PaymentProviderUnavailable` as the provider answers; if no provider is configured,
       * no invoice is raised; `PlanLimitExceeded` as for a new invoice; `NotFound` if the trip is absent or another
       * business's. A fault after the invoice was raised is an `OutcomeUnknown`.
       */
      ofTrip: traced("PaymentLinks.ofTrip")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        input: PaymentLinkInput
      ) {
        for (let round = 1; ; round++) {
          const trip = yield* orNotFound("trip")(yield* trips.find(acting.business_id, tripId))
          // A concurrent request may put the trip on an invoice first.
          const invoiceId = yield* trip.invoice_id === null
            ? invoiceFor(acting, trip, input).pipe(
                Effect.asSome,
                Effect.catchTag("Conflict", (conflict) =>
                  round < maxAttempts ? Effect.succeed(Option.none<InvoiceId>()) : Effect.fail(conflict)
                )
              )
            : Effect.succeedSome(trip.invoice_id)
          if (Option.isNone(invoiceId)) continue
          const link = invoices
            .find(acting.business_id, invoiceId.value)
            .pipe(Effect.flatMap(orNotFound("invoice")), Effect.flatMap(ofInvoice))
          return yield* trip.invoice_id === null ? afterChange(link) : link
        }
      }),

      /** The link of an invoice, with the same errors. */
      ofInvoice
    }
  })
}) {
  static readonly layer = Layer.effect(PaymentLinks, PaymentLinks.make)
}
