/** How many jobs of a dispatch board need attention, and how many are in each status. */
import { Schema } from "effect"
import { isOpenTrip, TripStatus } from "../trip/TripStatus.ts"
import type { TripWarning } from "../trip/TripWarning.ts"
import type { BoardJobRecord } from "./BoardJob.ts"

/** The warnings that make a job count as a clash. */
const clashTypes: ReadonlySet<TripWarning["type"]> = new Set([
  "schedule_clash",
  "car_clash",
  "driver_absent",
  "no_time_to_drive"
])

/**
 * The counts of a board. `late` and `unassigned` are jobs with the warnings `late_start` and `unassigned`. `clash` is jobs
 * whose driver or car cannot be there: another trip, an absence, no time to drive. `flight` is open jobs with a flight number.
 */
export const BoardCounts = Schema.Struct({
  trips: Schema.Int,
  late: Schema.Int,
  unassigned: Schema.Int,
  clash: Schema.Int,
  flight: Schema.Int,
  pending: Schema.Int,
  confirmed: Schema.Int,
  in_progress: Schema.Int,
  completed: Schema.Int,
  cancelled: Schema.Int
})
export type BoardCounts = typeof BoardCounts.Type

/** The counts of the jobs of a whole board. */
export const boardCountsOf = (
  jobs: ReadonlyArray<Pick<BoardJobRecord, "status" | "warnings" | "flight_number">>
): BoardCounts => {
  const count = (matches: (job: (typeof jobs)[number]) => boolean) => jobs.filter(matches).length
  const warned = (isCounted: (type: TripWarning["type"]) => boolean) =>
    count(({ warnings }) => warnings.some(({ type }) => isCounted(type)))
  const inStatus = Object.fromEntries(
    TripStatus.literals.map((status) => [status, count((job) => job.status === status)])
  ) as Record<TripStatus, number>
  return {
    trips: jobs.length,
    late: warned((type) => type === "late_start"),
    unassigned: warned((type) => type === "unassigned"),
    clash: warned((type) => clashTypes.has(type)),
    flight: count(({ flight_number, status }) => flight_number !== null && isOpenTrip(status)),
    ...inStatus
  }
}
