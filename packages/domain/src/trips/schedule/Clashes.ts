/**
 * Checks of a new or changed trip against the schedules of its drivers and its cars (`clash_policy`), and its warnings.
 */
import { Effect } from "effect"
import { ConfirmationRequired } from "../../kernel/Errors.ts"
import type { CarId, DriverId } from "../../kernel/Ids.ts"
import {
  type NearbyTrip,
  type SchedulePolicy,
  ScheduleRepository,
  type WarningFacts
} from "./ScheduleRepository.ts"
import type { Trip } from "../trip/Trip.ts"
import type { TripWarning } from "../trip/TripWarning.ts"
import { overlaps, windowOf } from "../trip/TripWindow.ts"
import { lacksTimeToDrive, isLicenseExpired, isOtherClass, lackSeats } from "./TripFit.ts"

/** A trip that is about to be stored; a new one has no id yet. */
export interface CheckedTrip
  extends
    Pick<
      Trip,
      | "business_id"
      | "trip_date"
      | "duration_minutes"
      | "pickup_address"
      | "pickup_lat"
      | "pickup_lng"
      | "dropoff_lat"
      | "dropoff_lng"
      | "customer_id"
      | "customer_name"
      | "participants_count"
      | "vehicle_class"
    >,
    Partial<Pick<Trip, "trip_id">> {}

/** The checks of a trip. */
export interface Checks {
  /** The drivers whose other trips and licences are checked. */
  readonly drivers: ReadonlyArray<DriverId>
  /** The drivers among these whose clashes need a confirmation under the policy `enforce`. */
  readonly enforcedDrivers: ReadonlyArray<DriverId>
  /** The cars whose other trips are checked. */
  readonly cars: ReadonlyArray<CarId>
  /** The cars among these whose clashes need a confirmation under the policy `enforce`. */
  readonly enforcedCars: ReadonlyArray<CarId>
  /** Whether the places changed, so that the time to drive of each driver and car that is checked needs a confirmation too. */
  readonly hasOtherPlaces: boolean
  /** The cars whose seats, in sum, and whose classes are compared with the order. */
  readonly comparedCars: ReadonlyArray<CarId>
  /** Whether likely duplicates of the trip are looked up. */
  readonly duplicates: boolean
}

const scheduleWarnings = (
  trip: CheckedTrip,
  nearby: ReadonlyArray<NearbyTrip>,
  turnaroundMinutes: number
): ReadonlyArray<TripWarning> => {
  const journey = { ...trip, ...windowOf(trip) }
  return nearby.flatMap((other): ReadonlyArray<TripWarning> => {
    const about = {
      ...(other.driver_id === null ? {} : { driver_id: other.driver_id }),
      ...(other.car_id === null ? {} : { car_id: other.car_id }),
      ...(other.trip_id === null ? {} : { trip_id: other.trip_id }),
      ...(other.absence_id === null ? {} : { absence_id: other.absence_id })
    }
    if (other.absence_id !== null)
      return overlaps(journey, other) ? [{ type: "driver_absent", ...about }] : []
    if (overlaps(journey, other))
      return [{ type: other.driver_id === null ? "car_clash" : "schedule_clash", ...about }]
    return lacksTimeToDrive(journey, other, turnaroundMinutes) ? [{ type: "no_time_to_drive", ...about }] : []
  })
}

/** The warnings about the trips that a trip likely duplicates. */
export const duplicateWarnings = (duplicates: WarningFacts["duplicates"]): ReadonlyArray<TripWarning> =>
  duplicates.map((trip_id) => ({ type: "likely_duplicate", trip_id }) as const)

const otherWarnings = (
  trip: CheckedTrip,
  { cars, duplicates, licenses, refused }: WarningFacts,
  timezone: string
): ReadonlyArray<TripWarning> => [
  ...licenses
    .filter(({ license_expires_on }) => isLicenseExpired(license_expires_on, trip, timezone))
    .map(({ driver_id }) => ({ type: "license_expired", driver_id }) as const),
  ...refused.map((driver_id) => ({ type: "refused_driver", driver_id }) as const),
  ...(lackSeats(cars, trip) ? cars.map(({ car_id }) => ({ type: "too_few_seats", car_id }) as const) : []),
  ...cars
    .filter(({ vehicle_class }) => isOtherClass(trip.vehicle_class, vehicle_class))
    .map(({ car_id }) => ({ type: "other_vehicle_class", car_id }) as const),
  ...duplicateWarnings(duplicates)
]

