/** The time that a trip occupies its drivers and its car. */
import { DateTime } from "effect"

/** A span of time; `starts` is inclusive, `ends` exclusive. */
export interface TripWindow {
  readonly starts: DateTime.Utc
  readonly ends: DateTime.Utc
}

/** The duration of a trip that has none of its own. */
export const defaultDurationMinutes = 60

/** The longest duration of a trip: 31 days. No window is longer. */
export const maxDurationMinutes = 44_640

/** The window of a trip: from the pickup for its duration, or for {@link defaultDurationMinutes}. */
export const windowOf = (trip: {
  readonly trip_date: DateTime.Utc
  readonly duration_minutes: number | null
}): TripWindow => ({
  starts: trip.trip_date,
  ends: DateTime.add(trip.trip_date, { minutes: trip.duration_minutes ?? defaultDurationMinutes })
})

/** Whether two windows have an instant in common. Windows that only touch do not overlap. */
export const overlaps = (left: TripWindow, right: TripWindow): boolean =>
  DateTime.isLessThan(left.starts, right.ends) && DateTime.isLessThan(right.starts, left.ends)

/** Whether two windows start and end at the same instants. */
export const isSameWindow = (left: TripWindow, right: TripWindow): boolean =>
  DateTime.Equivalence(left.starts, right.starts) && DateTime.Equivalence(left.ends, right.ends)
