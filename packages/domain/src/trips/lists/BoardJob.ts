/** A trip on the dispatch board with its drivers, its car and its warnings (docs/api/trips.md). */
import { DateTime, Schema } from "effect"
import type { ClashPolicy } from "../../business/ClashPolicy.ts"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { AbsenceId, CarId, TripId } from "../../kernel/Ids.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import {
  type Assignment,
  assignmentFields,
  isLive,
  TripDriverRecord,
  tripDriverRecord
} from "../trip/Assignment.ts"
import { isLicenseExpired, isOtherClass, lackSeats, lacksTimeToDrive } from "../schedule/TripFit.ts"
import { type Trip, TripRecord, tripRecord } from "../trip/Trip.ts"
import { isOpenTrip, isStarted } from "../trip/TripStatus.ts"
import { TripWarning } from "../trip/TripWarning.ts"
import { windowOf } from "../trip/TripWindow.ts"

const boardPositionFields = {
  lat: Field.assigned(Value.latitude),
  lng: Field.assigned(Value.longitude),
  recorded_at: Field.assigned(Value.instant)
}

/** The last position of a driver on the board. */
export const BoardPosition = Field.storedOf(boardPositionFields)
export type BoardPosition = typeof BoardPosition.Type

/** The position in a record. */
export const boardPositionRecord = Field.encoderOf(boardPositionFields)

/** Other trips of the same driver or car at the same time. */
const clashes = { stored: Schema.Array(TripId) }

/** A trip of the same driver or car without an overlap: the last one before, or the first one after. */
export const Neighbour = Field.storedOf({
  trip_id: Field.internal(Value.id(TripId)),
  starts: Field.internal(Value.instant),
  ends: Field.internal(Value.instant),
  pickup_lat: Field.internalOrNull(Value.latitude),
  pickup_lng: Field.internalOrNull(Value.longitude),
  dropoff_lat: Field.internalOrNull(Value.latitude),
  dropoff_lng: Field.internalOrNull(Value.longitude)
})
export type Neighbour = typeof Neighbour.Type

const neighbours = { stored: Schema.Array(Neighbour) }

/** The fields of a job's car. */
const boardCarFields = {
  car_id: Field.assigned(Value.id(CarId)),
  name: Field.assigned(Value.text(200)),
  plate_number: Field.assignedOrNull(Value.text(40)),
  seats: Field.assignedOrNull(Value.wholeNumber(1, 200)),
  vehicle_class: Field.assignedOrNull(Value.oneOf(VehicleClass)),
  active: Field.assigned(Value.boolean),
  clashes,
  neighbours
}

/** A car of a job. */
export const BoardCar = Field.storedOf(boardCarFields)
export type BoardCar = typeof BoardCar.Type

const boardCarRecord = Field.encoderOf(boardCarFields)

/**
 * The fields of a job's driver: the assignment, and what else a dispatcher needs to know. `active` is whether the
 * business can give the driver work; `position` is the last reported one while the assignment is `en_route`.
 * `absence_ids` are the driver's absences at the time of the trip. `car` is the assignment's own car.
 */
const boardDriverFields = {
  ...assignmentFields,
  phone: Field.assignedOrNull(Value.text(40)),
  active: Field.assigned(Value.boolean),
  clashes,
  neighbours,
  license_expires_on: Field.internalOrNull(Value.day),
  absence_ids: { stored: Schema.Array(AbsenceId) },
  car: {
    stored: Schema.NullOr(BoardCar),
    wire: Schema.NullOr(Field.recordOf(boardCarFields)),
    toWire: (car: BoardCar | null) => (car === null ? null : boardCarRecord(car))
  },
  position: {
    stored: Schema.NullOr(BoardPosition),
    wire: Schema.NullOr(Field.recordOf(boardPositionFields)),
    toWire: (position: BoardPosition | null) => (position === null ? null : boardPositionRecord(position))
  }
}

/** Where a driver was last, in a response. */
export const BoardPositionRecord = boardDriverFields.position.wire

/** A driver of a job. */
export const BoardDriver = Field.storedOf(boardDriverFields)
export type BoardDriver = typeof BoardDriver.Type

/** A trip on the board. */
export interface BoardJob {
  readonly trip: Trip
  readonly drivers: ReadonlyArray<BoardDriver>
  readonly car: BoardCar | null
}

/** The settings that decide which warnings a board has. */
export interface BoardPolicy {
  readonly clashPolicy: ClashPolicy
  readonly turnaroundMinutes: number
  readonly timezone: string
}

/** The neighbours that leave too little time to drive, as warnings about a driver or a car. */
const driveWarnings = (
  trip: Trip,
  neighbours: ReadonlyArray<Neighbour>,
  turnaroundMinutes: number,
  about: Pick<TripWarning, "driver_id" | "car_id">
): ReadonlyArray<TripWarning> =>
  neighbours
    .filter((other) => lacksTimeToDrive({ ...trip, ...windowOf(trip) }, other, turnaroundMinutes))
    .map(({ trip_id }) => ({ type: "no_time_to_drive", ...about, trip_id }))

