/**
 * The search that improves a plan: it takes some jobs that are near to each other from their drivers, gives each to the driver
 * for whom it adds the least cost, and keeps the result if it is better, or at first also if it is a little worse (simulated
 * annealing).
 */
import { none, type PlanDays } from "./PlanDays.ts"
import { insertCheapest } from "./PlanStarts.ts"
import { at, type PlanTables } from "./PlanTables.ts"

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export const randomNumbers = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Worse results are accepted by this many kilometres at first and at last. */
const [firstTemperature, lastTemperature] = [4, 0.05]

/** The jobs near to each job, and how many of them a step takes at most. */
const [nearbyJobs, mostTaken] = [40, 12]

/** At most this many of the jobs without a driver are tried again in a step. */
const mostUnassigned = 10

/** Drivers are overlooked at random this often, so that a step does not always end where it began. */
const skippedShare = 0.03

/** A minute between two pickups counts as this many metres of distance. */
const metresPerMinute = 300

/** The jobs near to each job in place and time, the nearest first, by node. */
const nearbyOf = ({ jobNodes, metres, nodes, size }: PlanTables) => {
  const nearby = nodes.map((): ReadonlyArray<number> => [])
  for (const node of jobNodes) {
    const distance = (other: number) =>
      at(metres, Math.min(node, other) * size + Math.max(node, other)) +
      (Math.abs((nodes[node]?.starts ?? 0) - (nodes[other]?.starts ?? 0)) / 60_000) * metresPerMinute
    nearby[node] = jobNodes
      .map((other) => ({ other, away: distance(other) }))
      .toSorted((one, other) => one.away - other.away)
      .slice(0, nearbyJobs)
      .map(({ other }) => other)
  }
  return nearby
}

const shuffled = (nodes: Array<number>, random: () => number) => {
  for (let index = nodes.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const [one, two] = [nodes[index] ?? none, nodes[other] ?? none]
    nodes[index] = two
    nodes[other] = one
  }
  return nodes
}

/** Improves the days until `progress` returns 1, and leaves the best plan that was found. Returns the steps that it made. */
export const improve = (
  days: PlanDays,
  tables: PlanTables,
  suitable: ReadonlyArray<ReadonlyArray<number>>,
  unassignedCost: number,
  random: () => number,
  progress: (step: number) => number
): number => {
  const { jobNodes } = tables
  if (jobNodes.length === 0 || tables.driverCount === 0) return 0
  const nearby = nearbyOf(tables)
  const { driverOf } = days
  let [current, best] = [days.cost(), days.cost()]
  let bestDrivers = driverOf.slice()
  let step = 0
  for (; ; step++) {
    const share = progress(step)
    if (share >= 1) break
    const temperature = firstTemperature * (lastTemperature / firstTemperature) ** share
    const seedNode = jobNodes[Math.floor(random() * jobNodes.length)] ?? none
    const wanted = 2 + Math.floor(random() * (mostTaken - 1))
    const taken: Array<number> = []
    for (const node of nearby[seedNode] ?? []) {
      if (taken.length >= wanted) break
      if (at(driverOf, node) !== none && (node === seedNode || random() < 0.6)) taken.push(node)
    }
    const previous = taken.map((node) => at(driverOf, node))
    let change = 0
    for (const node of taken) {
      const driver = at(driverOf, node)
      days.remove(node)
      change -= days.addedCost(driver, node) - unassignedCost
    }
    const waiting = jobNodes.filter((node) => at(driverOf, node) === none && !taken.includes(node))
    const tried = shuffled([...taken, ...shuffled(waiting, random).slice(0, mostUnassigned)], random)
    if (random() < 0.3) tried.sort((one, other) => one - other)
    const inserted: Array<number> = []
    for (const node of tried) {
      insertCheapest(days, [node], suitable, () => random() < skippedShare)
      if (at(driverOf, node) === none) continue
      inserted.push(node)
      const driver = at(driverOf, node)
      days.remove(node)
      change += days.addedCost(driver, node) - unassignedCost
      days.add(driver, node)
    }
    if (change <= 0 || random() < Math.exp(-change / temperature)) {
      current += change
      if (current < best - 1e-9) {
        best = current
        bestDrivers = driverOf.slice()
      }
      continue
    }
    for (const node of inserted) days.remove(node)
    for (const [index, node] of taken.entries()) {
      const driver = previous[index] ?? none
      if (driver !== none) days.add(driver, node)
    }
  }
  days.restore(bestDrivers)
  return step
}
