/**
 * A trip as it is followed on a map: by the business (`GET /trips/{id}/location`), and by whoever has its link, to whom
 * it tells nothing of any person.
 */
import { type DateTime, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { TripId } from "../kernel/Ids.ts"
import { wallClock } from "../kernel/time/WallClock.ts"
import { DriverStatus, tripMachine, TripStatus } from "../trips/TripStatus.ts"
import { type Position, PositionRecord, positionRecord } from "./Position.ts"

/** A trip and where its driver is now: of several under way, the one who reported last; null while none has. */
export interface TripSighting {
  readonly trip_id: TripId
  readonly business: ActingBusiness
  readonly status: TripStatus
  readonly driver_status: DriverStatus
  readonly trip_date: DateTime.Utc
  readonly deleted: boolean
  /** The SHA-256 of its link's token; null where nobody may follow it by a link. */
  readonly link_hash: string | null
  readonly position: Position | null
}

/** Whether there is nothing left to follow: the trip has ended, or is deleted. */
export const isOver = ({ deleted, status }: TripSighting): boolean =>
  deleted || tripMachine.isTerminal(status)

/** A trip as whoever has its link sees it. `pickup_at` is on the business's clock. */
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

/** A trip as the business sees it on the map. */
export const TripLocationRecord = Schema.Struct({ trip_id: Schema.Int, ...TrackedTripRecord.fields })
export type TripLocationRecord = typeof TripLocationRecord.Type

/** What a sighting tells whoever has the link, at `now`. */
export const trackedTripRecord = (sighting: TripSighting, now: DateTime.Utc): TrackedTripRecord => {
  const told = {
    status: sighting.status,
    driver_status: sighting.driver_status,
    pickup_at: wallClock(sighting.trip_date, sighting.business.timezone)
  }
  if (sighting.position === null)
    return { ...told, position: null, recorded_at: null, age_seconds: null, stale: true }
  const { age_seconds, recorded_at, stale, ...position } = positionRecord(sighting.position, now)
  return { ...told, position, recorded_at, age_seconds, stale }
}

/** What a sighting tells the business, at `now`. */
export const tripLocationRecord = (sighting: TripSighting, now: DateTime.Utc): TripLocationRecord => ({
  trip_id: sighting.trip_id,
  ...trackedTripRecord(sighting, now)
})
