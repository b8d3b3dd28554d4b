/** The trips that a trip likely duplicates. */
import { isNotCancelled, maxDuplicates, type WarningFactsQuery, type Trip, type TripId } from "@livery/domain"
import { DateTime } from "effect"

const isSameText = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

/** The ids of the first {@link maxDuplicates} of these trips with the same pickup and passenger that are not cancelled. */
export const likelyDuplicates = (
  trips: ReadonlyArray<Trip>,
  booking: NonNullable<WarningFactsQuery["booking"]>,
  tripId: TripId | null
): ReadonlyArray<TripId> =>
  trips
    .filter(
      (trip) =>
        trip.trip_id !== tripId &&
        isNotCancelled(trip.status) &&
        DateTime.Equivalence(trip.trip_date, booking.trip_date) &&
        isSameText(trip.pickup_address, booking.pickup_address) &&
        isSameText(trip.customer_name, booking.customer_name)
    )
    .map(({ trip_id }) => trip_id)
    .toSorted((one, other) => one - other)
    .slice(0, maxDuplicates)
