/** The plans that the search starts from, and is compared with. */
import { minimumCost } from "./MinimumCost.ts"
import { none, type PlanDays } from "./PlanDays.ts"
import type { PlanProblem } from "./PlanProblem.ts"
import { at, type PlanTables } from "./PlanTables.ts"

/** Larger problems start without the exact solution, which would take the time of the search: 1.5 seconds for 850. */
const maxExactSize = 500

/**
 * Gives each job in turn, the earliest first, to the nearest driver who is free for it: the one with the shortest drive from
 * the end of the job before or from home. It is what a dispatcher does without a plan.
 */
export const takeNearestFree = (days: PlanDays, { driverCount, jobNodes }: PlanTables): void => {
  for (const node of jobNodes) {
    let [nearest, shortest] = [none, Infinity]
    for (let driver = 0; driver < driverCount; driver++) {
      if (!days.canTake(driver, node)) continue
      const metres = days.between(driver, days.neighbours(driver, node)[0], node)
      if (metres < shortest) [nearest, shortest] = [driver, metres]
    }
    if (nearest !== none) days.add(nearest, node)
  }
}

/** Gives each of the jobs in turn to the driver for whom it adds the least cost, if one can take it. */
export const insertCheapest = (
  days: PlanDays,
  nodes: ReadonlyArray<number>,
  suitable: ReadonlyArray<ReadonlyArray<number>>,
  isSkipped: () => boolean = () => false
): void => {
  for (const node of nodes) {
    let [cheapest, least] = [none, Infinity]
    for (const driver of suitable[node] ?? []) {
      if (isSkipped() || !days.canTake(driver, node)) continue
      const cost = days.addedCost(driver, node)
      if (cost < least) [cheapest, least] = [driver, cost]
    }
    if (cheapest !== none) days.add(cheapest, node)
  }
}

/** The drivers without an obstacle to each job, by node. */
export const suitableDrivers = ({ driverCount, jobNodes, nodes, obstacle }: PlanTables) => {
  const suitable = nodes.map((): Array<number> => [])
  for (const node of jobNodes)
    for (let driver = 0; driver < driverCount; driver++)
      if (at(obstacle, node * driverCount + driver) === 0) suitable[node]?.push(driver)
  return suitable
}

/** Far more than any plan costs. The solution has no such pair: every driver can end the day, and every job can follow itself. */
const impossible = 1e9

/**
 * The cheapest chains of jobs. Each job and each driver's start has one successor: a job or the end of a day, at the least cost
 * in sum (`minimumCost`). A job that follows itself stays without a driver. Chains disregard obstacles between the start and
 * the end; `insertCheapest` places the jobs that do not suit the driver of their chain. Null if the problem is too large or
 * the time is over.
 */
const cheapestChains = (
  days: PlanDays,
  tables: PlanTables,
  { weights }: PlanProblem,
  suitable: ReadonlyArray<ReadonlyArray<number>>,
  isOver: () => boolean
): ReadonlyArray<ReadonlyArray<number>> | null => {
  const { driverCount, fits, jobNodes, metres, obstacle } = tables
  const count = jobNodes.length
  const size = driverCount + count
  if (size > maxExactSize) return null
  const perMetre = weights.empty_km / 1000
  // Rows: the starts of drivers, then jobs. Columns: jobs, then the ends of drivers' days.
  const costs = new Float64Array(size * size).fill(impossible)
  const sets = suitable.map((drivers) => new Set(drivers))
  for (let driver = 0; driver < driverCount; driver++) {
    for (const [column, node] of jobNodes.entries())
      if (at(obstacle, node * driverCount + driver) === 0)
        costs[driver * size + column] = days.between(driver, none, node) * perMetre
    costs.fill(0, driver * size + count, driver * size + size)
  }
  for (const [index, node] of jobNodes.entries()) {
    const row = (driverCount + index) * size
    for (let column = index + 1; column < count; column++) {
      const next = jobNodes[column] ?? node
      if (at(fits, node * tables.size + next) === 0) continue
      if (!(suitable[node] ?? []).some((driver) => sets[next]?.has(driver) === true)) continue
      costs[row + column] = at(metres, node * tables.size + next) * perMetre
    }
    costs[row + index] = weights.unassigned
    for (let driver = 0; driver < driverCount; driver++)
      costs[row + count + driver] = days.between(driver, node, none) * perMetre
  }
  const successors = minimumCost(costs, size, isOver)
  if (successors === null) return null
  return Array.from({ length: driverCount }, (_, driver) => {
    const chain: Array<number> = []
    let next = at(successors, driver)
    while (next < count) {
      const node = jobNodes[next] ?? none
      chain.push(node)
      next = at(successors, driverCount + next)
    }
    return chain
  })
}

/** Gives the drivers the jobs of the cheapest chains, and then each other job to the driver for whom it adds the least cost. */
export const takeCheapestChains = (
  days: PlanDays,
  tables: PlanTables,
  problem: PlanProblem,
  suitable: ReadonlyArray<ReadonlyArray<number>>,
  isOver: () => boolean
): void => {
  const chains = cheapestChains(days, tables, problem, suitable, isOver) ?? []
  for (const [driver, chain] of chains.entries())
    for (const node of chain) if (days.canTake(driver, node)) days.add(driver, node)
  const others = tables.jobNodes.filter((node) => at(days.driverOf, node) === none)
  insertCheapest(days, others, suitable)
}
