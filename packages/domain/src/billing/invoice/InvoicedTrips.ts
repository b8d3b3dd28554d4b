/** The trips on invoices. */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Conflict, InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { firstCharacters } from "../../kernel/fields/Text.ts"
import type { InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import { pickupText, type Trip } from "../../trips/trip/Trip.ts"
import { TripRepository } from "../../trips/trip/TripRepository.ts"
import type { PaymentStatus } from "../../trips/trip/TripStatus.ts"
import { TripUnitOfWork } from "../../trips/changes/TripUnitOfWork.ts"
import { InvoicedBookings } from "./InvoicedBookings.ts"
import { type InvoiceLine, netOf } from "./InvoiceLine.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The price that an invoice charges for a trip: for a cancelled one its fee, in minor units. */
export const chargeOf = ({ cancellation_fee_minor, status, total_minor }: Trip): number =>
  (status === "cancelled" ? cancellation_fee_minor : total_minor) ?? 0

/** The line that charges a trip, with its time on the clock of its pickup. `timezone` is the business's. */
export const lineOfTrip = (trip: Trip, tax_rate: number, timezone: string): InvoiceLine => {
  const time = pickupText(trip.trip_date, trip.pickup_timezone, timezone)
  const text = `${trip.reference}, ${time}, ${trip.pickup_address} – ${trip.dropoff_address}`
  const unit_price_minor = chargeOf(trip)
  return {
    description: firstCharacters(text, 500),
    quantity: 1,
    unit_price_minor,
    tax_rate,
    net_minor: netOf(unit_price_minor, 1, trip.currency),
    trip_id: trip.trip_id
  }
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