const driverWarnings = (
  { absence_ids, active, clashes, driver_id, license_expires_on, neighbours }: BoardDriver,
  trip: Trip,
  { timezone, turnaroundMinutes }: BoardPolicy
): ReadonlyArray<TripWarning> => [
  ...(active ? [] : [{ type: "driver_inactive", driver_id } as const]),
  ...clashes.map((trip_id) => ({ type: "schedule_clash", driver_id, trip_id }) as const),
  ...absence_ids.map((absence_id) => ({ type: "driver_absent", driver_id, absence_id }) as const),
  ...driveWarnings(trip, neighbours, turnaroundMinutes, { driver_id }),
  ...(license_expires_on !== null && isLicenseExpired(license_expires_on, trip, timezone)
    ? [{ type: "license_expired", driver_id } as const]
    : [])
]

const carWarnings = (
  { active, car_id, clashes, neighbours, vehicle_class }: BoardCar,
  trip: Trip,
  { hasTooFewSeats, turnaroundMinutes }: BoardPolicy & { readonly hasTooFewSeats: boolean }
): ReadonlyArray<TripWarning> => [
  ...(active ? [] : [{ type: "car_inactive", car_id } as const]),
  ...(hasTooFewSeats ? [{ type: "too_few_seats", car_id } as const] : []),
  ...(isOtherClass(trip.vehicle_class, vehicle_class)
    ? [{ type: "other_vehicle_class", car_id } as const]
    : []),
  ...clashes.map((trip_id) => ({ type: "car_clash", car_id, trip_id }) as const),
  ...driveWarnings(trip, neighbours, turnaroundMinutes, { car_id })
]

/** The warnings about schedules, which the clash policy `off` leaves out. */
const scheduleWarningTypes: ReadonlySet<TripWarning["type"]> = new Set([
  "schedule_clash",
  "car_clash",
  "driver_absent",
  "no_time_to_drive"
])

/**
 * The warnings about a job at `now`; an ended trip has none. A pending trip needs no driver yet. A trip is late if its
 * pickup has passed and no driver is on the way. With the clash policy `off`, clashes, absences and the time to drive are
 * left out. The time to drive is checked only to the trip before and to the trip after.
 */
export const warningsOf = (
  { car, drivers, trip }: BoardJob,
  now: DateTime.Utc,
  policy: BoardPolicy
): ReadonlyArray<TripWarning> => {
  if (!isOpenTrip(trip.status)) return []
  const live = drivers.filter(isLive)
  const allCars = [car, ...live.map((driver) => driver.car)].flatMap((boardCar) => boardCar ?? [])
  const cars = [...new Map(allCars.map((boardCar) => [boardCar.car_id, boardCar])).values()]
  const hasTooFewSeats = lackSeats(cars, trip)
  const warnings: ReadonlyArray<TripWarning> = [
    ...(trip.status === "confirmed" && live.length === 0 ? [{ type: "unassigned" } as const] : []),
    ...(!isStarted(trip.status) && DateTime.isLessThan(trip.trip_date, now)
      ? [{ type: "late_start" } as const]
      : []),
    ...live.flatMap((driver) => driverWarnings(driver, trip, policy)),
    ...cars.flatMap((boardCar) => carWarnings(boardCar, trip, { ...policy, hasTooFewSeats }))
  ]
  return policy.clashPolicy === "off"
    ? warnings.filter(({ type }) => !scheduleWarningTypes.has(type))
    : warnings
}

/** The assignments whose drivers declined the trip, without those of drivers who are on it again. */
export const declinedOf = ({
  drivers,
  former_drivers,
  reopened_after
}: Pick<Trip, "drivers" | "former_drivers" | "reopened_after">): ReadonlyArray<Assignment> =>
  former_drivers.filter(
    ({ assignment_id, declined_at, driver_id }) =>
      declined_at !== null &&
      assignment_id > (reopened_after ?? 0) &&
      !drivers.some((driver) => driver.driver_id === driver_id)
  )

/**
 * A job in a response: the trip's record with more about its drivers, its car, and its warnings. `declined` has the assignments
 * whose drivers gave the job back.
 */
export const BoardJobRecord = Schema.Struct({
  ...TripRecord.fields,
  drivers: Schema.Array(Field.recordOf(boardDriverFields)),
  declined: Schema.Array(TripDriverRecord),
  car: Schema.NullOr(Field.recordOf(boardCarFields)),
  warnings: Schema.Array(TripWarning)
})
export type BoardJobRecord = typeof BoardJobRecord.Type

const boardDriverRecord = Field.encoderOf(boardDriverFields)

/** The record of a job at `now`, with local times in `timezone`. */
export const boardJobRecord = (
  job: BoardJob,
  policy: BoardPolicy & { readonly now: DateTime.Utc }
): BoardJobRecord => ({
  ...tripRecord(job.trip, policy.timezone),
  drivers: job.drivers.map(boardDriverRecord),
  declined: declinedOf(job.trip).map(tripDriverRecord),
  car: job.car === null ? null : boardCarRecord(job.car),
  warnings: warningsOf(job, policy.now, policy)
})
