/** The use cases of bookings (docs/api/sales.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { forReader, pageForReader } from "../../business/CurrentRole.ts"
import { ConfirmationRequired, orNotFound, refuseIssues } from "../../kernel/Errors.ts"
import type { BookingId } from "../../kernel/Ids.ts"
import type { PageRequest } from "../../kernel/Page.ts"
import { unconditional } from "../../kernel/Precondition.ts"
import { dayRangeIssues } from "../../kernel/time/DayRange.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import type { DeletionTerms } from "../../trips/trip/Deletion.ts"
import type { CancelReason } from "../../trips/trip/TripStatus.ts"
import { type Booking, bookingAt, bookingMachine, type BookingRecord, bookingRecord } from "./Booking.ts"
import { productDeleted } from "./BookingChecks.ts"
import { makeCreateBooking } from "./BookingCreation.ts"
import { type BookingFilter, bookingQueryOf } from "./BookingFilter.ts"
import { BookingRepository } from "./BookingRepository.ts"
import { BookingSteps } from "./BookingSteps.ts"
import { makeBookingTrip } from "./BookingTrip.ts"
import { makeUpdateBooking } from "./BookingUpdate.ts"
import { ProductRepository } from "../products/ProductRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/**
 * `NotFound` if the booking is absent or another business's; `Conflict` if the precondition fails; `IllegalTransition`
 * if the status does not permit the step.
 */
export class Bookings extends Context.Service<Bookings>()("@livery/domain/Bookings", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const bookings = yield* BookingRepository
    const products = yield* ProductRepository
    const steps = yield* BookingSteps
    const trip = yield* makeBookingTrip

    const cancelLocked = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      booking: Booking,
      force: boolean,
      reason: CancelReason = "operator"
    ) {
      yield* trip.leave(acting, booking, reason, force)
      return yield* steps.cancel(booking)
    })

    return {
      /**
       * Takes places of a product for a customer. The booking is pending, and expires after a day or at its start
       * unless it is confirmed. `price` applies in place of the product's current one. `Conflict` if too few places
       * are left at some time between its start and its end. `InvalidInput` for a product that is absent or inactive,
       * a customer that is absent, a start that has passed, a booking without a name, a booking of a transport product
       * without addresses, and so many participants that the total exceeds the largest amount.
       */
      create: yield* makeCreateBooking,

      /** The business's bookings, the latest start first. `InvalidInput` for days in the wrong order. */
      list: traced("Bookings.list")(function* (
        { business_id, timezone }: ActingBusiness,
        filter: BookingFilter,
        page: PageRequest
      ) {
        yield* refuseIssues(dayRangeIssues(filter))
        const now = yield* DateTime.now
        const records = yield* bookings.list(business_id, bookingQueryOf(filter, timezone), now, page)
        const items = records.items.map((booking) => bookingRecord(bookingAt(booking, now)))
        return yield* pageForReader("sales", { ...records, items })
      }),

      get: traced("Bookings.get")(function* ({ business_id }: ActingBusiness, bookingId: BookingId) {
        const booking = yield* orNotFound("booking")(yield* bookings.find(business_id, bookingId))
        return yield* forReader("sales", bookingRecord(bookingAt(booking, yield* DateTime.now)))
      }),

      /**
       * Changes the given fields. The time, the number of participants and the addresses can change while the booking
       * is pending; contact data and notes until it has ended. `InvalidInput` for other fields, and as for `create`.
       * `Conflict` if too few places are left, and if the change alters the price of a booking that is on an invoice.
       * A confirmed booking can be completed by its status.
       */
      update: yield* makeUpdateBooking,

      /**
       * Confirms a pending booking. A booking of a transport product books its trip; fails as that does. The bookings of
       * a departure share one trip. `Conflict` if the product was deleted, or the trip of the departure was cancelled.
       */
      confirm: traced("Bookings.confirm")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        force: boolean
      ) {
        const { business_id } = acting
        return yield* atomically(transaction, function* () {
          const before = yield* steps.lock(business_id, bookingId)
          const status = yield* bookingMachine.move(before.status, "confirmed", "operator")
          const product = Option.getOrUndefined(yield* products.find(business_id, before.product_id))
          if (product === undefined) return yield* productDeleted
          const trip_id = yield* trip.book(acting, before, product, force)
          const payment_status = yield* trip.invoice(acting, before, trip_id)
          const confirmed_at = yield* DateTime.now
          return bookingRecord(
            yield* steps.store({
              ...before,
              status,
              trip_id,
              payment_status,
              confirmed_at,
              expires_at: null
            })
          )
        })
      }),

      /**
       * Cancels a booking, gives its places back and cancels its trip for that reason, by default `operator`. The trip of
       * a departure is cancelled with its last booking.
       * `ConfirmationRequired` if the trip is under way, unless `force` is true.
       */
      cancel: traced("Bookings.cancel")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        force: boolean,
        reason?: CancelReason
      ) {
        return yield* atomically(transaction, function* () {
          const before = yield* steps.lock(acting.business_id, bookingId)
          yield* bookingMachine.move(before.status, "cancelled", "operator")
          return bookingRecord(yield* cancelLocked(acting, before, force, reason))
        })
      }),

      /**
       * Deletes a booking; an open one is cancelled first. `ConfirmationRequired` if it is confirmed or on an invoice.
       */
      remove: traced("Bookings.remove")(function* (
        acting: ActingBusiness,
        bookingId: BookingId,
        { force = false, precondition = unconditional }: DeletionTerms<BookingRecord> = {}
      ) {
        return yield* atomically(transaction, function* () {
          const before = yield* steps.lock(acting.business_id, bookingId)
          const last = bookingRecord(before)
          yield* precondition(last)
          const { invoice_id, trip_id } = before
          if ((before.status === "confirmed" || invoice_id !== null) && !force)
            return yield* new ConfirmationRequired({
              reason: invoice_id === null ? "The booking is confirmed" : "The booking is on an invoice",
              atStake: [{ type: "booking", booking_id: bookingId, trip_id, invoice_id }]
            })
          if (bookingMachine.can(before.status, "cancelled")) yield* cancelLocked(acting, before, force)
          // Its expiry may not be stored yet; the sweep does not find a deleted booking.
          else yield* steps.expire(before)
          yield* bookings.remove(acting.business_id, bookingId, yield* DateTime.now)
          return last
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Bookings, Bookings.make).pipe(Layer.provide(BookingSteps.layer))
}
