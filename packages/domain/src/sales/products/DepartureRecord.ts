/** A departure of a tour with the places that are left, for the business and for visitors of its booking page. */
import { type DateTime, Schema } from "effect"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId } from "../../kernel/Ids.ts"
import { rfc3339, wallClock } from "../../kernel/time/WallClock.ts"

const shownFields = {
  starts_at: Value.instant.wire,
  starts_local: Value.localTime.wire,
  ends_at: Value.instant.wire,
  places_left: Schema.Int
}

/** A departure for visitors of the booking page. `starts_local` is on the clock of the business. */
export const PublicDepartureRecord = Schema.Struct(shownFields)
export type PublicDepartureRecord = typeof PublicDepartureRecord.Type

/**
 * A departure for the business. `trip_id` is the trip that its confirmed bookings share. `cancelled`: the business cancelled
 * or deleted that trip, and the departure takes no further bookings.
 */
export const DepartureRecord = Schema.Struct({
  ...shownFields,
  seats: Schema.Int,
  places_taken: Schema.Int,
  trip_id: Schema.NullOr(Value.id(TripId).wire),
  cancelled: Schema.Boolean
})
export type DepartureRecord = typeof DepartureRecord.Type

/** A departure of a list. `is_scheduled` is false for one that has bookings and that the schedule no longer has. */
export interface ListedDeparture {
  readonly starts_at: DateTime.Utc
  readonly ends_at: DateTime.Utc
  readonly seats: number
  readonly taken: number
  readonly trip_id: TripId | null
  readonly is_cancelled: boolean
  readonly is_scheduled: boolean
}

/** The record of a departure for visitors. */
export const publicDepartureRecord = (
  { ends_at, is_cancelled, seats, starts_at, taken }: ListedDeparture,
  timezone: string
): PublicDepartureRecord => ({
  starts_at: rfc3339(starts_at),
  starts_local: wallClock(starts_at, timezone),
  ends_at: rfc3339(ends_at),
  places_left: is_cancelled ? 0 : Math.max(0, seats - taken)
})

/** The record of a departure for the business. */
export const departureRecord = (departure: ListedDeparture, timezone: string): DepartureRecord => ({
  ...publicDepartureRecord(departure, timezone),
  seats: departure.seats,
  places_taken: departure.taken,
  trip_id: departure.trip_id,
  cancelled: departure.is_cancelled
})
