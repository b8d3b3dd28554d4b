/** A trip on a map: for the business and, without personal data, for its tracking link. */
import { DateTime, Duration, Schema } from "effect"
import { type ActingBusiness, isSuspended } from "../business/Business.ts"
import * as Field from "../kernel/fields/Field.ts"
import { rfc3339, wallClock } from "../kernel/time/WallClock.ts"
import { pickupZoneFields, type Trip, tripFields } from "../trips/trip/Trip.ts"
import { isOpenTrip } from "../trips/trip/TripStatus.ts"
import { type Position, positionFields, positionRecord } from "./Position.ts"

/** A trip and its current state on the map. */
export interface TrackedTrip extends Pick<
  Trip,
  "trip_id" | "status" | "driver_status" | "trip_date" | "pickup_timezone"
> {
  readonly business: ActingBusiness
  readonly deleted: boolean
  /** When the trip was completed or cancelled; null while it is open. */
  readonly ended_at: DateTime.Utc | null
  /** The SHA-256 of the tracking link's token; null if the trip is not shared. */
  readonly link_hash: string | null
  /** Of several drivers `en_route`, the position reported last; null if none reported one. */
  readonly position: Position | null
}

/** Whether the trip can no longer be followed: it has ended or is deleted. */
export const isOver = ({ deleted, status }: TrackedTrip): boolean => deleted || !isOpenTrip(status)

/** How long the link of an ended trip stays valid and shows that the ride is over. */
const linkLifeAfterEnd = Duration.hours(1)

/** Whether a trip's tracking link is valid at `now`: the trip is not deleted, and is open or ended within the hour. */
export const isLinkValid = (trip: TrackedTrip, now: DateTime.Utc): boolean =>
  !trip.deleted &&
  !isSuspended(trip.business) &&
  (!isOver(trip) ||
    (trip.ended_at !== null &&
      DateTime.isGreaterThan(DateTime.addDuration(trip.ended_at, linkLifeAfterEnd), now)))

const shownPosition = Field.pick(positionFields, ["lat", "lng", "accuracy", "heading", "speed"])

/**
 * A trip as its tracking link shows it. `pickup_at` is on the business's clock, whose zone is `timezone`; `pickup_local`
 * is on the clock of the place of the pickup, whose zone is `pickup_timezone`.
 */
export const TrackedTripRecord = Schema.Struct({
  ...Field.recordOf(Field.pick(tripFields, ["status", "driver_status", "trip_date", "pickup_at"])).fields,
  timezone: Schema.String,
  ...Field.recordOf(Field.pick(tripFields, ["pickup_timezone", "pickup_local"])).fields,
  position: Schema.NullOr(Field.recordOf(shownPosition)),
  recorded_at: Schema.NullOr(positionFields.recorded_at.wire),
  age_seconds: Schema.NullOr(positionFields.age_seconds.wire),
  /** Also true while there is no position. */
  stale: positionFields.stale.wire
})
export type TrackedTripRecord = typeof TrackedTripRecord.Type

/** A trip on the business's map. */
export const TripLocationRecord = Schema.Struct({
  trip_id: tripFields.trip_id.wire,
  ...TrackedTripRecord.fields
})
export type TripLocationRecord = typeof TripLocationRecord.Type

/** The trip's record for its tracking link, at `now`. */
export const trackedTripRecord = (trip: TrackedTrip, now: DateTime.Utc): TrackedTripRecord => {
  const { timezone } = trip.business
  const shown = {
    status: trip.status,
    driver_status: trip.driver_status,
    trip_date: rfc3339(trip.trip_date),
    pickup_at: wallClock(trip.trip_date, timezone),
    timezone,
    pickup_timezone: pickupZoneFields.pickup_timezone(trip, timezone),
    pickup_local: pickupZoneFields.pickup_local(trip, timezone)
  }
  if (trip.position === null)
    return { ...shown, position: null, recorded_at: null, age_seconds: null, stale: true }
  const { age_seconds, recorded_at, stale, ...position } = positionRecord(trip.position, now)
  return { ...shown, position, recorded_at, age_seconds, stale }
}

/** The trip's record for the business, at `now`. */
export const tripLocationRecord = (trip: TrackedTrip, now: DateTime.Utc): TripLocationRecord => ({
  trip_id: trip.trip_id,
  ...trackedTripRecord(trip, now)
})
