/** The use case that plans assignments. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { invalidField, refuseIssues } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { endOfDay, instantOf, localDay, startOfDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { Point } from "../routing/Geometry.ts"
import type { Car } from "../fleet/cars/Car.ts"
import { CarRepository } from "../fleet/cars/CarRepository.ts"
import type { Driver } from "../fleet/drivers/Driver.ts"
import { DriverRepository } from "../fleet/drivers/DriverRepository.ts"
import { timeRangeIssues } from "../trips/lists/DispatchBoard.ts"
import { DispatchBoardRepository } from "../trips/lists/DispatchBoardRepository.ts"
import {
  type DriverChoice,
  type NearbyTrip,
  ScheduleRepository
} from "../trips/schedule/ScheduleRepository.ts"
import { isLive } from "../trips/trip/Assignment.ts"
import type { Trip } from "../trips/trip/Trip.ts"
import { isDispatchable, isStarted } from "../trips/trip/TripStatus.ts"
import { windowOf } from "../trips/trip/TripWindow.ts"
import {
  defaultWeights,
  type DispatchPlanRequest,
  dispatchPlanRecord,
  maxPlanHours,
  maxPlannedJobs
} from "./DispatchPlan.ts"
import type { PlanBusy, PlanJob } from "./PlanProblem.ts"
import { PlanSolver } from "./PlanSolver.ts"

/** The most steps of a search. More find hardly anything better, and fewer make it depend on the speed of the machine. */
const maxSteps = 20_000

/** Records are read in pages of this size, so that no page keeps other requests waiting. */
const pageSize = 100

/** A plan considers this many drivers and cars, the first ones by name. */
const maxFleet = 2000

const defaultBudgetMillis = 2000

const placeOf = (lat: number | null, lng: number | null): Point | null =>
  lat === null || lng === null ? null : { lat, lng }

const placesOf = (trip: Pick<Trip, "pickup_lat" | "pickup_lng" | "dropoff_lat" | "dropoff_lng">) => ({
  pickup: placeOf(trip.pickup_lat, trip.pickup_lng),
  dropoff: placeOf(trip.dropoff_lat, trip.dropoff_lng)
})

const millisOf = ({ ends, starts }: Pick<NearbyTrip, "starts" | "ends">) => ({
  starts: DateTime.toEpochMillis(starts),
  ends: DateTime.toEpochMillis(ends)
})

const busyOf = (entry: NearbyTrip): PlanBusy => ({
  ...millisOf(entry),
  ...placesOf(entry),
  driverId: entry.driver_id,
  carId: entry.car_id,
  tripId: entry.trip_id,
  absenceId: entry.absence_id
})

/**
 * The job of a trip; undefined if the plan leaves the trip as it is: it has started or cannot be dispatched, it has several
 * drivers, or it has one and `reassign` is false.
 */
const jobOf = (
  trip: Trip,
  reassign: boolean,
  timezone: string,
  choice: DriverChoice | undefined
): PlanJob | undefined => {
  const live = trip.drivers.filter(isLive)
  const [present] = live
  const isKept =
    !isDispatchable(trip.status) ||
    isStarted(trip.status) ||
    live.length > 1 ||
    trip.drivers.length > live.length ||
    (present !== undefined && !(reassign && present.status === "assigned" && isOnTripsCar(trip)))
  if (isKept) return undefined
  const window = windowOf(trip)
  return {
    ...millisOf(window),
    ...placesOf(trip),
    tripId: trip.trip_id,
    carId: trip.car_id,
    vehicleClass: trip.vehicle_class,
    passengers: trip.participants_count ?? 0,
    lastDay: localDay(DateTime.subtract(window.ends, { milliseconds: 1 }), timezone),
    driverId: present?.driver_id ?? null,
    preferredDrivers: choice?.preferred_driver_ids ?? [],
    refusedDrivers: choice?.refused_driver_ids ?? []
  }
}

/** Whether the driver of a trip has no car that the office chose for this assignment. */
const isOnTripsCar = ({ drivers }: Trip) =>
  drivers.every(({ car_id, has_default_car }) => car_id === null || has_default_car)

/** The time of a plan, and the issues with it. */
const periodOf = ({ date, from, to }: DispatchPlanRequest, timezone: string, now: DateTime.Utc) => {
  if (from !== undefined && to !== undefined)
    return { from: instantOf(from, timezone), to: instantOf(to, timezone) }
  const day = date ?? localDay(now, timezone)
  return { from: startOfDay(day, timezone), to: endOfDay(day, timezone) }
}

