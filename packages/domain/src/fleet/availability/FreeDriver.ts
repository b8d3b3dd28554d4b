/** The drivers who are free at some time (docs/api/fleet.md). */
import { DateTime, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { check, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { CarId, DriverId, TripId } from "../../kernel/Ids.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { instantOf, Timestamp } from "../../kernel/time/WallClock.ts"
import { metresBetween, type Point } from "../../routing/Geometry.ts"
import { maxDurationMinutes, type TripWindow } from "../../trips/trip/TripWindow.ts"

const pointOf = (text: string): Point | undefined => {
  const match = /^\s*(-?\d{1,3}(?:\.\d{1,15})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,15})?)\s*$/u.exec(text)
  if (match === null) return undefined
  const [lat, lng] = [Number(match[1]), Number(match[2])]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined
}

/**
 * The time at which drivers must be free. With `vehicle_class`, only drivers whose default car has that class; with `near`,
 * a latitude and a longitude, the drivers by their distance from there.
 */
export const FreeDriversQuery = Schema.Struct({
  from: Timestamp,
  to: Timestamp,
  vehicle_class: Schema.optionalKey(
    VehicleClass.annotate({ description: "Drivers whose default car has this class." })
  ),
  near: Schema.optionalKey(
    Schema.String.check(check<string>("invalid", (text) => pointOf(text) !== undefined)).annotate({
      description: "A latitude and a longitude in degrees, as in `47.3769,8.5417`."
    })
  )
})
export type FreeDriversQuery = typeof FreeDriversQuery.Type

/** The query as the port takes it. */
export interface FreeDriversSearch {
  readonly window: TripWindow
  readonly vehicleClass: VehicleClass | null
  readonly near: Point | null
}

/** The search of a query, with local times in `timezone`. */
export const searchOfQuery = (
  { from, near, to, vehicle_class }: FreeDriversQuery,
  timezone: string
): FreeDriversSearch => ({
  window: { starts: instantOf(from, timezone), ends: instantOf(to, timezone) },
  vehicleClass: vehicle_class ?? null,
  near: (near === undefined ? undefined : pointOf(near)) ?? null
})

/** An issue unless the window ends after it starts and is at most as long as the longest trip. */
export const searchIssues = ({
  window: { ends, starts }
}: Pick<FreeDriversSearch, "window">): ReadonlyArray<FieldIssue> => {
  const isBounded = !DateTime.isGreaterThan(ends, DateTime.add(starts, { minutes: maxDurationMinutes }))
  return DateTime.isLessThan(starts, ends) && isBounded ? [] : [{ field: "to", issue: "out_of_range" }]
}

/** The fields of the job before or after. The place is where the job before ends, or where the job after starts. */
const nearestJobFields = {
  trip_id: Field.assigned(Value.id(TripId)),
  reference: Field.assigned(Value.unboundedText),
  from: Field.assigned(Value.instant),
  to: Field.assigned(Value.instant),
  address: Field.assigned(Value.unboundedText),
  lat: Field.assignedOrNull(Value.latitude),
  lng: Field.assignedOrNull(Value.longitude)
}

/** The job of a driver before or after some time. */
export const NearestJob = Field.storedOf(nearestJobFields)
export type NearestJob = typeof NearestJob.Type

const nearestJobRecord = Field.encoderOf(nearestJobFields)

const nearestJob = {
  stored: Schema.NullOr(NearestJob),
  wire: Schema.NullOr(Field.recordOf(nearestJobFields)),
  toWire: (job: NearestJob | null) => (job === null ? null : nearestJobRecord(job))
}

const defaultCarFields = {
  car_id: Field.assigned(Value.id(CarId)),
  name: Field.assigned(Value.unboundedText),
  plate_number: Field.assignedOrNull(Value.unboundedText),
  vehicle_class: Field.assignedOrNull(Value.oneOf(VehicleClass)),
  seats: Field.assignedOrNull(Value.wholeNumber(1, 200)),
  free: Field.assigned(Value.boolean)
}

/** The default car of a driver, and whether no other trip has it at the time. */
export const DefaultCar = Field.storedOf(defaultCarFields)
export type DefaultCar = typeof DefaultCar.Type

const defaultCarRecord = Field.encoderOf(defaultCarFields)

/**
 * The fields of a free driver. `car` is the driver's default car if it is active. `previous_job` has the place where it
 * ends, and `next_job` the place where it starts. `distance_m` is the distance in a straight line from the end of the
 * previous job to `near`; null without `near` or without a known place ({@link maxPlaceAgeMinutes}).
 */
const freeDriverFields = {
  driver_id: Field.assigned(Value.id(DriverId)),
  name: Field.assigned(Value.unboundedText),
  phone: Field.assignedOrNull(Value.unboundedText),
  car: {
    stored: Schema.NullOr(DefaultCar),
    wire: Schema.NullOr(Field.recordOf(defaultCarFields)),
    toWire: (car: DefaultCar | null) => (car === null ? null : defaultCarRecord(car))
  },
  previous_job: nearestJob,
  next_job: nearestJob,
  distance_m: Field.computed(Schema.NullOr(Schema.Int))
}

/** A free driver as stored. */
export const FreeDriver = Field.storedOf(freeDriverFields)
export type FreeDriver = typeof FreeDriver.Type

/** A free driver in a response. */
export const FreeDriverRecord = Field.recordOf(freeDriverFields)
export type FreeDriverRecord = typeof FreeDriverRecord.Type

/**
 * The place of a driver is known if the previous job began at most this long before the time: as long as the longest job.
 * The end of an older job says nothing about the driver's place.
 */
export const maxPlaceAgeMinutes = maxDurationMinutes

/** The start of the jobs whose end is the place of their driver, exclusive. */
export const placesKnownSince = ({ starts }: TripWindow): DateTime.Utc =>
  DateTime.subtract(starts, { minutes: maxPlaceAgeMinutes })

/** The metres in a straight line from the end of the previous job to the place of a search; null if a place is unknown. */
export const distanceTo = (
  { near, window }: Pick<FreeDriversSearch, "near" | "window">,
  { previous_job }: Pick<FreeDriver, "previous_job">
): number | null => {
  if (previous_job === null || !DateTime.isGreaterThan(previous_job.from, placesKnownSince(window)))
    return null
  const { lat, lng } = previous_job
  return near === null || lat === null || lng === null ? null : Math.round(metresBetween({ lat, lng }, near))
}

/** The record of a free driver, with the distance to the place of the search. */
export const freeDriverRecord = Field.encoderOf<
  typeof freeDriverFields,
  Pick<FreeDriversSearch, "near" | "window">
>(freeDriverFields, {
  distance_m: (driver, search) => distanceTo(search, driver)
})
