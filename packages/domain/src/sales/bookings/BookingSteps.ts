/** The steps of bookings that several use cases share. All run inside of the caller's transaction. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Invoice } from "../../billing/invoice/Invoice.ts"
import { makeInvoiceEndings } from "../../billing/InvoiceEndings.ts"
import { InvoiceRepository } from "../../billing/invoice/InvoiceRepository.ts"
import { InvoiceUnitOfWork } from "../../billing/invoice/InvoiceUnitOfWork.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { Conflict, orNotFound } from "../../kernel/Errors.ts"
import type { BookingId, BusinessId } from "../../kernel/Ids.ts"
import { type Booking, bookingAt, placesOf } from "./Booking.ts"
import { type BookingKey, BookingRepository } from "./BookingRepository.ts"
import { type BookedDeparture, DepartureRepository } from "../products/DepartureRepository.ts"
import { ProductRepository } from "../products/ProductRepository.ts"

/** Whether an unpaid invoice of a booking has no other lines, no trips and no credit notes. */
const chargesOnlyBooking = ({ credited_minor, lines, status, trip_ids }: Invoice): boolean =>
  status === "unpaid" && credited_minor === 0 && lines.length === 1 && trip_ids.length === 0

/** The error of a booking of a departure whose trip the business cancelled or deleted. */
export const departureCancelled = new Conflict({ reason: "That departure was cancelled" })

/** The seats of the departure of a booking. */
export interface DepartureSeats {
  /** Undefined if the schedule no longer has the departure: then no further places can be taken. */
  readonly seats: number | undefined
  /** The places that the stored booking holds at this departure. */
  readonly held: number
}

export class BookingSteps extends Context.Service<BookingSteps>()("@livery/domain/BookingSteps", {
  make: Effect.gen(function* () {
    const departures = yield* DepartureRepository
    const bookings = yield* BookingRepository
    const products = yield* ProductRepository
    const invoices = yield* InvoiceRepository
    const businesses = yield* BusinessRepository
    const endings = yield* makeInvoiceEndings

    const store = Effect.fnUntraced(function* (booking: Booking) {
      const stored = { ...booking, updated_at: yield* DateTime.now }
      yield* bookings.update(stored)
      return stored
    })

    const lockStored = Effect.fnUntraced(function* ({ booking_id, business_id, product_id }: BookingKey) {
      // The product is locked first: its lock lets only one transaction at a time reserve or release its places.
      yield* products.lockPlaces(business_id, product_id)
      return yield* bookings.lock(business_id, booking_id)
    })

    const release = (booking: Booking) =>
      booking.shares_trip ? Effect.void : products.release(booking.business_id, placesOf(booking))

    const expire = Effect.fnUntraced(function* (key: BookingKey) {
      const locked = Option.getOrUndefined(yield* lockStored(key))
      if (locked === undefined || locked.status !== "pending") return
      // A payment locks the invoice. It is stored before the booking is read again, or else after its expiry.
      const invoice =
        locked.invoice_id === null ? Option.none() : yield* invoices.lock(key.business_id, locked.invoice_id)
      const stored = yield* bookings.find(key.business_id, key.booking_id)
      const current = bookingAt(
        Option.getOrElse(stored, () => locked),
        yield* DateTime.now
      )
      if (current.status !== "expired") return
      yield* release(current)
      yield* bookings.update(current)
      if (Option.isSome(invoice) && chargesOnlyBooking(invoice.value)) {
        const business = yield* Effect.orDie(Effect.fromOption(yield* businesses.find(current.business_id)))
        // The places were given back, so the customer must not pay for them.
        yield* Effect.orDie(endings.void(business, invoice.value))
      }
    })

    /** The departure of a booking; undefined if it has no other bookings. */
    const departureOf = Effect.fnUntraced(function* ({
      business_id,
      product_id,
      starts_at
    }: Pick<Booking, "business_id" | "product_id" | "starts_at">) {
      const range = { from: starts_at, before: DateTime.add(starts_at, { seconds: 1 }) }
      const found = yield* departures.booked(business_id, product_id, range, yield* DateTime.now)
      return found[0]
    })

    const requireSeats = Effect.fnUntraced(function* (
      departure: BookedDeparture | undefined,
      wanted: number,
      { held, seats }: DepartureSeats
    ) {
      if (departure?.is_cancelled === true) return yield* departureCancelled
      const taken = departure?.taken ?? 0
      const left = (seats ?? taken) - (taken - held)
      if (wanted > left)
        return yield* new Conflict({
          reason: left === 0 ? "That departure is full" : `That departure has room for only ${left}`
        })
    })

    return {
      departureOf,

      /** The business's booking as it is now, locked after its product; `NotFound` if it is absent. */
      lock: Effect.fnUntraced(function* (businessId: BusinessId, bookingId: BookingId) {
        const stored = yield* orNotFound("booking")(yield* bookings.find(businessId, bookingId))
        const locked = yield* orNotFound("booking")(yield* lockStored(stored))
        return bookingAt(locked, yield* DateTime.now)
      }),

      /** Stores a locked booking and returns it. */
      store,

      /**
       * Takes the places of a booking of a locked product, once those of bookings that have expired are given back.
       * `Conflict` if too few are left at some time between its start and its end; for a booking of a departure, if the
       * departure has too few seats left. Its seats are counted from its bookings, so nothing is stored for them.
       */
      reserve: Effect.fnUntraced(function* (
        booking: Parameters<typeof placesOf>[0] & Pick<Booking, "business_id" | "shares_trip">,
        ofDeparture: DepartureSeats
      ) {
        const due = yield* bookings.dueOfProduct(booking.business_id, booking.product_id, yield* DateTime.now)
        yield* Effect.forEach(due, expire, { discard: true })
        if (booking.shares_trip)
          yield* requireSeats(yield* departureOf(booking), booking.participants_count, ofDeparture)
        else if (!(yield* products.reserve(booking.business_id, placesOf(booking))))
          return yield* new Conflict({ reason: "The product has too few places left at that time" })
      }),

      /** Gives back the places of a booking of a locked product. */
      release,

      /** Cancels a locked booking, and gives its places back. */
      cancel: Effect.fnUntraced(function* (booking: Booking) {
        yield* release(booking)
        const cancelled_at = yield* DateTime.now
        return yield* store({ ...booking, status: "cancelled", expires_at: null, cancelled_at })
      }),

      /**
       * Stores the expiry of a booking, gives its places back, and voids its invoice if the invoice charges nothing
       * else. No change if the booking was ended, confirmed or paid for since.
       */
      expire
    }
  })
}) {
  static readonly layer = Layer.effect(BookingSteps, BookingSteps.make).pipe(
    Layer.provide(InvoiceUnitOfWork.layer)
  )
}