/** Whether the policy `enforce` asks for a confirmation of a warning. */
const isEnforced = (
  { car_id, driver_id, type }: TripWarning,
  { enforcedCars, enforcedDrivers, hasOtherPlaces }: Checks,
  { drive_time_enforced }: SchedulePolicy
): boolean => {
  const ofCar = enforcedCars.some((id) => id === car_id)
  const ofDriver = enforcedDrivers.some((id) => id === driver_id)
  if (type === "no_time_to_drive") return drive_time_enforced && (ofCar || ofDriver || hasOtherPlaces)
  return type === "car_clash" ? ofCar : (type === "schedule_clash" || type === "driver_absent") && ofDriver
}

/** The error of clashes that need a confirmation, one record for each. */
export const clashConfirmation = (atStake: ConfirmationRequired["atStake"]) =>
  new ConfirmationRequired({
    reason:
      "A driver is away, or a driver or a car is on another trip at that time or has too little time to drive between two trips",
    atStake
  })

/**
 * Builds the check of a trip that is about to be stored; it returns the trip's warnings. Where the policy is `enforce`,
 * a clash of an enforced driver or car fails with `ConfirmationRequired` unless `force` is true, and so does too little time to
 * drive if the business wants that (`drive_time_enforced`). The schedules are locked
 * then: if two requests want the same driver or car at once, the later one sees the trip of the earlier. With the policy
 * `off`, schedules are not checked. `locked` is the policy that `makeLockSchedules` returned for the trips that change together:
 * their schedules are locked already.
 */
export const makeCheckTrip = Effect.map(ScheduleRepository, (schedules) => {
  const checkSchedules = Effect.fnUntraced(function* (
    trip: CheckedTrip,
    checks: Checks,
    force: boolean,
    locked: SchedulePolicy | undefined
  ): Effect.fn.Return<ReadonlyArray<TripWarning>, ConfirmationRequired> {
    const resources = { driverIds: checks.drivers, carIds: checks.cars }
    if (checks.cars.length === 0 && checks.drivers.length === 0) return []
    const policy = locked ?? (yield* schedules.policy(trip.business_id))
    const { clash_policy, turnaround_minutes } = policy
    if (clash_policy === "off") return []
    if (clash_policy === "enforce" && locked === undefined) yield* schedules.lock(trip.business_id, resources)
    const nearby = yield* schedules.nearby(trip.business_id, {
      ...resources,
      tripId: trip.trip_id ?? null,
      window: windowOf(trip)
    })
    const warnings = scheduleWarnings(trip, nearby, turnaround_minutes)
    const refused = warnings.filter((warning) => isEnforced(warning, checks, policy))
    if (clash_policy === "enforce" && !force && refused.length > 0) return yield* clashConfirmation(refused)
    return warnings
  })

  const checkWarningFacts = Effect.fnUntraced(function* (
    trip: CheckedTrip,
    { comparedCars, drivers, duplicates }: Checks,
    timezone: string
  ) {
    const hasOrder = (trip.participants_count ?? 0) > 0 || trip.vehicle_class !== null
    const carIds = hasOrder ? comparedCars : []
    if (drivers.length === 0 && carIds.length === 0 && !duplicates) return []
    const warningFacts = yield* schedules.warningFacts(trip.business_id, {
      tripId: trip.trip_id ?? null,
      customerId: trip.customer_id,
      driverIds: drivers,
      carIds,
      booking: duplicates ? trip : null
    })
    return otherWarnings(trip, warningFacts, timezone)
  })

  return Effect.fnUntraced(function* (
    timezone: string,
    trip: CheckedTrip,
    checks: Checks,
    force: boolean,
    locked?: SchedulePolicy
  ): Effect.fn.Return<ReadonlyArray<TripWarning>, ConfirmationRequired> {
    const onSchedule = yield* checkSchedules(trip, checks, force, locked)
    return [...onSchedule, ...(yield* checkWarningFacts(trip, checks, timezone))]
  })
})
