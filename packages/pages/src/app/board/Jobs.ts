/** A job of the board, and what the board says about it. */
import type { Board } from "@livery/client"

export type Job = Board

/** What happens with a job, for the office. */
export type State =
  | "pending"
  | "unassigned"
  | "declined"
  | "assigned"
  | "accepted"
  | "coming"
  | "arrived"
  | "onBoard"
  | "noShow"
  | "completed"
  | "cancelled"

const minute = 60_000

/** A job without a length is taken as an hour long, as the server does. */
const usualMinutes = 60

/** When a job begins and ends, in milliseconds. */
export const spanOf = ({ duration_minutes, trip_date }: Job): readonly [from: number, to: number] => {
  const from = Date.parse(trip_date)
  return [from, from + (duration_minutes ?? usualMinutes) * minute]
}

export type JobDriver = Job["drivers"][number]

/** The assignments of a job that were not cancelled. */
export const driversOf = (job: Job): ReadonlyArray<JobDriver> =>
  job.drivers.filter(({ status }) => status !== "cancelled")

/** Whether a job has ended. */
export const isOver = ({ status }: Job): boolean => status === "completed" || status === "cancelled"

/** The state of a job. */
export const stateOf = (job: Job): State => {
  const { driver_status, status } = job
  if (status === "cancelled" || status === "completed") return status
  if (driver_status === "en_route" || status === "in_progress") {
    const reached = new Set(
      driversOf(job).flatMap(({ milestones }) => milestones.map(({ milestone }) => milestone))
    )
    if (reached.has("no_show")) return "noShow"
    if (reached.has("passenger_on_board")) return "onBoard"
    return reached.has("arrived_at_pickup") ? "arrived" : "coming"
  }
  if (status === "pending") return "pending"
  const crew = driversOf(job)
  if (crew.length === 0) return job.declined.length === 0 ? "unassigned" : "declined"
  return crew.every(({ accepted_at }) => accepted_at !== null) ? "accepted" : "assigned"
}

const clashes = ["schedule_clash", "car_clash", "driver_absent", "no_time_to_drive"]

const warns = (job: Job, types: ReadonlyArray<string>) =>
  job.warnings.some(({ type }) => types.includes(type))

/** The questions of the board, each with a count. */
export type Chip = "late" | "unassigned" | "clash" | "flight"

export const chips: ReadonlyArray<Chip> = ["late", "unassigned", "clash", "flight"]

/** Whether a job is one of those that a chip counts. */
export const isIn: Readonly<Record<Chip, (job: Job) => boolean>> = {
  late: (job) => warns(job, ["late_start"]),
  unassigned: (job) => warns(job, ["unassigned"]),
  clash: (job) => warns(job, clashes),
  flight: (job) => job.flight_number !== null && !isOver(job)
}

/** The cars that drive a job: those of its drivers, or else its own. */
export const carsOf = (job: Job): ReadonlyArray<number> => {
  const cars = driversOf(job).flatMap(({ car, car_id }) => car?.car_id ?? car_id ?? [])
  return cars.length === 0 && job.car_id !== null ? [job.car_id] : [...new Set(cars)]
}

/** The plate of the first car of a job. */
export const plateOf = (job: Job): string | null =>
  driversOf(job).find(({ car }) => car !== null)?.car?.plate_number ?? null

/** Whether a job has all the words. */
export const matches = (job: Job, text: string): boolean => {
  const words = text.toLocaleLowerCase().split(/\s+/u)
  const { customer_name, dropoff_address, flight_number, group_id, pickup_address, reference } = job
  const all = [customer_name, dropoff_address, flight_number, group_id, pickup_address, reference]
    .concat(driversOf(job).flatMap(({ car, name }) => [name, car?.plate_number ?? null]))
    .join(" ")
    .toLocaleLowerCase()
  return words.every((word) => all.includes(word))
}

/** Jobs by their beginning. */
export const byTime = (a: Job, b: Job): number => spanOf(a)[0] - spanOf(b)[0] || a.trip_id - b.trip_id
