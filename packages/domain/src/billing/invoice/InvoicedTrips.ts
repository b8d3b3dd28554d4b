/** The trips on invoices. */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Conflict, InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { firstCharacters } from "../../kernel/fields/Text.ts"
import type { InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import type { TaxTerms } from "../../kernel/money/Taxes.ts"
import { chargeOf, pickupText, type Trip } from "../../trips/trip/Trip.ts"
import { type PricePart, TripCharges } from "../../trips/trip/TripCharges.ts"
import { TripRepository } from "../../trips/trip/TripRepository.ts"
import type { PaymentStatus } from "../../trips/trip/TripStatus.ts"
import { TripUnitOfWork } from "../../trips/changes/TripUnitOfWork.ts"
import { InvoicedBookings } from "./InvoicedBookings.ts"
import type { InvoiceLine } from "./InvoiceLine.ts"
import { netOf } from "./InvoiceSums.ts"
import { type LineTerms, nothingSent, taxFieldsOf } from "./LineTaxes.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/**
 * The lines that charge a trip, with its time on the clock of its pickup. `timezone` is the business's. `parts` are those of its
 * price if its tariff has taxes, which the price contains.
 */
const linesOfTrip = (
  trip: Trip,
  parts: ReadonlyArray<PricePart> | undefined,
  terms: LineTerms,
  timezone: string
): ReadonlyArray<InvoiceLine> => {
  const { currency, pickup_timezone, reference, trip_date, trip_id } = trip
  const route = `${trip.pickup_address} – ${trip.dropoff_address}`
  const description = `${reference}, ${pickupText(trip_date, pickup_timezone, timezone)}, ${route}`
  const lineOf = ({ label, minor, taxes }: Omit<PricePart, "taxes"> & Pick<TaxTerms, "taxes">) => ({
    description: firstCharacters(label === null ? description : `${reference}, ${label}`, 500),
    quantity: 1,
    unit_price_minor: minor,
    ...taxFieldsOf(
      nothingSent,
      { taxes, tax_included: trip.tax_included ?? (parts === undefined ? null : true) },
      terms
    ),
    net_minor: netOf(minor, 1, currency),
    trip_id
  })
  const isTaxedByTariff =
    trip.taxes === null && !terms.isUntaxed && terms.sent.taxes === null && terms.sent.tax_rate === null
  return isTaxedByTariff && parts !== undefined
    ? parts.map(lineOf)
    : [lineOf({ minor: chargeOf(trip), taxes: trip.taxes, label: null })]
}

/** Trips in the order in which a request first names them. */
export const inOrderOf = (
  tripIds: ReadonlyArray<TripId>,
  trips: ReadonlyArray<Trip>
): ReadonlyArray<Trip> => {
  const places = new Map(tripIds.toReversed().map((tripId, index) => [tripId, -index]))
  const placeOf = ({ trip_id }: Trip) => places.get(trip_id) ?? 0
  return trips.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** An issue for each trip that the business does not have, or whose price is in another currency. */
const tripIssues = (tripIds: ReadonlyArray<TripId>, locked: ReadonlyArray<Trip>, currency: Currency) => {
  const trips = new Map(locked.map((trip) => [trip.trip_id, trip]))
  return tripIds.flatMap((tripId, index): ReadonlyArray<FieldIssue> => {
    const trip = trips.get(tripId)
    if (trip === undefined) return [{ field: `trip_ids.${index}`, issue: "not_found" }]
    return trip.currency === currency ? [] : [{ field: `trip_ids.${index}`, issue: "invalid" }]
  })
}

/** A sentence about the first trip whose price is in another currency than the invoice; `undefined` if there is none. */
const currencyAdvice = (locked: ReadonlyArray<Trip>, currency: Currency) => {
  const other = locked.find((trip) => trip.currency !== currency)
  return (
    other &&
    `The invoice is in ${currency}, the trip ${other.reference} in ${other.currency}. Trips of another currency go on an invoice of their own`
  )
}

/** All of these run inside the caller's transaction, after the invoice is locked or before it is stored. */
export class InvoicedTrips extends Context.Service<InvoicedTrips>()("@livery/domain/InvoicedTrips", {
  make: Effect.gen(function* () {
    const trips = yield* TripRepository
    const bookings = yield* InvoicedBookings
    const unitOfWork = yield* TripUnitOfWork
    const charges = yield* TripCharges

    const link = traced("InvoicedTrips.link")(function* (
      acting: ActingBusiness,
      locked: ReadonlyArray<Trip>,
      invoiceId: InvoiceId | null,
      paymentStatus: PaymentStatus
    ) {
      if (locked.length === 0) return
      yield* unitOfWork.setInvoice(acting, locked, invoiceId, paymentStatus)
      const ids = locked.map(({ trip_id }) => trip_id)
      yield* bookings.followTrips(acting.business_id, ids, { invoiceId, paymentStatus })
    })

    return {
      /**
       * The trips with these ids, locked, in order of id. `InvalidInput` for a trip that the business does not have or
       * that has another currency; `Conflict` for one that is on another invoice.
       */
      lockForInvoice: traced("InvoicedTrips.lockForInvoice")(function* (
        { business_id }: ActingBusiness,
        invoiceId: InvoiceId | null,
        tripIds: ReadonlyArray<TripId>,
        currency: Currency
      ) {
        if (tripIds.length === 0) return []
        const locked = yield* trips.lockAll(business_id, [...new Set(tripIds)])
        const issues = tripIssues(tripIds, locked, currency)
        const advice = currencyAdvice(locked, currency)
        if (issues.length > 0)
          return yield* new InvalidInput({ issues, ...(advice === undefined ? {} : { advice }) })
        const elsewhere = locked.filter(({ invoice_id }) => invoice_id !== null && invoice_id !== invoiceId)
        const [first] = elsewhere
        if (first !== undefined)
          return yield* new Conflict({
            reason: `The trip ${first.reference} is on another invoice`,
            records: elsewhere.map(({ invoice_id, reference, trip_id }) => ({
              type: "trip",
              trip_id,
              reference,
              invoice_id
            }))
          })
        return locked
      }),

      /** The lines that charge trips, in their order. Settle them with the other lines of the invoice. */
      linesOf: Effect.fnUntraced(function* (
        { business_id, timezone }: ActingBusiness,
        trips: ReadonlyArray<Trip>,
        terms: LineTerms
      ) {
        if (trips.length === 0) return []
        const parts = yield* charges.taxedParts(business_id, trips)
        return trips.flatMap((trip) => linesOfTrip(trip, parts.get(trip.trip_id), terms, timezone))
      }),

      /**
       * Puts locked trips on an invoice, or on none, with the payment status of the invoice, each with an entry in its
       * timeline. Trips that have both already do not change. The bookings of these trips are paid in the same way.
       */
      link,

      /** Locks the trips with these ids, in order of id. */
      lock: ({ business_id }: ActingBusiness, tripIds: ReadonlyArray<TripId>) =>
        Effect.asVoid(trips.lockAll(business_id, [...new Set(tripIds)])),

      /** The same for trips that are not locked yet. */
      lockAndLink: Effect.fnUntraced(function* (
        acting: ActingBusiness,
        tripIds: ReadonlyArray<TripId>,
        invoiceId: InvoiceId | null,
        paymentStatus: PaymentStatus
      ) {
        yield* link(acting, yield* trips.lockAll(acting.business_id, tripIds), invoiceId, paymentStatus)
      }),

      /** Gives the trips of an invoice its payment status. */
      setPaymentStatus: traced("InvoicedTrips.setPaymentStatus")(function* (
        acting: ActingBusiness,
        tripIds: ReadonlyArray<TripId>,
        invoiceId: InvoiceId,
        paymentStatus: PaymentStatus
      ) {
        if (tripIds.length === 0) return
        yield* unitOfWork.setInvoice(
          acting,
          yield* trips.lockAll(acting.business_id, tripIds),
          invoiceId,
          paymentStatus
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(InvoicedTrips, InvoicedTrips.make).pipe(
    Layer.provide(TripUnitOfWork.layer)
  )
}
