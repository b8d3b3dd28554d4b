/** Whether the drivers and cars of a trip suit it. */
import { DateTime } from "effect"
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import { localDay } from "../../kernel/time/WallClock.ts"
import { greatCircleRoute, defaultRoutingSettings } from "../../routing/Route.ts"
import type { NearbyTrip } from "./ScheduleRepository.ts"
import type { Trip } from "../trip/Trip.ts"
import { type TripWindow, windowOf } from "../trip/TripWindow.ts"

const placeOf = (lat: number | null, lng: number | null) =>
  lat === null || lng === null ? undefined : { lat, lng }

/** The window of a trip, with the places where it starts and ends. */
type Journey = Pick<NearbyTrip, "pickup_lat" | "pickup_lng" | "dropoff_lat" | "dropoff_lng"> & TripWindow

/** The minutes of the drive from the end of a trip to the pickup of the next; 0 if a place is unknown. */
const minutesOfDrive = (earlier: Journey, later: Journey): number => {
  const from = placeOf(earlier.dropoff_lat, earlier.dropoff_lng)
  const to = placeOf(later.pickup_lat, later.pickup_lng)
  return from === undefined || to === undefined
    ? 0
    : greatCircleRoute([from, to], defaultRoutingSettings).duration_minutes
}

/** Whether the time between two trips that do not overlap is shorter than the turnaround and the drive together. */
export const lacksTimeToDrive = (one: Journey, other: Journey, turnaroundMinutes: number): boolean => {
  const [earlier, later] = DateTime.isLessThan(one.starts, other.starts) ? [one, other] : [other, one]
  const needed = turnaroundMinutes + minutesOfDrive(earlier, later)
  return DateTime.isLessThan(later.starts, DateTime.add(earlier.ends, { minutes: needed }))
}

/** The day on which a window ends. */
const lastDayOf = ({ ends }: TripWindow, timezone: string) =>
  localDay(DateTime.subtract(ends, { milliseconds: 1 }), timezone)

/** Whether a licence expires before the day on which a trip ends. */
export const isLicenseExpired = (
  expiresOn: string,
  trip: Pick<Trip, "trip_date" | "duration_minutes">,
  timezone: string
): boolean => expiresOn < lastDayOf(windowOf(trip), timezone)

/** Whether the class of a car is not the one that was ordered. False if one of the two is unknown. */
export const isOtherClass = (ordered: VehicleClass | null, ofCar: VehicleClass | null): boolean =>
  ordered !== null && ofCar !== null && ordered !== ofCar

/**
 * Whether the cars of a trip together have fewer seats than it has passengers; false if the seats of one are unknown.
 */
export const lackSeats = (
  cars: ReadonlyArray<{ readonly seats: number | null }>,
  { participants_count }: Pick<Trip, "participants_count">
): boolean =>
  cars.length > 0 &&
  cars.every(({ seats }) => seats !== null) &&
  cars.reduce((sum, { seats }) => sum + (seats ?? 0), 0) < (participants_count ?? 0)
