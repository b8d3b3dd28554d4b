/**
 * The jobs, drivers and cars of a plan of assignments, and its solution: plain data, so that another thread can solve it. Times are
 * milliseconds since 1970, distances metres.
 */
import type { AbsenceId, CarId, DriverId, TripId } from "../kernel/Ids.ts"
import type { VehicleClass } from "../kernel/VehicleClass.ts"
import type { Point } from "../routing/Geometry.ts"

/** A ride, or another time at which a driver or a car is taken; a place is null if it is unknown. */
export interface PlanWindow {
  readonly starts: number
  readonly ends: number
  readonly pickup: Point | null
  readonly dropoff: Point | null
}

/**
 * A trip that needs a driver. `carId` is the trip's own car; `lastDay` the day on which the trip ends, on the business's clock, for
 * licences; `driverId` its present driver, whom the plan may replace.
 * The customer prefers `preferredDrivers`, and refuses `refusedDrivers`.
 */
export interface PlanJob extends PlanWindow {
  readonly tripId: TripId
  readonly carId: CarId | null
  readonly vehicleClass: VehicleClass | null
  readonly passengers: number
  readonly lastDay: string
  readonly driverId: DriverId | null
  readonly preferredDrivers: ReadonlyArray<DriverId>
  readonly refusedDrivers: ReadonlyArray<DriverId>
}

/** A driver. `carId` is the default car, if it is active; `home` is where the driver starts and ends a day. */
export interface PlanDriver {
  readonly driverId: DriverId
  readonly carId: CarId | null
  readonly home: Point | null
  readonly licenseExpiresOn: string | null
}

/** A car. */
export interface PlanCar {
  readonly carId: CarId
  readonly vehicleClass: VehicleClass | null
  readonly seats: number | null
}

/** A time at which a driver or a car is taken by a trip that the plan does not change, or at which a driver is absent. */
export interface PlanBusy extends PlanWindow {
  readonly driverId: DriverId | null
  readonly carId: CarId | null
  readonly tripId: TripId | null
  readonly absenceId: AbsenceId | null
}

/**
 * What a plan costs, in kilometres: each empty kilometre, a trip without a driver, another driver than the present one,
 * a driver who is none of those whom the customer prefers, and unequal work (the square of each driver's hours).
 */
export interface PlanWeights {
  readonly empty_km: number
  readonly unassigned: number
  readonly change: number
  readonly preference: number
  readonly balance: number
}

/** What a plan is made of. The plan has the time from `from` to `before`. */
export interface PlanProblem {
  readonly from: number
  readonly before: number
  readonly jobs: ReadonlyArray<PlanJob>
  readonly drivers: ReadonlyArray<PlanDriver>
  readonly cars: ReadonlyArray<PlanCar>
  readonly busy: ReadonlyArray<PlanBusy>
  readonly turnaroundMinutes: number
  readonly weights: PlanWeights
  /** The same problem with the same seed has the same solution if the steps end before the time. */
  readonly seed: number
  /** The most steps of the search. */
  readonly steps: number
  /** The longest time of the search. */
  readonly budgetMillis: number
}

/** Why a driver cannot take a job. `busy`: the driver or the car is taken, or too far away to be there in time. `refused`: the customer refuses the driver. */
export const obstacles = ["vehicle_class", "seats", "license", "absent", "busy", "refused"] as const
export type Obstacle = (typeof obstacles)[number]

/** A driver who could take a job in place of the planned one, and the empty metres that this adds to the driver's day. */
export interface PlanCandidate {
  readonly driverId: DriverId
  readonly carId: CarId | null
  readonly addedMetres: number
}

/**
 * The driver of a job. `after` is the trip from whose end the driver comes; without one, the driver comes from home, or from a
 * place that is not known. `emptyMetres` is the drive to the pickup, `waitingMinutes` the time that is left before it.
 */
export interface PlannedJob extends PlanCandidate {
  readonly tripId: TripId
  readonly after: TripId | null
  /** Whether the customer prefers the driver. */
  readonly isPreferred: boolean
  readonly isFromHome: boolean
  readonly emptyMetres: number
  readonly waitingMinutes: number | null
  /** The next three drivers, by the metres that they add. */
  readonly candidates: ReadonlyArray<PlanCandidate>
}

/** A job without a driver, and the number of drivers by what keeps them from it. */
export interface UnplannedJob {
  readonly tripId: TripId
  readonly obstacles: Readonly<Record<Obstacle, number>>
}

/** The jobs with and without a driver, and the empty metres of all drivers in the time of the plan. */
export interface PlanCost {
  readonly assigned: number
  readonly unassigned: number
  readonly emptyMetres: number
}

/** A solution: the jobs as they are now, as the nearest free driver would take each in turn, and as planned. */
export interface PlanSolution {
  readonly planned: ReadonlyArray<PlannedJob>
  readonly unplanned: ReadonlyArray<UnplannedJob>
  readonly before: PlanCost
  readonly nearestFree: PlanCost
  readonly after: PlanCost
  /** The steps that the search made. */
  readonly steps: number
}
