/** A trip on the dispatch board with its drivers, its car and its warnings (docs/api/trips.md). */
import { DateTime, Schema } from "effect"
import type { ClashPolicy } from "../business/ClashPolicy.ts"
import type { CarId, TripId } from "../kernel/Ids.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import { type Assignment, isLive } from "./Assignment.ts"
import { type Trip, TripDriverRecord, tripDriverRecord, TripRecord, tripRecord } from "./Trip.ts"
import { isOpenTrip } from "./TripStatus.ts"

/** A driver of a job: the assignment, and what else a dispatcher needs to know. */
export interface BoardDriver extends Assignment {
  readonly phone: string | null
  /** Whether the business can give the driver work: neither inactive nor deleted. */
  readonly active: boolean
  /** The driver's other trips at the same time. */
  readonly clashes: ReadonlyArray<TripId>
  /** The last reported position; null unless the assignment is `en_route`. */
  readonly position: {
    readonly lat: number
    readonly lng: number
    readonly recorded_at: DateTime.Utc
  } | null
}

/** The car of a job. */
export interface BoardCar {
  readonly car_id: CarId
  readonly name: string
  readonly plate_number: string | null
  readonly seats: number | null
  readonly active: boolean
  /** The car's other trips at the same time. */
  readonly clashes: ReadonlyArray<TripId>
}

/** A trip on the board. */
export interface BoardJob {
  readonly trip: Trip
  readonly drivers: ReadonlyArray<BoardDriver>
  readonly car: BoardCar | null
}

/** The problems that a job can have. */
export const BoardWarningType = Schema.Literals([
  "unassigned",
  "late_start",
  "schedule_clash",
  "car_clash",
  "driver_inactive",
  "car_inactive",
  "too_few_seats"
])

/** A problem of a job, with the ids of the driver, the car or the other trip that it is about. */
export const BoardWarning = Schema.Struct({
  type: BoardWarningType,
  driver_id: Schema.optionalKey(Schema.Int),
  car_id: Schema.optionalKey(Schema.Int),
  trip_id: Schema.optionalKey(Schema.Int)
})
export type BoardWarning = typeof BoardWarning.Type

const driverWarnings = ({ active, clashes, driver_id }: BoardDriver): ReadonlyArray<BoardWarning> => [
  ...(active ? [] : [{ type: "driver_inactive", driver_id } as const]),
  ...clashes.map((trip_id) => ({ type: "schedule_clash", driver_id, trip_id }) as const)
]

const carWarnings = (
  { active, car_id, clashes, seats }: BoardCar,
  passengers: number
): ReadonlyArray<BoardWarning> => [
  ...(active ? [] : [{ type: "car_inactive", car_id } as const]),
  ...(seats !== null && seats < passengers ? [{ type: "too_few_seats", car_id } as const] : []),
  ...clashes.map((trip_id) => ({ type: "car_clash", car_id, trip_id }) as const)
]

const isClash = ({ type }: BoardWarning) => type === "schedule_clash" || type === "car_clash"

/**
 * The problems of a job at `now`; an ended trip has none. A pending trip needs no driver yet. A trip is late if its
 * pickup has passed and no driver is on the way. With the policy `off`, clashes are left out.
 */
export const warningsOf = (
  { car, drivers, trip }: BoardJob,
  now: DateTime.Utc,
  policy: ClashPolicy
): ReadonlyArray<BoardWarning> => {
  if (!isOpenTrip(trip.status)) return []
  const live = drivers.filter(isLive)
  const warnings: ReadonlyArray<BoardWarning> = [
    ...(trip.status === "confirmed" && live.length === 0 ? [{ type: "unassigned" } as const] : []),
    ...(trip.status !== "in_progress" && DateTime.isLessThan(trip.trip_date, now)
      ? [{ type: "late_start" } as const]
      : []),
    ...live.flatMap(driverWarnings),
    ...(car === null ? [] : carWarnings(car, trip.participants_count ?? 0))
  ]
  return policy === "off" ? warnings.filter((warning) => !isClash(warning)) : warnings
}

const Position = Schema.Struct({ lat: Schema.Finite, lng: Schema.Finite, recorded_at: Schema.String })

const BoardDriverRecord = Schema.Struct({
  ...TripDriverRecord.fields,
  phone: Schema.NullOr(Schema.String),
  active: Schema.Boolean,
  position: Schema.NullOr(Position)
})

const BoardCarRecord = Schema.Struct({
  car_id: Schema.Int,
  name: Schema.String,
  plate_number: Schema.NullOr(Schema.String),
  seats: Schema.NullOr(Schema.Int),
  active: Schema.Boolean
})

/** A job in a response: the trip's record with more about its drivers, its car, and its warnings. */
export const BoardRecord = Schema.Struct({
  ...TripRecord.fields,
  drivers: Schema.Array(BoardDriverRecord),
  car: Schema.NullOr(BoardCarRecord),
  warnings: Schema.Array(BoardWarning)
})
export type BoardRecord = typeof BoardRecord.Type

const positionRecord = ({ lat, lng, recorded_at }: NonNullable<BoardDriver["position"]>) => ({
  lat,
  lng,
  recorded_at: rfc3339(recorded_at)
})

/** The record of a job at `now`, on the clock of a business in `timezone`. */
export const boardRecord = (
  job: BoardJob,
  at: { readonly now: DateTime.Utc; readonly timezone: string; readonly policy: ClashPolicy }
): BoardRecord => {
  const { car, drivers, trip } = job
  return {
    ...tripRecord(trip, at.timezone),
    drivers: drivers.map((driver) => ({
      ...tripDriverRecord(driver),
      phone: driver.phone,
      active: driver.active,
      position: driver.position === null ? null : positionRecord(driver.position)
    })),
    car:
      car === null
        ? null
        : {
            car_id: car.car_id,
            name: car.name,
            plate_number: car.plate_number,
            seats: car.seats,
            active: car.active
          },
    warnings: warningsOf(job, at.now, at.policy)
  }
}
