/** Solves a plan of assignments. */
import type { DriverId } from "../kernel/Ids.ts"
import { makePlanDays, none, type PlanDays } from "./PlanDays.ts"
import { improve, randomNumbers } from "./PlanSearch.ts"
import {
  obstacles,
  type Obstacle,
  type PlanCandidate,
  type PlanCost,
  type PlannedJob,
  type PlanProblem,
  type PlanSolution,
  type UnplannedJob
} from "./PlanProblem.ts"
import { suitableDrivers, takeCheapestChains, takeNearestFree } from "./PlanStarts.ts"
import { at, busyCode, type PlanNode, type PlanTables, planTables } from "./PlanTables.ts"

/** A job names at most this many other drivers. */
const maxCandidates = 3

const millisPerMinute = 60_000

const costOf = (days: PlanDays, { jobNodes }: PlanTables): PlanCost => {
  const assigned = jobNodes.filter((node) => at(days.driverOf, node) !== none).length
  return { assigned, unassigned: jobNodes.length - assigned, emptyMetres: Math.round(days.emptyMetres()) }
}

const candidateOf = (
  days: PlanDays,
  { carIds, driverCount, usedCar }: PlanTables,
  { drivers }: PlanProblem,
  node: number,
  driver: number
): PlanCandidate => ({
  // The number of a driver is a position in this list.
  driverId: drivers[driver]?.driverId as DriverId,
  carId: carIds[at(usedCar, node * driverCount + driver)] ?? null,
  addedMetres: Math.round(days.addedMetres(driver, node))
})

const plannedJob = (
  days: PlanDays,
  tables: PlanTables,
  problem: PlanProblem,
  suitable: ReadonlyArray<ReadonlyArray<number>>,
  { job, starts, tripId }: PlanNode,
  node: number
): PlannedJob => {
  const driver = at(days.driverOf, node)
  const [earlier] = days.neighbours(driver, node)
  const before = tables.nodes[earlier]
  const emptyMetres = Math.round(days.between(driver, earlier, node))
  const isFromHome =
    (problem.drivers[driver]?.home ?? null) !== null &&
    (before === undefined || emptyMetres !== Math.round(at(tables.metres, earlier * tables.size + node)))
  days.remove(node)
  const own = candidateOf(days, tables, problem, node, driver)
  const candidates = (suitable[node] ?? [])
    .filter((other) => other !== driver && days.canTake(other, node))
    .map((other) => candidateOf(days, tables, problem, node, other))
    .toSorted((one, other) => one.addedMetres - other.addedMetres || one.driverId - other.driverId)
    .slice(0, maxCandidates)
  days.add(driver, node)
  return {
    ...own,
    // A node of a job is a trip.
    tripId: tripId as PlannedJob["tripId"],
    isPreferred: job?.preferredDrivers.includes(own.driverId) === true,
    after: isFromHome ? null : (before?.tripId ?? null),
    isFromHome,
    emptyMetres,
    waitingMinutes: before === undefined ? null : Math.round((starts - before.ends) / millisPerMinute),
    candidates
  }
}

const unplannedJob = (
  { driverCount, obstacle }: PlanTables,
  { tripId }: PlanNode,
  node: number
): UnplannedJob => {
  const counts = Object.fromEntries(obstacles.map((name) => [name, 0])) as Record<Obstacle, number>
  for (let driver = 0; driver < driverCount; driver++) {
    // A driver without an obstacle of its own is taken by other jobs of the plan.
    const code = at(obstacle, node * driverCount + driver) || busyCode
    const name = obstacles[code - 1]
    if (name !== undefined) counts[name] += 1
  }
  return { tripId: tripId as UnplannedJob["tripId"], obstacles: counts }
}

/**
 * A plan that gives the jobs to drivers at little cost (`PlanWeights`), and never gives a driver or a car two trips that clash
 * or leave too little time for the drive between them. It starts from the cheapest chains of jobs and from the nearest free
 * drivers, improves the better one, and so never costs more than the nearest free drivers. `elapsedMillis` returns the time
 * since the start.
 */
export const solvePlan = (problem: PlanProblem, elapsedMillis: () => number): PlanSolution => {
  const { budgetMillis, seed, steps, weights } = problem
  const tables = planTables(problem)
  const suitable = suitableDrivers(tables)

  const days = makePlanDays(tables, problem)
  days.restore(days.presentDriver)
  const before = costOf(days, tables)
  days.restore(new Int32Array(tables.size).fill(none))
  takeNearestFree(days, tables)
  const [nearestFree, nearestCost, nearestDrivers] = [
    costOf(days, tables),
    days.cost(),
    days.driverOf.slice()
  ]
  days.restore(new Int32Array(tables.size).fill(none))
  takeCheapestChains(days, tables, problem, suitable, () => elapsedMillis() > budgetMillis / 2)
  if (nearestCost < days.cost()) days.restore(nearestDrivers)

  // The clock is read once in some steps, because it costs as much as a part of one.
  let clock = 0
  const progress = (step: number) => {
    if (step % 16 === 0) clock = elapsedMillis() / budgetMillis
    return Math.max(step / steps, clock)
  }
  const made = improve(days, tables, suitable, weights.unassigned, randomNumbers(seed), progress)

  const planned: Array<PlannedJob> = []
  const unplanned: Array<UnplannedJob> = []
  const after = costOf(days, tables)
  for (const [node, entry] of tables.nodes.entries()) {
    if (entry.job === null) continue
    if (at(days.driverOf, node) === none) unplanned.push(unplannedJob(tables, entry, node))
    else planned.push(plannedJob(days, tables, problem, suitable, entry, node))
  }
  return { planned, unplanned, before, nearestFree, after, steps: made }
}
