/**
 * The dispatch board: a day's jobs as a dispatcher needs them, each with who drives it, in what, where they are, and
 * what is wrong with it (specification, `GET /dispatch/trips`).
 */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { ClashPolicy } from "../business/ClashPolicy.ts"
import { type BusinessId, type CarId, DriverId, type TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { CalendarDay, endOfDay, rfc3339, startOfDay, wallClock } from "../kernel/time/WallClock.ts"
import { type Assignment, isLive } from "./Assignment.ts"
import { type Trip, TripDriverRecord, tripDriverRecord, TripRecord, tripRecord } from "./Trip.ts"
import { tripMachine, TripStatus } from "./TripStatus.ts"

/** The filters of the board. The day is one on the business's clock, today unless told. */
export const BoardFilter = Schema.Struct({
  date: Schema.optionalKey(CalendarDay),
  status: Schema.optionalKey(TripStatus),
  driver_id: Schema.optionalKey(DriverId)
})
export type BoardFilter = typeof BoardFilter.Type

/** A driver of a job: their part in it, and what else a dispatcher wants to know of them. */
export interface BoardDriver extends Assignment {
  readonly phone: string | null
  /** Whether they work for the business still. */
  readonly active: boolean
  /** Other trips that need them at the same time. */
  readonly clashes: ReadonlyArray<TripId>
  /** The last that was heard of where they are, while they are under way. */
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
  /** Other trips that need it at the same time. */
  readonly clashes: ReadonlyArray<TripId>
}

/** A trip on the board, as it stands. */
export interface BoardJob {
  readonly trip: Trip
  readonly drivers: ReadonlyArray<BoardDriver>
  readonly car: BoardCar | null
}

/** What can be wrong with a job. */
export const BoardWarningType = Schema.Literals([
  "unassigned",
  "late_start",
  "schedule_clash",
  "car_clash",
  "driver_inactive",
  "car_inactive",
  "too_few_seats"
])

/** What is wrong with a job, and with whom or what: the ids that tell which. */
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
 * What is wrong with a job at `now`; nothing with one that has ended. A trip that waits for its confirmation needs no
 * driver yet; one whose pickup is past and to which nobody is on the way is late. A business that wants to hear
 * nothing of clashes does not.
 */
export const warningsOf = (
  { car, drivers, trip }: BoardJob,
  now: DateTime.Utc,
  policy: ClashPolicy
): ReadonlyArray<BoardWarning> => {
  if (tripMachine.isTerminal(trip.status)) return []
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

/** A job in an answer: the trip's record, with more of its drivers, its car, and what is wrong with it. */
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

/** Which jobs a board holds: `from` is inclusive, `before` exclusive. */
export interface BoardQuery {
  readonly from: DateTime.Utc
  readonly before: DateTime.Utc
  /** Cancelled ones are none, unless they are asked for. */
  readonly status?: TripStatus | undefined
  /** Of this driver alone: who has it to do, or has done it. */
  readonly driverId?: DriverId | undefined
}

/** A page of a board, and what the business makes of clashes. */
export interface BoardPage extends Page<BoardJob> {
  readonly policy: ClashPolicy
}

/**
 * The port that reads the board.
 *
 * - `jobs`: a page of the business's jobs, the soonest first, then by id. Clashes are told of assignments and trips
 *   that are still to be done, with all others that are, of whatever day, by pickup time.
 */
export class DispatchBoardRepository extends Context.Service<
  DispatchBoardRepository,
  {
    readonly jobs: (businessId: BusinessId, query: BoardQuery, page: PageRequest) => Effect.Effect<BoardPage>
  }
>()("@livery/domain/DispatchBoardRepository") {}

/** The query that a filter means at `now` on the clock of `timezone`. A day may have 23 hours, or 25. */
export const boardQueryOf = (filter: BoardFilter, now: DateTime.Utc, timezone: string): BoardQuery => {
  const day = filter.date ?? wallClock(now, timezone).slice(0, 10)
  return {
    from: startOfDay(day, timezone),
    before: endOfDay(day, timezone),
    status: filter.status,
    driverId: filter.driver_id
  }
}

/** - `day`: a page of a day's jobs of the acting business, the soonest first. */
export class DispatchBoard extends Context.Service<
  DispatchBoard,
  {
    readonly day: (
      acting: ActingBusiness,
      filter: BoardFilter,
      page: PageRequest
    ) => Effect.Effect<Page<BoardRecord>>
  }
>()("@livery/domain/DispatchBoard") {
  static readonly layer = Layer.effect(
    DispatchBoard,
    Effect.gen(function* () {
      const board = yield* DispatchBoardRepository
      return DispatchBoard.of({
        day: Effect.fn("DispatchBoard.day")(function* (
          { business_id, timezone }: ActingBusiness,
          filter: BoardFilter,
          page: PageRequest
        ) {
          const now = yield* DateTime.now
          const found = yield* board.jobs(business_id, boardQueryOf(filter, now, timezone), page)
          const at = { now, timezone, policy: found.policy }
          return {
            items: found.items.map((job) => boardRecord(job, at)),
            total: found.total,
            hasMore: found.hasMore
          }
        })
      })
    })
  )
}
