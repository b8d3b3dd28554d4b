/** The port that stores bookings. `ProductRepository` keeps the places that they take. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BookingId, BusinessId, InvoiceId, ProductId, TripId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Booking } from "./Booking.ts"
import type { BookingQuery } from "./BookingFilter.ts"

/** A booking that is not stored yet. */
export type NewBooking = Omit<Booking, "booking_id">

/** A booking of any business. */
export interface BookingKey {
  readonly business_id: BusinessId
  readonly product_id: ProductId
  readonly booking_id: BookingId
}

/** A departure of a tour that has bookings. */
export interface BookedDeparture {
  readonly starts_at: DateTime.Utc
  /** The participants of all bookings that hold places. */
  readonly taken: number
  /** The participants of the confirmed bookings, which share the trip. */
  readonly on_trip: number
  readonly trip_id: TripId | null
  /** Whether the business cancelled or deleted the trip, which its bookings have kept. */
  readonly is_cancelled: boolean
}

/**
 * No method returns a deleted booking. A booking is returned with its stored status; `bookingAt` applies its expiry.
 *
 * - `insert`: stores a booking; `None` if the business has one with that reference.
 * - `list`: a page of the bookings, the latest start first. The filter of the status counts bookings that are due at
 *   `now` as expired.
 * - `find`, `lock`: the business's booking with that id; `lock` locks it until the transaction ends. Lock its product
 *   first.
 * - `update`: stores the fields of a locked booking, except for its invoice and its payment status, which follow the
 *   invoice (`InvoicedBookings`).
 * - `setInvoice`: makes a new, unpaid invoice the one that a locked booking is paid with.
 * - `remove`: deletes a locked booking.
 * - `hasTrip`: whether a trip is that of a booking of the business, also of a deleted one.
 * - `dueOfProduct`: the pending bookings of a product that expire at or before `now`. One that is paid for, also in
 *   part, does not expire.
 * - `departures`: the departures of a product that start at `from` or later and before `before` and have bookings at `now`, in
 *   order.
 * - `due`: at most `limit` such bookings of any business and product.
 */
export class BookingRepository extends Context.Service<
  BookingRepository,
  {
    readonly insert: (booking: NewBooking) => Effect.Effect<Option.Option<Booking>>
    readonly list: (
      businessId: BusinessId,
      query: BookingQuery,
      now: DateTime.Utc,
      page: PageRequest
    ) => Effect.Effect<Page<Booking>>
    readonly find: (businessId: BusinessId, bookingId: BookingId) => Effect.Effect<Option.Option<Booking>>
    readonly lock: (businessId: BusinessId, bookingId: BookingId) => Effect.Effect<Option.Option<Booking>>
    readonly update: (booking: Booking) => Effect.Effect<void>
    readonly setInvoice: (
      businessId: BusinessId,
      bookingId: BookingId,
      invoiceId: InvoiceId
    ) => Effect.Effect<void>
    readonly remove: (businessId: BusinessId, bookingId: BookingId, now: DateTime.Utc) => Effect.Effect<void>
    readonly hasTrip: (businessId: BusinessId, tripId: TripId) => Effect.Effect<boolean>
    readonly dueOfProduct: (
      businessId: BusinessId,
      productId: ProductId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<BookingKey>>
    readonly departures: (
      businessId: BusinessId,
      productId: ProductId,
      range: { readonly from: DateTime.Utc; readonly before: DateTime.Utc },
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<BookedDeparture>>
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<BookingKey>>
  }
>()("@livery/domain/BookingRepository") {}
