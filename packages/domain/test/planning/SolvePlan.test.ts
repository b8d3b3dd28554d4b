import { AbsenceId, CarId, DriverId, type PlanProblem, solvePlan, TripId } from "@livery/domain"
import { describe, expect, it } from "vitest"
import { minimumCost } from "../../src/planning/MinimumCost.ts"
import { randomNumbers } from "../../src/planning/PlanSearch.ts"
import { clashesIn, dayOf, misfitsIn } from "./PlannedDays.ts"

const atOnce = () => 0
const solve = (problem: PlanProblem) => solvePlan(problem, atOnce)

/** The least sum, by trying every order. */
const leastSum = (
  rows: ReadonlyArray<ReadonlyArray<number>>,
  used: ReadonlySet<number> = new Set()
): number => {
  const [row, ...rest] = rows
  return row === undefined
    ? 0
    : Math.min(
        ...row.flatMap((cost, column) =>
          used.has(column) ? [] : [cost + leastSum(rest, new Set([...used, column]))]
        )
      )
}

describe("minimumCost", () => {
  it("costs as little as the best of all orders", () => {
    const random = randomNumbers(7)
    for (let round = 0; round < 200; round++) {
      const size = 1 + Math.floor(random() * 6)
      const rows = Array.from({ length: size }, () =>
        Array.from({ length: size }, () => Math.floor(random() * 50) - 10)
      )
      const columns = [...(minimumCost(Float64Array.from(rows.flat()), size) ?? [])]
      expect(new Set(columns).size).toBe(size)
      const sum = columns.reduce((total, column, row) => total + (rows[row]?.[column] ?? NaN), 0)
      expect(sum).toBe(leastSum(rows))
    }
  })

  it("ends when its time is over", () => {
    expect(minimumCost(new Float64Array(4), 2, () => true)).toBeNull()
  })
})

const hour = 3_600_000
const airport = { lat: 47.458, lng: 8.555 }
const bern = { lat: 46.948, lng: 7.447 }
const zurich = { lat: 47.3769, lng: 8.5417 }

const ride = (id: number, starts: number, pickup = zurich, dropoff = airport) => ({
  tripId: TripId.make(id),
  starts,
  ends: starts + hour,
  pickup,
  dropoff,
  carId: null,
  vehicleClass: null,
  passengers: 1,
  lastDay: "1970-01-01",
  driverId: null,
  preferredDrivers: [],
  refusedDrivers: []
})
const driver = (id: number, home = zurich) => ({
  driverId: DriverId.make(id),
  carId: null,
  home,
  licenseExpiresOn: null
})
const problemOf = (parts: Partial<PlanProblem>): PlanProblem => ({
  from: 0,
  before: 24 * hour,
  jobs: [],
  drivers: [],
  cars: [],
  busy: [],
  turnaroundMinutes: 0,
  weights: { empty_km: 1, unassigned: 1000, change: 0, preference: 0, balance: 0 },
  seed: 1,
  steps: 200,
  budgetMillis: 60_000,
  ...parts
})
const driversOf = (problem: PlanProblem) =>
  Object.fromEntries(solve(problem).planned.map(({ driverId, tripId }) => [tripId, driverId]))

