import {
  type BookedDeparture,
  type Booking,
  bookingAt,
  BookingId,
  BookingRepository,
  type BusinessId,
  holdsPlaces
} from "@livery/domain"
import { DateTime, Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { pageOf } from "../store/Pages.ts"
import { isWithin } from "../store/Ranges.ts"
import type { BookingRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const keyOf = ({ booking_id, business_id, product_id }: BookingRow) => ({
  business_id,
  product_id,
  booking_id
})

/** The latest start first. */
const latestFirst = (one: Booking, other: Booking) =>
  other.starts_at.epochMilliseconds - one.starts_at.epochMilliseconds || other.booking_id - one.booking_id

const participantsOf = (rows: ReadonlyArray<BookingRow>) =>
  rows.reduce((sum, { participants_count }) => sum + participants_count, 0)

export const layer = inMemory(BookingRepository, ({ bookings, step, trips }) => {
  const stored = ({ deleted_at: _deleted, ...row }: BookingRow): Booking => row

  const isDue = (row: BookingRow, now: DateTime.Utc) =>
    row.deleted_at === undefined &&
    row.status === "pending" &&
    bookingAt(stored(row), now).status === "expired"

  const departureOf = (starts_at: DateTime.Utc, rows: ReadonlyArray<BookingRow>): BookedDeparture => {
    const onTrip = rows.filter(({ trip_id }) => trip_id !== null)
    const trip_id = onTrip.at(-1)?.trip_id ?? null
    const trip = trip_id === null ? undefined : trips.get(trip_id)
    return {
      starts_at,
      taken: participantsOf(rows),
      on_trip: participantsOf(onTrip),
      trip_id,
      is_cancelled: trip !== undefined && (trip.deleted_at !== undefined || trip.status === "cancelled")
    }
  }

  const find = (businessId: BusinessId, bookingId: BookingId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(bookings, businessId, bookingId)), stored))

  return {
    insert: (booking) =>
      step(() => {
        const isTaken = bookings.find(
          ({ business_id, reference }) =>
            business_id === booking.business_id && reference === booking.reference
        )
        if (isTaken) return Option.none()
        const booking_id = BookingId.make(bookings.next())
        return Option.some(stored(bookings.set(booking_id, { ...booking, booking_id })))
      }),
    list: (
      businessId,
      { before, customerId, from, paymentStatus, productId, reference, status },
      now,
      page
    ) =>
      step(() => {
        const listed = bookings
          .where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
          .map(stored)
          .filter(
            (booking) =>
              (status === undefined || bookingAt(booking, now).status === status) &&
              (paymentStatus === undefined || booking.payment_status === paymentStatus) &&
              (productId === undefined || booking.product_id === productId) &&
              (customerId === undefined || booking.customer_id === customerId) &&
              (reference === undefined || booking.reference === reference) &&
              isWithin(booking.starts_at, from, before)
          )
          .toSorted(latestFirst)
        return pageOf(listed, page)
      }),
    find,
    lock: find,
    update: ({ invoice_id: _invoice, payment_status: _status, ...booking }) =>
      step(() => {
        bookings.change(booking.booking_id, booking)
      }),
    setInvoice: (businessId, bookingId, invoiceId) =>
      step(() => {
        if (rowOf(bookings, businessId, bookingId))
          bookings.change(bookingId, { invoice_id: invoiceId, payment_status: "unpaid" })
      }),
    remove: (businessId, bookingId, now) =>
      step(() => {
        if (rowOf(bookings, businessId, bookingId)) bookings.change(bookingId, { deleted_at: now })
      }),
    hasTrip: (businessId, tripId) =>
      step(
        () =>
          bookings.find(({ business_id, trip_id }) => business_id === businessId && trip_id === tripId) !==
          undefined
      ),
    dueOfProduct: (businessId, productId, now) =>
      step(() =>
        bookings
          .where((row) => row.business_id === businessId && row.product_id === productId && isDue(row, now))
          .map(keyOf)
      ),
    departures: (businessId, productId, { before, from }, now) =>
      step(() => {
        const held = bookings
          .where(
            (row) =>
              row.business_id === businessId &&
              row.product_id === productId &&
              row.shares_trip &&
              row.deleted_at === undefined &&
              isWithin(row.starts_at, from, before) &&
              holdsPlaces(bookingAt(stored(row), now).status)
          )
          .toSorted((one, other) => one.starts_at.epochMilliseconds - other.starts_at.epochMilliseconds)
        const byStart = Map.groupBy(held, ({ starts_at }) => starts_at.epochMilliseconds)
        return [...byStart].map(([millis, rows]) => departureOf(DateTime.makeUnsafe(millis), rows))
      }),
    due: (now, limit) =>
      step(() =>
        bookings
          .where((row) => isDue(row, now))
          .slice(0, limit)
          .map(keyOf)
      )
  }
})
