/** A trip on a map: for the business and, without data of the passenger, for its tracking link. */
import { DateTime, Duration, Schema } from "effect"
import { type Brand, BrandRecord, brandRecord } from "../business/Brand.ts"
import { type ActingBusiness, isSuspended } from "../business/Business.ts"
import * as Field from "../kernel/fields/Field.ts"
import { VehicleClass } from "../kernel/VehicleClass.ts"
import { defaultRoutingSettings, greatCircleRoute } from "../routing/Route.ts"
import type { Point } from "../routing/Geometry.ts"
import { Milestone } from "../trips/trip/Milestone.ts"
import { rfc3339, wallClock } from "../kernel/time/WallClock.ts"
import { pickupZoneFields, type Trip, tripFields } from "../trips/trip/Trip.ts"
import { isOpenTrip } from "../trips/trip/TripStatus.ts"
import { pickupPinOf } from "./PickupPin.ts"
import { type Position, positionFields, positionRecord } from "./Position.ts"

const textOrNull = Schema.NullOr(Schema.String)

/** The car of a ride, as its passenger recognises it. */
export const RideCar = Schema.Struct({
  make: textOrNull,
  model: textOrNull,
  color: textOrNull,
  vehicle_class: Schema.NullOr(VehicleClass),
  plate_number: textOrNull
})
export type RideCar = typeof RideCar.Type

/** Who comes for the passenger. */
export interface Ride {
  readonly driver_name: string
  readonly car: RideCar | null
  /** The last milestone of the whole trip that the driver reported; null before the first. */
  readonly milestone: Milestone | null
}

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
  /** Whether the business asks passengers for a code (`pickup_pin` of its settings). */
  readonly asks_pin: boolean
  /** Of several drivers `en_route`, the position reported last; null if none reported one. */
  readonly position: Position | null
  readonly brand: Brand
  readonly pickup: Point | null
  readonly dropoff: Point | null
  /**
   * The driver who is under way, of several the one of `position`; otherwise the first one who will drive. Null if there is
   * none.
   */
  readonly ride: Ride | null
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

const place = Schema.NullOr(
  Schema.Struct({ lat: Schema.Finite, lng: Schema.Finite }).annotate({ identifier: "TrackedPlace" })
)

/** A trip with its position. `pickup_at` is on the business's clock, whose zone is `timezone`; `pickup_local`
 * is on the clock of the place of the pickup, whose zone is `pickup_timezone`.
 */
const followedFields = {
  ...Field.recordOf(Field.pick(tripFields, ["status", "driver_status", "trip_date", "pickup_at"])).fields,
  timezone: Schema.String,
  ...Field.recordOf(Field.pick(tripFields, ["pickup_timezone", "pickup_local"])).fields,
  position: Schema.NullOr(Field.recordOf(shownPosition)),
  recorded_at: Schema.NullOr(positionFields.recorded_at.wire),
  age_seconds: Schema.NullOr(positionFields.age_seconds.wire),
  /** Also true while there is no position. */
  stale: positionFields.stale.wire,
  /** What the passenger tells the driver before the ride; null if nobody asks for it, and once the passenger is on board. */
  pickup_pin: textOrNull
}
const FollowedTripRecord = Schema.Struct(followedFields)

/**
 * A trip as its tracking link shows it. `milestone` is the last one of `driver`, whose first name alone is shown.
 * `arrives_in_seconds` estimates the way to the pickup, and once the passenger is on board the way to the destination; null
 * without a fresh position. `map_style_url` is the style of a map (MapLibre); null if the installation has none. `driver` and `car` are null until a driver is assigned, and after the end of the trip.
 */
export const TrackedTripRecord = Schema.Struct({
  ...followedFields,
  milestone: Schema.NullOr(Milestone),
  arrives_in_seconds: Schema.NullOr(Schema.Int),
  pickup_position: place,
  dropoff_position: place,
  driver: Schema.NullOr(Schema.Struct({ first_name: Schema.String })),
  car: Schema.NullOr(RideCar),
  business: BrandRecord,
  map_style_url: Schema.NullOr(Schema.String)
})
export type TrackedTripRecord = typeof TrackedTripRecord.Type

/** A trip on the business's map. */
export const TripLocationRecord = Schema.Struct({
  trip_id: tripFields.trip_id.wire,
  ...followedFields
})
export type TripLocationRecord = typeof TripLocationRecord.Type

/** The code, while the driver may still ask for it. */
const shownPin = (trip: TrackedTrip): string | null => {
  const { ride } = trip
  if (ride === null || isOver(trip)) return null
  return ride.milestone === null || ride.milestone === "arrived_at_pickup" ? pickupPinOf(trip) : null
}

const followedRecord = (trip: TrackedTrip, now: DateTime.Utc): typeof FollowedTripRecord.Type => {
  const { timezone } = trip.business
  const shown = {
    status: trip.status,
    driver_status: trip.driver_status,
    trip_date: rfc3339(trip.trip_date),
    pickup_at: wallClock(trip.trip_date, timezone),
    timezone,
    pickup_timezone: pickupZoneFields.pickup_timezone(trip, timezone),
    pickup_local: pickupZoneFields.pickup_local(trip, timezone),
    pickup_pin: shownPin(trip)
  }
  if (trip.position === null)
    return { ...shown, position: null, recorded_at: null, age_seconds: null, stale: true }
  const { age_seconds, recorded_at, stale, ...position } = positionRecord(trip.position, now)
  return { ...shown, position, recorded_at, age_seconds, stale }
}

/** The estimated time of the way ahead of the driver; null if it is unknown or there is none. */
const secondsAhead = ({ dropoff, pickup, position, ride }: TrackedTrip, stale: boolean): number | null => {
  if (position === null || ride === null || stale) return null
  if (ride.milestone !== null && ride.milestone !== "passenger_on_board") return null
  const goal = ride.milestone === null ? pickup : dropoff
  if (goal === null) return null
  const { distance_m } = greatCircleRoute([position, goal], defaultRoutingSettings)
  return Math.ceil((distance_m * 3.6) / defaultRoutingSettings.speed_kmh)
}

const firstNameOf = (name: string) => name.trim().split(/\s+/u)[0] ?? ""

/** The trip's record for its tracking link, at `now`, with the style of the map. */
export const trackedTripRecord = (
  trip: TrackedTrip,
  now: DateTime.Utc,
  map_style_url: string | null
): TrackedTripRecord => {
  const followed = followedRecord(trip, now)
  const ride = isOver(trip) ? null : trip.ride
  return {
    ...followed,
    milestone: ride?.milestone ?? null,
    arrives_in_seconds: secondsAhead({ ...trip, ride }, followed.stale),
    pickup_position: trip.pickup,
    dropoff_position: trip.dropoff,
    driver: ride === null ? null : { first_name: firstNameOf(ride.driver_name) },
    car: ride?.car ?? null,
    business: brandRecord(trip.brand),
    map_style_url
  }
}

/** The trip's record for the business, at `now`. */
export const tripLocationRecord = (trip: TrackedTrip, now: DateTime.Utc): TripLocationRecord => ({
  trip_id: trip.trip_id,
  ...followedRecord(trip, now)
})