describe("solvePlan", () => {
  it("gives no driver or car two trips that clash, and costs no more than the nearest free drivers", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const problem = dayOf({ seed, jobs: 10 + ((seed * 7) % 50), drivers: 4 + (seed % 9), steps: 150 })
      const solution = solve(problem)
      const { after, nearestFree } = solution
      expect(clashesIn(problem, solution)).toEqual([])
      expect(misfitsIn(problem, solution)).toEqual([])
      expect(after.unassigned * 1e6 + after.emptyMetres).toBeLessThanOrEqual(
        nearestFree.unassigned * 1e6 + nearestFree.emptyMetres
      )
      expect(after.assigned + after.unassigned).toBe(problem.jobs.length)
    }
  })

  it("gives a trip to a preferred driver if that costs less than the preference, and never to a refused one", () => {
    const near = { ...driver(1), home: zurich }
    const far = { ...driver(2), home: bern }
    const plan = (wishes: Partial<PlanProblem["jobs"][number]>, preference: number) =>
      solve(
        problemOf({
          jobs: [{ ...ride(1, 8 * hour), ...wishes }],
          drivers: [near, far],
          weights: { empty_km: 1, unassigned: 1000, change: 0, preference, balance: 0 }
        })
      )
    const ofSolution = ({ planned }: ReturnType<typeof solve>) =>
      planned.map(({ driverId, isPreferred }) => [driverId, isPreferred])
    expect(ofSolution(plan({}, 500))).toEqual([[1, false]])
    expect(ofSolution(plan({ preferredDrivers: [far.driverId] }, 500))).toEqual([[2, true]])
    expect(ofSolution(plan({ preferredDrivers: [far.driverId] }, 5))).toEqual([[1, false]])
    expect(ofSolution(plan({ refusedDrivers: [near.driverId] }, 5))).toEqual([[2, false]])
    const both = [near.driverId, far.driverId]
    expect(plan({ refusedDrivers: both }, 5).unplanned[0]?.obstacles).toMatchObject({ refused: 2 })
  })

  it("makes at least a fifth fewer empty kilometres than the nearest free drivers with 180 jobs", () => {
    for (const seed of [1, 2, 3]) {
      const problem = dayOf({ seed, jobs: 180, drivers: 90, steps: 600 })
      const { after, nearestFree } = solve(problem)
      expect(after.unassigned).toBeLessThanOrEqual(nearestFree.unassigned)
      expect(after.emptyMetres / after.assigned).toBeLessThan(
        (0.8 * nearestFree.emptyMetres) / nearestFree.assigned
      )
    }
  })

  it("gives the same plan for the same seed", () => {
    const problem = dayOf({ seed: 5, jobs: 40, drivers: 12 })
    expect(solve(problem)).toEqual(solve(problem))
  })

  it("stops when the time is over", () => {
    const problem = dayOf({ seed: 5, jobs: 40, drivers: 12, budgetMillis: 10 })
    let now = 0
    expect(solvePlan(problem, () => (now += 1)).steps).toBeLessThan(300)
  })

  it("leaves out drivers who are away, whose licence expires, or whose car has another class or too few seats", () => {
    const cars = [
      { carId: CarId.make(1), vehicleClass: "sedan" as const, seats: 4 },
      { carId: CarId.make(2), vehicleClass: "van" as const, seats: 3 },
      { carId: CarId.make(3), vehicleClass: "van" as const, seats: 7 }
    ]
    const job = { ...ride(1, 10 * hour), vehicleClass: "van" as const, passengers: 5 }
    const drivers = [
      { ...driver(1), carId: CarId.make(1) },
      { ...driver(2), carId: CarId.make(2) },
      { ...driver(3), carId: CarId.make(3), licenseExpiresOn: "1969-12-31" },
      { ...driver(4), carId: CarId.make(3) },
      { ...driver(5), carId: CarId.make(3) }
    ]
    const busy = [
      {
        driverId: DriverId.make(4),
        carId: null,
        tripId: null,
        absenceId: AbsenceId.make(1),
        starts: 10.5 * hour,
        ends: 12 * hour,
        pickup: null,
        dropoff: null
      }
    ]
    const problem = problemOf({ jobs: [job], drivers, cars, busy })
    expect(driversOf(problem)).toEqual({ 1: 5 })
    expect(solve({ ...problem, drivers: drivers.slice(0, 4) }).unplanned).toEqual([
      { tripId: 1, obstacles: { vehicle_class: 1, seats: 1, license: 1, absent: 1, busy: 0, refused: 0 } }
    ])
  })

  it("names the drive and the next drivers of each job", () => {
    const problem = problemOf({
      jobs: [ride(1, 8 * hour), ride(2, 10 * hour, airport, zurich)],
      drivers: [driver(1), driver(2, bern), driver(3, airport)]
    })
    const { planned } = solve(problem)
    expect(planned[0]).toMatchObject({
      tripId: 1,
      driverId: 1,
      isFromHome: true,
      after: null,
      emptyMetres: 0
    })
    expect(planned[1]).toMatchObject({ tripId: 2, driverId: 1, after: 1, emptyMetres: 0, waitingMinutes: 60 })
    expect(planned[1]?.candidates.map(({ driverId }) => driverId)).toEqual([3, 2])
  })

  it("keeps a driver who has the job already if the change costs more than it saves", () => {
    const jobs = [{ ...ride(1, 8 * hour), driverId: DriverId.make(2) }]
    const drivers = [driver(1), driver(2, airport)]
    expect(driversOf(problemOf({ jobs, drivers }))).toEqual({ 1: 1 })
    const weights = { empty_km: 1, unassigned: 1000, change: 50, preference: 0, balance: 0 }
    expect(driversOf(problemOf({ jobs, drivers, weights }))).toEqual({ 1: 2 })
  })

  it("shares the work if the balance counts more than the kilometres", () => {
    const jobs = [ride(1, 8 * hour, zurich, zurich), ride(2, 12 * hour, zurich, zurich)]
    const drivers = [driver(1), driver(2)]
    const weights = { empty_km: 1, unassigned: 1000, change: 0, preference: 0, balance: 10 }
    expect(new Set(Object.values(driversOf(problemOf({ jobs, drivers, weights }))))).toEqual(new Set([1, 2]))
  })
})
