/** The tables of a plan that its search looks up: which trips one driver can do, the drives between them, and which drivers suit. */
import { defaultRoutingSettings, greatCircleRoute } from "../routing/Route.ts"
import type { Point } from "../routing/Geometry.ts"
import { isOtherClass, lackSeats } from "../trips/schedule/TripFit.ts"
import type { PlanBusy, PlanJob, PlanProblem, PlanWindow } from "./PlanProblem.ts"

/** The number in a table at an index that exists. */
export const at = (table: Float64Array | Int32Array | Uint8Array, index: number): number =>
  table[index] as number

const millisPerMinute = 60_000

/** The drive between two places; nothing if one is unknown, as on the board. */
const drive = (from: Point | null, to: Point | null) =>
  from === null || to === null
    ? { distance_m: 0, duration_minutes: 0 }
    : greatCircleRoute([from, to], defaultRoutingSettings)

/** Whether one driver or car can do both trips: the rule of the clash check (`schedule/TripFit.ts`), on plain numbers. */
const fitsAfter = (earlier: PlanWindow, later: PlanWindow, turnaroundMinutes: number, driveMinutes: number) =>
  later.starts >= earlier.ends + (turnaroundMinutes + driveMinutes) * millisPerMinute

/**
 * A trip of the plan. Numbers of nodes follow the time at which the trips start. A node without a job is a trip that the plan
 * does not change.
 */
export interface PlanNode extends PlanWindow {
  readonly tripId: PlanBusy["tripId"]
  readonly job: PlanJob | null
}

/** The codes of {@link PlanTables.obstacle}: 0 without one, or the position in `obstacles`, from 1. */
const [otherClass, tooFewSeats, licenseExpires, isAbsent, isBusy, isRefused] = [1, 2, 3, 4, 5, 6]
export const busyCode = isBusy

const overlap = (one: PlanWindow, other: PlanWindow) => one.starts < other.ends && other.starts < one.ends

/** The trips that keep their drivers and cars, each once, apart from the jobs. */
const fixedTrips = ({ busy, jobs }: PlanProblem) => {
  const planned = new Set(jobs.map(({ tripId }) => tripId))
  const kept = busy.filter(({ tripId }) => tripId === null || !planned.has(tripId))
  const trips = new Map(
    kept.flatMap((entry) => (entry.tripId === null ? [] : [[entry.tripId, entry] as const]))
  )
  return { kept, trips: [...trips.values()] }
}

const noDriver = { carId: null, driverId: null, licenseExpiresOn: null }

