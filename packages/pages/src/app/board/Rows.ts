/** The rows of the board, with their jobs stacked where they overlap. */
import { computed } from "@preact/signals"
import { byTime, carsOf, driversOf, type Job, spanOf } from "./Jobs.ts"
import { plannedFor } from "./plan.ts"
import { all, cars, drivers, type Grouping, grouping } from "./state.ts"

/** A job in a row: how many jobs lie above it. */
interface Placed {
  readonly job: Job
  readonly level: number
  /** Whether a plan proposes the row for the job, which is elsewhere still. */
  readonly isGhost: boolean
}

/** A row of the board. */
export interface Row {
  readonly key: string
  /** The driver or the car of the row. */
  readonly id: number | undefined
  readonly name: string
  readonly detail: string
  readonly jobs: ReadonlyArray<Placed>
  readonly levels: number
}

/** The height of a bar with the gap below it, and of the space around the bars of a row. */
export const barHeight = 42
const around = 8

export const heightOf = ({ levels }: Row): number => Math.max(1, levels) * barHeight + around

/** Puts each job into the first level where it overlaps no earlier one. A bar is as wide as at least `least` milliseconds. */
const stacked = (jobs: ReadonlyArray<Job>, least: number, ghosts: ReadonlyArray<Job>) => {
  const ends: Array<number> = []
  const proposed = new Set(ghosts)
  const placed = (ghosts.length === 0 ? jobs : [...jobs, ...ghosts].sort(byTime)).map((job) => {
    const [from, to] = spanOf(job)
    const free = ends.findIndex((end) => end <= from)
    const level = free === -1 ? ends.length : free
    ends[level] = Math.max(to, from + least)
    return { job, level, isGhost: proposed.has(job) }
  })
  return { jobs: placed, levels: ends.length }
}

/** A bar is at least as wide as this time, in milliseconds. */
const leastTime = 46 * 60_000

const rowOf = (
  key: string,
  id: number | undefined,
  name: string,
  detail: string,
  jobs: ReadonlyArray<Job>,
  ghosts: ReadonlyArray<Job> = []
): Row => ({ key, id, name, detail, ...stacked(jobs, leastTime, ghosts) })

/** The jobs of each row, by the row's own key. */
const grouped = (keysOf: (job: Job) => ReadonlyArray<number | string>) => {
  const found = new Map<number | string, Array<Job>>()
  for (const job of all.value)
    for (const key of keysOf(job)) {
      const list = found.get(key)
      if (list === undefined) found.set(key, [job])
      else list.push(job)
    }
  return found
}

const keysOf: Readonly<Record<Grouping, (job: Job) => ReadonlyArray<number | string>>> = {
  driver: (job) => driversOf(job).map(({ driver_id }) => driver_id),
  car: carsOf,
  class: (job) => {
    const [first] = driversOf(job)
    const driven = first?.car?.vehicle_class ?? job.vehicle_class
    return driven === null ? [] : [driven]
  }
}

/** The jobs that no row has: above all others. */
export const lane = computed<Row>(() => {
  const keys = keysOf[grouping.value]
  const open = all.value.filter(
    (job) => keys(job).length === 0 && job.status !== "cancelled" && job.status !== "completed"
  )
  return rowOf("lane", undefined, "", "", open)
})

const driverRows = () => {
  const found = grouped(keysOf.driver)
  const names = new Map(cars.value.map(({ car_id, name, plate_number }) => [car_id, plate_number ?? name]))
  const known = drivers.value.filter(({ active, driver_id }) => active || found.has(driver_id))
  const rows = known.map(({ default_car_id, driver_id, name }) =>
    rowOf(
      `driver-${driver_id}`,
      driver_id,
      name,
      default_car_id === null ? "" : (names.get(default_car_id) ?? ""),
      found.get(driver_id) ?? [],
      plannedFor(driver_id)
    )
  )
  return rows.sort((a, b) => a.name.localeCompare(b.name))
}

const carRows = () => {
  const found = grouped(keysOf.car)
  return cars.value
    .filter(({ active, car_id }) => active || found.has(car_id))
    .map(({ car_id, name, plate_number }) =>
      rowOf(`car-${car_id}`, car_id, name, plate_number ?? "", found.get(car_id) ?? [])
    )
    .sort((a, b) => a.name.localeCompare(b.name))
}

const classRows = () =>
  [...grouped(keysOf.class)].map(([key, jobs]) => rowOf(`class-${key}`, undefined, String(key), "", jobs))

/** The rows below the lane. */
export const rows = computed<ReadonlyArray<Row>>(() => {
  if (grouping.value === "driver") return driverRows()
  return grouping.value === "car" ? carRows() : classRows()
})

/** Where each row begins below the lane, and the end of the last one. */
export const tops = computed(() => {
  const found = [0]
  for (const row of rows.value) found.push((found.at(-1) ?? 0) + heightOf(row))
  return found
})