/** The first items of a list, at least `most` if it has as many, and whether it has more. */
const firstItems = Effect.fnUntraced(function* <A, E>(
  read: (request: PageRequest) => Effect.Effect<Page<A>, E>,
  most: number
) {
  const items: Array<A> = []
  for (let page = 1; ; page++) {
    const next = yield* read({ page, perPage: pageSize })
    items.push(...next.items)
    if (!next.hasMore || items.length >= most) return { items, hasMore: next.hasMore }
  }
})

export class DispatchPlans extends Context.Service<DispatchPlans>()("@livery/domain/DispatchPlans", {
  make: Effect.gen(function* () {
    const board = yield* DispatchBoardRepository
    const schedules = yield* ScheduleRepository
    const drivers = yield* DriverRepository
    const cars = yield* CarRepository
    const solve = yield* PlanSolver

    const fleetOf = Effect.fnUntraced(function* (businessId: BusinessId) {
      const filter = { active: true }
      const readDrivers = (page: PageRequest) => drivers.list(businessId, filter, page)
      const readCars = (page: PageRequest) => cars.list(businessId, filter, page)
      const firstDrivers: ReadonlyArray<Driver> = (yield* firstItems(readDrivers, maxFleet)).items
      const firstCars: ReadonlyArray<Car> = (yield* firstItems(readCars, maxFleet)).items
      return { drivers: firstDrivers, cars: firstCars }
    })

    return {
      /**
       * Proposes drivers for the trips of a day, or of a time of at most {@link maxPlanHours}, that have none, and stores
       * nothing. With `reassign`, also other drivers for trips that have not started. `InvalidInput` for a longer time and
       * for more than {@link maxPlannedJobs} trips; `TooManyRequests` if too many plans wait.
       */
      propose: traced("DispatchPlans.propose")(function* (
        { business_id, timezone }: ActingBusiness,
        request: DispatchPlanRequest
      ) {
        yield* refuseIssues(timeRangeIssues(request, timezone))
        const { from, to } = periodOf(request, timezone, yield* DateTime.now)
        if (DateTime.isGreaterThan(to, DateTime.add(from, { hours: maxPlanHours })))
          return yield* invalidField("to", "out_of_range")
        const query = { from, before: to }
        const onBoard = yield* firstItems((page) => board.jobs(business_id, query, page), 10 * maxPlannedJobs)
        if (onBoard.hasMore) return yield* invalidField("to", "out_of_range")
        const locked = new Set(request.locked)
        const trips = new Map(
          onBoard.items
            .filter(({ trip }) => !DateTime.isLessThan(trip.trip_date, from) && !locked.has(trip.trip_id))
            .map(({ trip }) => [trip.trip_id, trip])
        )
        const customerIds = [...trips.values()].flatMap(({ customer_id }) => customer_id ?? [])
        const choices = new Map(
          (yield* schedules.driverChoices(business_id, [...new Set(customerIds)])).map((choice) => [
            choice.customer_id,
            choice
          ])
        )
        const jobs = [...trips.values()].flatMap((trip) => {
          const choice = trip.customer_id === null ? undefined : choices.get(trip.customer_id)
          return jobOf(trip, request.reassign, timezone, choice) ?? []
        })
        if (jobs.length > maxPlannedJobs) return yield* invalidField("to", "out_of_range")
        const fleet = yield* fleetOf(business_id)
        const { turnaround_minutes } = yield* schedules.policy(business_id)
        const nearby = yield* schedules.nearby(business_id, {
          driverIds: fleet.drivers.map(({ driver_id }) => driver_id),
          carIds: fleet.cars.map(({ car_id }) => car_id),
          tripId: null,
          window: { starts: from, ends: to }
        })
        const activeCars = new Set(fleet.cars.map(({ car_id }) => car_id))
        const seed = request.seed ?? 1
        const problem = {
          from: DateTime.toEpochMillis(from),
          before: DateTime.toEpochMillis(to),
          jobs,
          drivers: fleet.drivers.map(
            ({ default_car_id, driver_id, home_lat, home_lng, license_expires_on }) => ({
              driverId: driver_id,
              carId: default_car_id !== null && activeCars.has(default_car_id) ? default_car_id : null,
              home: placeOf(home_lat, home_lng),
              licenseExpiresOn: license_expires_on
            })
          ),
          cars: fleet.cars.map(({ car_id, seats, vehicle_class }) => ({
            carId: car_id,
            seats,
            vehicleClass: vehicle_class
          })),
          busy: nearby.map(busyOf),
          turnaroundMinutes: turnaround_minutes,
          weights: { ...defaultWeights, ...request.weights },
          seed,
          steps: maxSteps,
          budgetMillis: request.budget_ms ?? defaultBudgetMillis
        }
        const solution = yield* solve(problem)
        const names = new Map(fleet.drivers.map(({ driver_id, name }) => [driver_id, name]))
        return dispatchPlanRecord({ from, to, seed }, problem, solution, names, trips)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DispatchPlans, DispatchPlans.make)
}