/** The tables of a problem. A two-dimensional table has a row for each node. */
export const planTables = (problem: PlanProblem) => {
  const { drivers, jobs, turnaroundMinutes } = problem
  const { kept, trips } = fixedTrips(problem)
  const nodes: ReadonlyArray<PlanNode> = [
    ...jobs.map((job) => ({ ...job, job })),
    ...trips.map((trip) => ({ ...trip, job: null }))
  ].toSorted((one, other) => one.starts - other.starts || Number(one.tripId) - Number(other.tripId))
  const size = nodes.length
  const nodeOfTrip = new Map(nodes.map(({ tripId }, node) => [tripId, node]))
  const carIds = problem.cars.map(({ carId }) => carId)
  const carOf = new Map(carIds.map((carId, index) => [carId, index]))
  const carNumber = (carId: PlanJob["carId"]) => (carId === null ? -1 : (carOf.get(carId) ?? -1))

  const fits = new Uint8Array(size * size)
  const metres = new Float64Array(size * size)
  for (const [node, earlier] of nodes.entries())
    for (let next = node + 1; next < size; next++) {
      const later = nodes[next] ?? earlier
      const { distance_m, duration_minutes } = drive(earlier.dropoff, later.pickup)
      metres[node * size + next] = distance_m
      const isFit = fitsAfter(earlier, later, turnaroundMinutes, duration_minutes) ? 1 : 0
      fits[node * size + next] = isFit
      fits[next * size + node] = isFit
    }

  const homes = new Float64Array(size * drivers.length * 2)
  const usedCar = new Int32Array(size * drivers.length).fill(-1)
  const obstacle = new Uint8Array(size * drivers.length)
  const unpreferred = new Uint8Array(size * drivers.length)
  const nodesOf = (entries: ReadonlyArray<PlanBusy>) => [
    ...new Set(entries.flatMap(({ tripId }) => nodeOfTrip.get(tripId) ?? []))
  ]
  const byDriver = Map.groupBy(kept, ({ driverId }) => driverId)
  const byCar = Map.groupBy(kept, ({ carId }) => carId)
  const fixedOfDriver = drivers.map(({ driverId }) => nodesOf(byDriver.get(driverId) ?? []))
  const fixedOfCar = carIds.map((carId) => nodesOf(byCar.get(carId) ?? []))
  const absences = drivers.map(({ driverId }) =>
    (byDriver.get(driverId) ?? []).filter(({ absenceId }) => absenceId !== null)
  )

  const obstacleOf = (node: number, job: PlanJob, driver: number) => {
    const { carId, driverId, licenseExpiresOn } = drivers[driver] ?? noDriver
    if (driverId !== null && job.refusedDrivers.includes(driverId)) return isRefused
    const car = problem.cars[carNumber(job.carId ?? carId)]
    if (car !== undefined && isOtherClass(job.vehicleClass, car.vehicleClass)) return otherClass
    if (car !== undefined && lackSeats([car], { participants_count: job.passengers })) return tooFewSeats
    if (licenseExpiresOn !== null && licenseExpiresOn < job.lastDay) return licenseExpires
    if (absences[driver]?.some((absence) => overlap(absence, job)) === true) return isAbsent
    const taken = [...(fixedOfDriver[driver] ?? []), ...(fixedOfCar[carNumber(job.carId ?? carId)] ?? [])]
    return taken.some((other) => fits[node * size + other] === 0) ? isBusy : 0
  }
  for (const [node, window] of nodes.entries())
    for (const [driver, { carId, driverId, home }] of drivers.entries()) {
      const cell = node * drivers.length + driver
      homes[2 * cell] = drive(home, window.pickup).distance_m
      homes[2 * cell + 1] = drive(window.dropoff, home).distance_m
      if (window.job === null) continue
      usedCar[cell] = carNumber(window.job.carId ?? carId)
      const { preferredDrivers } = window.job
      if (preferredDrivers.length > 0 && !preferredDrivers.includes(driverId)) unpreferred[cell] = 1
      obstacle[cell] = obstacleOf(node, window.job, driver)
    }

  /** The fixed trips in a driver's day: those in the time of the plan, the last before it and the first after it. */
  const dayOf = (fixed: ReadonlyArray<number>) => {
    const isBefore = (node: number) => (nodes[node]?.ends ?? 0) <= problem.from
    const isAfter = (node: number) => (nodes[node]?.starts ?? 0) >= problem.before
    const sorted = fixed.toSorted((one, other) => one - other)
    const last = sorted.findLast(isBefore)
    const first = sorted.find(isAfter)
    return sorted.filter((node) => node === last || node === first || (!isBefore(node) && !isAfter(node)))
  }

  // A car is looked up in the search only if two drivers may use it.
  const users = carIds.map(() => new Set<number>())
  for (const [node] of nodes.entries())
    for (const [driver] of drivers.entries()) {
      const cell = node * drivers.length + driver
      if (at(usedCar, cell) >= 0 && at(obstacle, cell) === 0) users[at(usedCar, cell)]?.add(driver)
    }

  return {
    nodes,
    size,
    driverCount: drivers.length,
    jobNodes: nodes.flatMap(({ job }, node) => (job === null ? [] : [node])),
    /** Whether one driver or car can do both trips. */
    fits,
    /** The empty metres from the end of a trip to the pickup of a later one. */
    metres,
    /** By node and driver: the metres from home to the pickup, and from the drop-off home. */
    homes,
    /** By node and driver: the number of the car that the driver uses for the job; -1 without one. */
    usedCar,
    /** By node and driver: why the driver cannot take the job, whatever other jobs the driver has; 0 if nothing does. */
    obstacle,
    /** By node and driver: 1 if the customer prefers other drivers. */
    unpreferred,
    isShared: users.map((set) => set.size > 1),
    days: fixedOfDriver.map(dayOf),
    carIds
  }
}

/** The tables of a problem. */
export type PlanTables = ReturnType<typeof planTables>
