/**
 * The complete set of a trip's drivers as a request names it, by `driver_ids` or by `assignments` with cars, and the
 * difference that it makes to the trip.
 */
import { Schema } from "effect"
import { type FieldIssue, requiredUnless } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { described } from "../../kernel/fields/Optional.ts"
import { CarId, DriverId } from "../../kernel/Ids.ts"
import { type Assignment, isLive } from "../trip/Assignment.ts"
import { driverIdSet, maxDriversPerTrip } from "../trip/DriverIdSet.ts"
import type { Trip } from "../trip/Trip.ts"

/** A driver with the assignment's own car. An absent car is left as it is, `null` removes it. */
const DriverWithCar = Schema.Struct({
  driver_id: DriverId,
  car_id: Schema.optionalKey(
    Schema.NullOr(CarId).annotate({
      description:
        "The car that the driver drives on this trip. Without one it is the trip's; if the trip has none either, it is the driver's default car."
    })
  )
})

/** The two ways to name the complete set of a trip's drivers. */
export const driverSetFields = {
  driver_ids: Schema.optionalKey(driverIdSet),
  assignments: Schema.optionalKey(
    listOf(DriverWithCar, { most: maxDriversPerTrip }).annotate({
      description: "The complete set of the trip's drivers, each with a car, in place of `driver_ids`."
    })
  )
}

const hasDrivers = (input: object) => "driver_ids" in input || "assignments" in input

/** The complete set of a trip's drivers. */
export const DriverSet = Schema.Struct({
  ...driverSetFields,
  driver_ids: Schema.optionalKey(driverIdSet.pipe(described("Required unless `assignments` is sent."))),
  force: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
}).check(
  requiredUnless("driver_ids", hasDrivers, {
    anyOf: [{ required: ["driver_ids"] }, { required: ["assignments"] }]
  })
)
export type DriverSet = typeof DriverSet.Type

type Named = Pick<DriverSet, "driver_ids" | "assignments">

/** A driver of a set, with the fields of the request that name the driver and the car. */
export interface WantedDriver {
  readonly driver_id: DriverId
  readonly car_id?: CarId | null
  readonly fields: { readonly driver: string; readonly car: string }
}

/** The drivers that a request names, each once; undefined if it names no set. */
export const wantedDrivers = ({
  assignments,
  driver_ids
}: Named): ReadonlyArray<WantedDriver> | undefined => {
  if (assignments !== undefined)
    return assignments.map((entry, index) => ({
      ...entry,
      fields: { driver: `assignments.${index}.driver_id`, car: `assignments.${index}.car_id` }
    }))
  return (
    driver_ids &&
    [...new Set(driver_ids)].map((driver_id) => {
      const field = `driver_ids.${driver_ids.indexOf(driver_id)}`
      return { driver_id, fields: { driver: field, car: field } }
    })
  )
}

/**
 * Issues that need only the set: `assignments` names a driver once, and the same drivers as `driver_ids` if both are sent.
 */
export const driverSetIssues = ({ assignments, driver_ids }: Named): ReadonlyArray<FieldIssue> => {
  if (assignments === undefined) return []
  const ids = assignments.map(({ driver_id }) => driver_id)
  const named = new Set(ids)
  const others = new Set(driver_ids ?? ids)
  return [
    ...(named.size === others.size && ids.every((id) => others.has(id))
      ? []
      : [{ field: "assignments", issue: "invalid" as const }]),
    ...ids.flatMap((id, index): ReadonlyArray<FieldIssue> =>
      ids.indexOf(id) === index ? [] : [{ field: `assignments.${index}.driver_id`, issue: "invalid" }]
    )
  ]
}

/** The drivers and cars that can be given work: each driver with the default car, if the business named one. */
export interface Available {
  readonly drivers: ReadonlyMap<DriverId, CarId | null>
  readonly cars: ReadonlySet<CarId>
}

/** A driver who is new on a trip, and the car of the new assignment. */
export interface AddedDriver {
  readonly driver_id: DriverId
  readonly car_id: CarId | null
  readonly has_default_car: boolean
}

/** The difference that a set makes: the trip with the assignments that stay, and the new drivers. */
export interface Staffing {
  readonly trip: Trip
  readonly added: ReadonlyArray<AddedDriver>
  readonly issues: ReadonlyArray<FieldIssue>
}

/** The car of an assignment: the named one, or else the driver's default car, if the trip has no car. */
const carOfAssignment = (trip: Trip, available: Available, driverId: DriverId, carId: CarId | null) => {
  if (carId !== null) return { car_id: carId, has_default_car: false }
  const defaultCar = trip.car_id === null ? (available.drivers.get(driverId) ?? null) : null
  return defaultCar !== null && available.cars.has(defaultCar)
    ? { car_id: defaultCar, has_default_car: true }
    : { car_id: null, has_default_car: false }
}

/** The issues of a wanted driver; `assignment` is the driver's present one on the trip, if there is one. */
const issuesOfDriver = (
  { car_id, driver_id, fields }: WantedDriver,
  assignment: Assignment | undefined,
  available: Available
): ReadonlyArray<FieldIssue> => {
  const isUnavailable = assignment === undefined && !available.drivers.has(driver_id)
  const carId = car_id ?? null
  const isOtherCar = carId !== null && carId !== assignment?.car_id
  const hasEnded = assignment !== undefined && !isLive(assignment)
  return [
    ...(isUnavailable ? [{ field: fields.driver, issue: "not_found" as const }] : []),
    ...(isOtherCar && hasEnded ? [{ field: fields.car, issue: "invalid" as const }] : []),
    ...(isOtherCar && !hasEnded && !available.cars.has(carId)
      ? [{ field: fields.car, issue: "not_found" as const }]
      : [])
  ]
}

/**
 * Compares a trip with the wanted set of its drivers. A driver who is on the trip keeps the assignment; an ended one
 * stays in any case. A driver without a named car drives the trip's car; if the trip has none, the driver's default car
 * becomes the assignment's own. Issues name drivers and cars that cannot be given work, and other cars for ended
 * assignments.
 */
export const staffingOf = (
  trip: Trip,
  wanted: ReadonlyArray<WantedDriver> | undefined,
  available: Available
): Staffing => {
  if (wanted === undefined) return { trip, added: [], issues: [] }
  const wantedById = new Map(wanted.map((entry) => [entry.driver_id, entry]))
  const present = new Map(trip.drivers.map((assignment) => [assignment.driver_id, assignment]))
  const drivers = trip.drivers.flatMap((assignment) => {
    if (!isLive(assignment)) return [assignment]
    const entry = wantedById.get(assignment.driver_id)
    if (entry === undefined) return []
    const carId = entry.car_id === undefined ? assignment.car_id : entry.car_id
    return carId !== null && carId === assignment.car_id
      ? [assignment]
      : [{ ...assignment, ...carOfAssignment(trip, available, assignment.driver_id, carId) }]
  })
  const added = wanted
    .filter(({ driver_id }) => !present.has(driver_id))
    .map(({ car_id = null, driver_id }) => ({
      driver_id,
      ...carOfAssignment(trip, available, driver_id, car_id)
    }))
  const issues = wanted.flatMap((entry) => issuesOfDriver(entry, present.get(entry.driver_id), available))
  return { trip: { ...trip, drivers }, added, issues }
}
