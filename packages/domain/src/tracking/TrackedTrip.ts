/** A trip on a map: for the business and, without personal data, for its tracking link. */
import { type DateTime, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { TripId } from "../kernel/Ids.ts"
import { wallClock } from "../kernel/time/WallClock.ts"
import { DriverStatus, isOpenTrip, TripStatus } from "../trips/TripStatus.ts"
import { type Position, PositionRecord, positionRecord } from "./Position.ts"

/** A trip and its current state on the map. */
export interface TrackedTrip {
  readonly trip_id: TripId
  readonly business: ActingBusiness
  readonly status: TripStatus
  readonly driver_status: DriverStatus
  readonly trip_date: DateTime.Utc
  readonly deleted: boolean
  /** The SHA-256 of the tracking link's token; null if the trip is not shared. */
  readonly link_hash: string | null
  /** Of several drivers `en_route`, the position reported last; null if none reported one. */
  readonly position: Position | null
}

/** Whether the trip can no longer be followed: it has ended or is deleted. */
export const isOver = ({ deleted, status }: TrackedTrip): boolean => deleted || !isOpenTrip(status)

/** A trip as its tracking link shows it. `pickup_at` is on the business's clock. */
export const TrackedTripRecord = Schema.Struct({
  status: TripStatus,
  driver_status: DriverStatus,
  pickup_at: Schema.String,
  position: Schema.NullOr(
    Schema.Struct({
      lat: PositionRecord.fields.lat,
      lng: PositionRecord.fields.lng,
      accuracy: PositionRecord.fields.accuracy,
      heading: PositionRecord.fields.heading,
      speed: PositionRecord.fields.speed
    })
  ),
  recorded_at: Schema.NullOr(Schema.String),
  age_seconds: Schema.NullOr(Schema.Int),
  /** Also true while there is no position. */
  stale: Schema.Boolean
})
export type TrackedTripRecord = typeof TrackedTripRecord.Type

/** A trip on the business's map. */
export const TripLocationRecord = Schema.Struct({ trip_id: Schema.Int, ...TrackedTripRecord.fields })
export type TripLocationRecord = typeof TripLocationRecord.Type

/** The trip's record for its tracking link, at `now`. */
export const trackedTripRecord = (trip: TrackedTrip, now: DateTime.Utc): TrackedTripRecord => {
  const standing = {
    status: trip.status,
    driver_status: trip.driver_status,
    pickup_at: wallClock(trip.trip_date, trip.business.timezone)
  }
  if (trip.position === null)
    return { ...standing, position: null, recorded_at: null, age_seconds: null, stale: true }
  const { age_seconds, recorded_at, stale, ...position } = positionRecord(trip.position, now)
  return { ...standing, position, recorded_at, age_seconds, stale }
}

/** The trip's record for the business, at `now`. */
export const tripLocationRecord = (trip: TrackedTrip, now: DateTime.Utc): TripLocationRecord => ({
  trip_id: trip.trip_id,
  ...trackedTripRecord(trip, now)
})
