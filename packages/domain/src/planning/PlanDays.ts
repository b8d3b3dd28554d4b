/** The days of the drivers while a plan is made: their trips by time, and what a change of them costs. */
import type { PlanProblem } from "./PlanProblem.ts"
import { at, type PlanTables } from "./PlanTables.ts"

/** A driver with a home goes there between two trips that are at least so far apart. */
const restMillis = 8 * 3_600_000

const metresPerKilometre = 1000
const millisPerHour = 3_600_000

/** The node that stands for no trip: the start or the end of a day. */
export const none = -1

/** The drivers' days, which the search changes. Numbers of nodes and drivers are those of the tables. */
export const makePlanDays = (tables: PlanTables, problem: PlanProblem) => {
  const { driverCount, fits, homes, isShared, metres, nodes, obstacle, size, unpreferred, usedCar } = tables
  const { weights } = problem
  const starts = Float64Array.from(nodes, (node) => node.starts)
  const ends = Float64Array.from(nodes, (node) => node.ends)
  const hasHome = problem.drivers.map(({ home }) => home !== null)
  const numberOf = new Map(problem.drivers.map(({ driverId }, driver) => [driverId, driver]))
  const presentDriver = Int32Array.from(nodes, ({ job }) =>
    job === null || job.driverId === null ? none : (numberOf.get(job.driverId) ?? none)
  )
  const days = tables.days.map((fixed) => [...fixed])
  const jobsOfCar = tables.carIds.map((): Array<number> => [])
  const driverOf = new Int32Array(size).fill(none)
  const hours = new Float64Array(driverCount)

  const isBefore = (node: number) => at(ends, node) <= problem.from
  const isAfter = (node: number) => at(starts, node) >= problem.before

  /** The empty metres of a driver between two trips, from home to the first and from the last one home. */
  const between = (driver: number, earlier: number, later: number): number => {
    if (later === none)
      return earlier === none || isAfter(earlier) ? 0 : at(homes, 2 * (earlier * driverCount + driver) + 1)
    const fromHome = at(homes, 2 * (later * driverCount + driver))
    if (earlier === none) return isBefore(later) ? 0 : fromHome
    return hasHome[driver] === true && at(starts, later) - at(ends, earlier) >= restMillis
      ? at(homes, 2 * (earlier * driverCount + driver) + 1) + fromHome
      : at(metres, earlier * size + later)
  }

  /** The trips of a driver before and after a node. */
  const neighbours = (driver: number, node: number): readonly [earlier: number, later: number] => {
    let [earlier, later] = [none, none]
    for (const other of days[driver] ?? [])
      if (other < node) earlier = other
      else if (other > node) {
        later = other
        break
      }
    return [earlier, later]
  }

  /** Whether a driver has no obstacle to a job and can do it beside the other trips of the day. */
  const canTake = (driver: number, node: number): boolean => {
    const cell = node * driverCount + driver
    if (at(obstacle, cell) !== 0) return false
    for (const other of days[driver] ?? [])
      if (at(fits, node * size + other) === 0 && other !== node) return false
    const car = at(usedCar, cell)
    if (car >= 0 && isShared[car] === true)
      for (const other of jobsOfCar[car] ?? [])
        if (at(fits, node * size + other) === 0 && other !== node) return false
    return true
  }

  /** The empty metres that a job adds to a driver's day. */
  const addedMetres = (driver: number, node: number): number => {
    const [earlier, later] = neighbours(driver, node)
    return between(driver, earlier, node) + between(driver, node, later) - between(driver, earlier, later)
  }

  const hoursOf = (node: number) => (at(ends, node) - at(starts, node)) / millisPerHour

  /** What a job adds to the cost of the plan if the driver takes it. */
  const addedCost = (driver: number, node: number): number => {
    const [before, length] = [at(hours, driver), hoursOf(node)]
    const present = at(presentDriver, node)
    return (
      (weights.empty_km * addedMetres(driver, node)) / metresPerKilometre +
      weights.balance * length * (2 * before + length) +
      (present !== none && present !== driver ? weights.change : 0) +
      weights.preference * at(unpreferred, node * driverCount + driver)
    )
  }

  const add = (driver: number, node: number): void => {
    const day = days[driver] ?? []
    let place = day.length
    while (place > 0 && (day[place - 1] ?? none) > node) place -= 1
    day.splice(place, 0, node)
    driverOf[node] = driver
    hours[driver] = at(hours, driver) + hoursOf(node)
    const car = at(usedCar, node * driverCount + driver)
    if (car >= 0) jobsOfCar[car]?.push(node)
  }

  const remove = (node: number): void => {
    const driver = at(driverOf, node)
    if (driver === none) return
    const day = days[driver] ?? []
    day.splice(day.indexOf(node), 1)
    driverOf[node] = none
    hours[driver] = at(hours, driver) - hoursOf(node)
    const car = at(usedCar, node * driverCount + driver)
    const jobs = car >= 0 ? jobsOfCar[car] : undefined
    jobs?.splice(jobs.indexOf(node), 1)
  }

  /** The empty metres of all days. */
  const emptyMetres = (): number =>
    days.reduce(
      (sum, day, driver) =>
        sum +
        [...day, none].reduce(
          (metresOfDay, node, index) => metresOfDay + between(driver, day[index - 1] ?? none, node),
          0
        ),
      0
    )

  /** The cost of the whole plan, in kilometres. */
  const cost = (): number =>
    (weights.empty_km * emptyMetres()) / metresPerKilometre +
    tables.jobNodes.reduce((sum, node) => {
      const [driver, present] = [at(driverOf, node), at(presentDriver, node)]
      if (driver === none) return sum + weights.unassigned
      return (
        sum +
        (present !== none && present !== driver ? weights.change : 0) +
        weights.preference * at(unpreferred, node * driverCount + driver)
      )
    }, 0) +
    weights.balance * hours.reduce((sum, worked) => sum + worked * worked, 0)

  /** Gives each job the driver that `drivers` has for its node, and none otherwise. */
  const restore = (drivers: Int32Array): void => {
    for (const node of tables.jobNodes) remove(node)
    for (const node of tables.jobNodes) if (at(drivers, node) !== none) add(at(drivers, node), node)
  }

  return {
    driverOf,
    presentDriver,
    between,
    neighbours,
    canTake,
    addedMetres,
    addedCost,
    add,
    remove,
    emptyMetres,
    cost,
    restore
  }
}

/** The drivers' days. */
export type PlanDays = ReturnType<typeof makePlanDays>
