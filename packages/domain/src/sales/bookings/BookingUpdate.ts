/** Changing a booking. */
import { DateTime, Duration, Effect, Equal, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { Conflict, refuseIssues } from "../../kernel/Errors.ts"
import type { BookingId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { makeLockCustomer } from "../../trips/trip/CustomerReference.ts"
import {
  type Booking,
  type BookingChanges,
  bookingMachine,
  type BookingRecord,
  bookingRecord,
  bookingTotal,
  holdUntil,
  placesOf
} from "./Booking.ts"
import {
  addressIssues,
  adviceOnFixed,
  fixedFields,
  noDepartureIssues,
  productDeleted,
  startIssues,
  totalIssues
} from "./BookingChecks.ts"
import { BookingSteps } from "./BookingSteps.ts"
import { nameIssues } from "../fields/Contact.ts"
import { seatsAt } from "../products/Departures.ts"
import type { Product } from "../products/Product.ts"
import { ProductRepository } from "../products/ProductRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** Builds `Bookings.update`. */
export const makeUpdateBooking = Effect.gen(function* () {
  const transaction = yield* Transaction
  const products = yield* ProductRepository
  const steps = yield* BookingSteps
  const lockCustomer = yield* makeLockCustomer

  /** Releases the places that the booking had, and reserves those of the changed booking. */
  const move = Effect.fnUntraced(function* (
    before: Booking,
    after: Booking,
    product: Option.Option<Product>,
    seats: number | undefined
  ) {
    if (Equal.equals(placesOf(before), placesOf(after))) return
    if (Option.isNone(product)) return yield* productDeleted
    yield* steps.release(before)
    const isSameDeparture = before.shares_trip && Equal.equals(before.starts_at, after.starts_at)
    yield* steps.reserve(after, { seats, held: isSameDeparture ? before.participants_count : 0 })
  })

  return traced("Bookings.update")(function* (
    acting: ActingBusiness,
    bookingId: BookingId,
    changes: BookingChanges,
    precondition: Precondition<BookingRecord> = unconditional
  ) {
    const now = yield* DateTime.now
    return yield* atomically(transaction, function* () {
      const before = yield* steps.lock(acting.business_id, bookingId)
      yield* precondition(bookingRecord(before))
      const { starts_at: sentStart, status, ...plain } = changes
      const isStatusSent =
        status !== undefined && (status !== before.status || bookingMachine.isTerminal(status))
      if (isStatusSent) yield* bookingMachine.move(before.status, status, "operator")
      yield* refuseIssues(fixedFields(before, changes, isStatusSent), adviceOnFixed(before))
      const missing = (yield* lockCustomer(acting, changes.customer_id)).issues
      const starts_at = sentStart === undefined ? before.starts_at : instantOf(sentStart, acting.timezone)
      const duration = before.ends_at.epochMilliseconds - before.starts_at.epochMilliseconds
      const isMoved = !Equal.equals(starts_at, before.starts_at)
      const product = yield* products.find(acting.business_id, before.product_id)
      const seats = Option.match(product, {
        onNone: () => undefined,
        onSome: ({ departures }) => seatsAt(departures, starts_at, acting.timezone)
      })
      const after: Booking = {
        ...before,
        ...plain,
        status: status ?? before.status,
        starts_at,
        ends_at: DateTime.addDuration(starts_at, Duration.millis(duration)),
        shares_trip:
          isMoved && Option.isSome(product) ? product.value.departures.length > 0 : before.shares_trip,
        total_minor: bookingTotal(before, changes.participants_count ?? before.participants_count),
        expires_at: isMoved ? holdUntil(now, starts_at) : before.expires_at
      }
      yield* refuseIssues([
        ...missing,
        ...(after.total_minor === before.total_minor ? [] : totalIssues(after)),
        ...(isMoved ? startIssues(starts_at, now) : []),
        ...nameIssues(after),
        ...Option.match(product, {
          onNone: () => [],
          onSome: (product) => [
            ...addressIssues(product, after),
            ...(isMoved ? noDepartureIssues(product, seats) : [])
          ]
        })
      ])
      if (Equal.equals(after, before)) return bookingRecord(before)
      if (after.total_minor !== before.total_minor && before.invoice_id !== null)
        return yield* new Conflict({
          reason: "The booking is on an invoice at its present price; void or credit that first"
        })
      yield* move(before, after, product, seats)
      return bookingRecord(yield* steps.store(after))
    })
  })
})
