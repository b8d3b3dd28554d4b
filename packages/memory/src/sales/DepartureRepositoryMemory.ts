import { type BookedDeparture, bookingAt, DepartureRepository, holdsPlaces } from "@livery/domain"
import { DateTime } from "effect"
import { isWithin } from "../store/Ranges.ts"
import type { BookingRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const participantsOf = (rows: ReadonlyArray<BookingRow>) =>
  rows.reduce((sum, { participants_count }) => sum + participants_count, 0)

export const layer = inMemory(DepartureRepository, ({ bookings, step, trips }) => {
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

  return {
    booked: (businessId, productId, { before, from }, now) =>
      step(() => {
        const held = bookings
          .where(
            (row) =>
              row.business_id === businessId &&
              row.product_id === productId &&
              row.shares_trip &&
              row.deleted_at === undefined &&
              isWithin(row.starts_at, from, before) &&
              holdsPlaces(bookingAt(row, now).status)
          )
          .toSorted((one, other) => one.starts_at.epochMilliseconds - other.starts_at.epochMilliseconds)
        const byStart = Map.groupBy(held, ({ starts_at }) => starts_at.epochMilliseconds)
        return [...byStart].map(([millis, rows]) => departureOf(DateTime.makeUnsafe(millis), rows))
      })
  }
})
