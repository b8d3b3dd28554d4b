/** A trip on the dispatch board with its drivers, its car and its warnings (docs/api/trips.md). */
import { DateTime, Schema } from "effect"
import type { ClashPolicy } from "../business/ClashPolicy.ts"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { CarId, TripId } from "../kernel/Ids.ts"
import { assignmentFields, isLive } from "./Assignment.ts"
import { type Trip, TripRecord, tripRecord } from "./Trip.ts"
import { isOpenTrip } from "./TripStatus.ts"
import { TripWarning } from "./TripWarning.ts"

const boardPositionFields = {
  lat: Field.assigned(Value.latitude),
  lng: Field.assigned(Value.longitude),
  recorded_at: Field.assigned(Value.instant)
}

const BoardPosition = Field.storedOf(boardPositionFields)
const boardPositionRecord = Field.encoderOf(boardPositionFields)

/** Other trips of the same driver or car at the same time. */
const clashes = { stored: Schema.Array(TripId) }

/**
 * The fields of a job's driver: the assignment, and what else a dispatcher needs to know. `active` is whether the
 * business can give the driver work; `position` is the last reported one while the assignment is `en_route`.
 */
const boardDriverFields = {
  ...assignmentFields,
  phone: Field.assignedOrNull(Value.text(40)),
  active: Field.assigned(Value.boolean),
  clashes,
  position: {
    stored: Schema.NullOr(BoardPosition),
    wire: Schema.NullOr(Field.recordOf(boardPositionFields)),
    toWire: (position: typeof BoardPosition.Type | null) =>
      position === null ? null : boardPositionRecord(position)
  }
}

/** A driver of a job. */
export const BoardDriver = Field.storedOf(boardDriverFields)
export type BoardDriver = typeof BoardDriver.Type

/** The fields of a job's car. */
const boardCarFields = {
  car_id: Field.assigned(Value.id(CarId)),
  name: Field.assigned(Value.text(200)),
  plate_number: Field.assignedOrNull(Value.text(40)),
  seats: Field.assignedOrNull(Value.wholeNumber(1, 200)),
  active: Field.assigned(Value.boolean),
  clashes
}

/** The car of a job. */
export const BoardCar = Field.storedOf(boardCarFields)
export type BoardCar = typeof BoardCar.Type

/** A trip on the board. */
export interface BoardJob {
  readonly trip: Trip
  readonly drivers: ReadonlyArray<BoardDriver>
  readonly car: BoardCar | null
}

const driverWarnings = ({ active, clashes, driver_id }: BoardDriver): ReadonlyArray<TripWarning> => [
  ...(active ? [] : [{ type: "driver_inactive", driver_id } as const]),
  ...clashes.map((trip_id) => ({ type: "schedule_clash", driver_id, trip_id }) as const)
]

const carWarnings = (
  { active, car_id, clashes, seats }: BoardCar,
  passengers: number
): ReadonlyArray<TripWarning> => [
  ...(active ? [] : [{ type: "car_inactive", car_id } as const]),
  ...(seats !== null && seats < passengers ? [{ type: "too_few_seats", car_id } as const] : []),
  ...clashes.map((trip_id) => ({ type: "car_clash", car_id, trip_id }) as const)
]

const isClash = ({ type }: TripWarning) => type === "schedule_clash" || type === "car_clash"

/**
 * The problems of a job at `now`; an ended trip has none. A pending trip needs no driver yet. A trip is late if its
 * pickup has passed and no driver is on the way. With the policy `off`, clashes are left out.
 */
export const warningsOf = (
  { car, drivers, trip }: BoardJob,
  now: DateTime.Utc,
  policy: ClashPolicy
): ReadonlyArray<TripWarning> => {
  if (!isOpenTrip(trip.status)) return []
  const live = drivers.filter(isLive)
  const warnings: ReadonlyArray<TripWarning> = [
    ...(trip.status === "confirmed" && live.length === 0 ? [{ type: "unassigned" } as const] : []),
    ...(trip.status !== "in_progress" && DateTime.isLessThan(trip.trip_date, now)
      ? [{ type: "late_start" } as const]
      : []),
    ...live.flatMap(driverWarnings),
    ...(car === null ? [] : carWarnings(car, trip.participants_count ?? 0))
  ]
  return policy === "off" ? warnings.filter((warning) => !isClash(warning)) : warnings
}

/** A job in a response: the trip's record with more about its drivers, its car, and its warnings. */
export const BoardRecord = Schema.Struct({
  ...TripRecord.fields,
  drivers: Schema.Array(Field.recordOf(boardDriverFields)),
  car: Schema.NullOr(Field.recordOf(boardCarFields)),
  warnings: Schema.Array(TripWarning)
})
export type BoardRecord = typeof BoardRecord.Type

const boardDriverRecord = Field.encoderOf(boardDriverFields)
const boardCarRecord = Field.encoderOf(boardCarFields)

/** The record of a job at `now`, with local times in `timezone`. */
export const boardRecord = (
  job: BoardJob,
  at: { readonly now: DateTime.Utc; readonly timezone: string; readonly policy: ClashPolicy }
): BoardRecord => ({
  ...tripRecord(job.trip, at.timezone),
  drivers: job.drivers.map(boardDriverRecord),
  car: job.car === null ? null : boardCarRecord(job.car),
  warnings: warningsOf(job, at.now, at.policy)
})
