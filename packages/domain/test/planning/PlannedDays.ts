/** Days of a business for tests of plans, the same for the same seed, and the check of their solutions. */
import {
  AbsenceId,
  CarId,
  DriverId,
  type PlanBusy,
  type PlanProblem,
  type PlanSolution,
  type PlanWindow,
  TripId,
  lacksTimeToDrive,
  overlaps
} from "@livery/domain"
import { DateTime } from "effect"
import { randomNumbers } from "../../src/planning/PlanSearch.ts"

const minute = 60_000
const day = Date.UTC(2026, 10, 28)

/** How a day is made. */
export interface DayOptions {
  readonly seed: number
  readonly jobs: number
  readonly drivers: number
  readonly steps?: number
  readonly budgetMillis?: number
}

/** A day in a region of about 60 by 60 km: drivers with homes, shifts, cars of two classes, and some trips that have drivers. */
export const dayOf = ({
  budgetMillis = 60_000,
  drivers,
  jobs,
  seed,
  steps = 300
}: DayOptions): PlanProblem => {
  const random = randomNumbers(seed)
  const place = () => {
    // Half of the places are an airport or the centre.
    const kind = random()
    if (kind < 0.25) return { lat: 47.458, lng: 8.555 }
    if (kind < 0.5) return { lat: 47.37 + random() * 0.03, lng: 8.53 + random() * 0.03 }
    return { lat: 47.1 + random() * 0.6, lng: 8.2 + random() * 0.8 }
  }
  const whole = (below: number) => Math.floor(random() * below)
  const ride = () => {
    const starts = day + 5 * 60 * minute + whole(17 * 12) * 5 * minute
    return { starts, ends: starts + (20 + whole(20) * 5) * minute, pickup: place(), dropoff: place() }
  }
  const cars = Array.from({ length: drivers }, (_, index) => ({
    carId: CarId.make(index + 1),
    vehicleClass: index % 4 === 0 ? ("van" as const) : ("sedan" as const),
    seats: index % 4 === 0 ? 7 : 4
  }))
  const people = cars.map(({ carId }, index) => ({
    driverId: DriverId.make(index + 1),
    // Two drivers share a car now and then.
    carId: index % 9 === 8 ? CarId.make(index) : carId,
    home: random() < 0.8 ? place() : null,
    licenseExpiresOn: random() < 0.02 ? "2026-11-01" : null
  }))
  const wanted = Array.from({ length: jobs }, (_, index) => {
    const van = random() < 0.2
    return {
      ...ride(),
      tripId: TripId.make(index + 1),
      carId: random() < 0.02 ? CarId.make(1 + whole(drivers)) : null,
      vehicleClass: van ? ("van" as const) : random() < 0.7 ? ("sedan" as const) : null,
      passengers: van ? 1 + whole(7) : 1 + whole(3),
      lastDay: "2026-11-28",
      driverId: null,
      preferredDrivers: [],
      refusedDrivers: []
    }
  })
  const nowhere = { pickup: null, dropoff: null }
  const busy: ReadonlyArray<PlanBusy> = people.flatMap(
    ({ carId, driverId }, index): ReadonlyArray<PlanBusy> => {
      const early = index % 2 === 0
      const off = { driverId, carId: null, tripId: null, ...nowhere }
      const shift = early
        ? { starts: day + 16 * 60 * minute, ends: day + 24 * 60 * minute }
        : { starts: day, ends: day + 9 * 60 * minute }
      const fixed = { ...ride(), tripId: TripId.make(100_000 + index), absenceId: null }
      return [
        { ...off, ...shift, absenceId: AbsenceId.make(index + 1) },
        ...(random() < 0.1
          ? [
              { ...fixed, driverId, carId: null },
              { ...fixed, driverId: null, carId }
            ]
          : [])
      ]
    }
  )
  return {
    from: day,
    before: day + 24 * 60 * minute,
    jobs: wanted,
    drivers: people,
    cars,
    busy,
    turnaroundMinutes: 5,
    weights: { empty_km: 1, unassigned: 1000, change: 0, preference: 0, balance: 0 },
    seed,
    steps,
    budgetMillis
  }
}

/** The window and the places of a trip, as the clash check takes them. */
const journey = ({ dropoff, ends, pickup, starts }: PlanWindow) => ({
  starts: DateTime.makeUnsafe(starts),
  ends: DateTime.makeUnsafe(ends),
  pickup_lat: pickup?.lat ?? null,
  pickup_lng: pickup?.lng ?? null,
  dropoff_lat: dropoff?.lat ?? null,
  dropoff_lng: dropoff?.lng ?? null
})

/** The pairs of trips in a solution that clash, by the rule of the board and of the check before a change is stored. */
export const clashesIn = (problem: PlanProblem, { planned }: PlanSolution): ReadonlyArray<string> => {
  const jobs = new Map(problem.jobs.map((job) => [job.tripId, job]))
  const isJob = ({ tripId }: PlanBusy) => tripId !== null && jobs.has(tripId)
  const taken: ReadonlyArray<PlanBusy> = [
    ...problem.busy.filter((entry) => !isJob(entry)),
    ...planned.flatMap(({ carId, driverId, tripId }): ReadonlyArray<PlanBusy> => {
      const job = jobs.get(tripId)
      if (job === undefined) return []
      const { dropoff, ends, pickup, starts } = job
      const entry = { dropoff, ends, pickup, starts, tripId, absenceId: null }
      return [
        { ...entry, driverId, carId: null },
        ...(carId === null ? [] : [{ ...entry, driverId: null, carId }])
      ]
    })
  ]
  const groups = Map.groupBy(taken, ({ carId, driverId }) =>
    driverId === null ? `car ${carId}` : `driver ${driverId}`
  )
  return [...groups].flatMap(([resource, entries]) =>
    entries.flatMap((one, index) =>
      entries.slice(index + 1).flatMap((other) => {
        if (!isJob(one) && !isJob(other)) return []
        const [first, second] = [journey(one), journey(other)]
        const isAway = one.absenceId !== null || other.absenceId !== null
        const isClash =
          overlaps(first, second) || (!isAway && lacksTimeToDrive(first, second, problem.turnaroundMinutes))
        return isClash
          ? [`${resource}: ${one.tripId} and ${other.tripId ?? `absence ${other.absenceId}`}`]
          : []
      })
    )
  )
}

/** The jobs of a solution whose driver or car does not suit them. */
export const misfitsIn = (problem: PlanProblem, { planned }: PlanSolution): ReadonlyArray<number> =>
  planned
    .filter(({ carId, driverId, tripId }) => {
      const job = problem.jobs.find((one) => one.tripId === tripId)
      const car = problem.cars.find((one) => one.carId === carId)
      const driver = problem.drivers.find((one) => one.driverId === driverId)
      return (
        (car?.vehicleClass ?? "other") !== (job?.vehicleClass ?? car?.vehicleClass ?? "other") ||
        (car?.seats ?? 0) < (job?.passengers ?? 0) ||
        (job?.carId ?? carId) !== carId ||
        (driver?.licenseExpiresOn ?? "9999") < (job?.lastDay ?? "")
      )
    })
    .map(({ tripId }) => tripId)
