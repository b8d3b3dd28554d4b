/** Taking places of a product for a customer. */
import { DateTime, Duration, Effect, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { refuseIssues } from "../../kernel/Errors.ts"
import { makeStoreWithReference } from "../../kernel/security/Reference.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { makeLockCustomer } from "../../trips/trip/CustomerReference.ts"
import { type BookingInput, bookingRecord, holdUntil } from "./Booking.ts"
import { addressIssues, noDepartureIssues, startIssues, totalIssues } from "./BookingChecks.ts"
import { BookingRepository } from "./BookingRepository.ts"
import { BookingSteps } from "./BookingSteps.ts"
import { contactOf, nameIssues } from "../fields/Contact.ts"
import { bookingPrice, type ProductPrice } from "../products/Product.ts"
import { seatsAt } from "../products/Departures.ts"
import { ProductRepository } from "../products/ProductRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** Builds `Bookings.create`. */
export const makeCreateBooking = Effect.gen(function* () {
  const transaction = yield* Transaction
  const bookings = yield* BookingRepository
  const products = yield* ProductRepository
  const steps = yield* BookingSteps
  const cryptography = yield* Cryptography
  const lockCustomer = yield* makeLockCustomer

  const storeWithReference = makeStoreWithReference(cryptography, "BK")

  return traced("Bookings.create")(function* (
    acting: ActingBusiness,
    input: BookingInput,
    price?: ProductPrice
  ) {
    const { business_id } = acting
    const now = yield* DateTime.now
    return yield* atomically(transaction, function* () {
      const product = Option.getOrUndefined(yield* products.lock(business_id, input.product_id))
      const { customer, issues: missing } = yield* lockCustomer(acting, input.customer_id)
      const starts_at = instantOf(input.starts_at, acting.timezone)
      const contact = contactOf(input, customer)
      const isBookable = product !== undefined && product.active
      const seats = isBookable ? seatsAt(product.departures, starts_at, acting.timezone) : undefined
      yield* refuseIssues([
        ...(isBookable
          ? [
              ...addressIssues(product, input),
              ...noDepartureIssues(product, seats),
              ...totalIssues(bookingPrice({ ...product, ...price }, input.participants_count))
            ]
          : [{ field: "product_id", issue: "not_found" as const }]),
        ...startIssues(starts_at, now),
        // Without the customer, it is unknown whether a name is missing.
        ...(missing.length > 0 ? missing : nameIssues(contact))
      ])
      const chosen = yield* Effect.orDie(Effect.fromNullishOr(product))
      const row = {
        ...input,
        ...contact,
        business_id,
        status: "pending" as const,
        payment_status: "unpaid" as const,
        starts_at,
        ends_at: DateTime.addDuration(starts_at, Duration.minutes(chosen.duration_minutes)),
        ...bookingPrice({ ...chosen, ...price }, input.participants_count),
        trip_id: null,
        shares_trip: chosen.departures.length > 0,
        invoice_id: null,
        expires_at: holdUntil(now, starts_at),
        confirmed_at: null,
        cancelled_at: null,
        created_at: now,
        updated_at: now
      }
      yield* steps.reserve(row, { seats, held: 0 })
      return bookingRecord(yield* storeWithReference((reference) => bookings.insert({ ...row, reference })))
    })
  })
})
