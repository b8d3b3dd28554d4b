/** A job as its driver sees it, and what comes next. */

type JobStatus = "assigned" | "en_route" | "completed" | "cancelled"
type MilestoneKind = "arrived_at_pickup" | "passenger_on_board" | "arrived_at_stop" | "no_show"

interface Milestone {
  readonly milestone: MilestoneKind
  readonly at: string
  readonly stop_index: number | null
}

interface Place {
  readonly address: string
  readonly lat: number | null
  readonly lng: number | null
}

/** The record of `GET /driver/trip`. */
export interface Job {
  readonly trip_id: number
  readonly trip_date: string
  readonly pickup_timezone: string
  readonly pickup_address: string
  readonly pickup_lat: number | null
  readonly pickup_lng: number | null
  readonly dropoff_address: string
  readonly dropoff_lat: number | null
  readonly dropoff_lng: number | null
  readonly customer_name: string
  readonly customer_phone: string | null
  readonly passengers: ReadonlyArray<{ readonly name: string; readonly phone: string | null }>
  /** Who takes part in a tour. A job that was kept by an earlier version of the page has none. */
  readonly participants?: ReadonlyArray<{
    readonly name: string
    readonly phone: string | null
    readonly count: number
    readonly pickup_address: string | null
  }>
  readonly participants_count: number | null
  readonly luggage_count: number | null
  readonly child_seats: ReadonlyArray<{ readonly type: string; readonly count: number }>
  readonly flight_number: string | null
  readonly terminal: string | null
  readonly notes: string | null
  readonly special_requirements: string | null
  readonly pickup_sign: string | null
  readonly stops: ReadonlyArray<Place & { readonly contact: string | null }>
  readonly status: JobStatus
  readonly accepted_at: string | null
  readonly declined_at: string | null
  readonly trip_status: "pending" | "confirmed" | "in_progress" | "completed" | "cancelled"
  readonly allowed_transitions: ReadonlyArray<JobStatus>
  readonly milestones: ReadonlyArray<Milestone>
  readonly pickup_pin_required: boolean
  readonly car: {
    readonly name: string
    readonly plate_number: string | null
    readonly make: string | null
    readonly model: string | null
    readonly color: string | null
  } | null
}

/** A report of a driver: an answer, a status, or a milestone with the time and the place at which it was reached. */
export interface Report {
  readonly status?: JobStatus
  readonly accepted?: true
  /** The pickup that the driver saw. */
  readonly trip_date?: string
  readonly pickup_address?: string
  readonly reason?: string
  readonly force?: true
  readonly milestone?: MilestoneKind
  readonly stop_index?: number
  readonly pickup_pin?: string
  readonly at?: string
  readonly lat?: number
  readonly lng?: number
}

const reached = ({ milestones }: Job, kind: MilestoneKind, stop?: number) =>
  milestones.find(
    ({ milestone, stop_index }) => milestone === kind && (stop === undefined || stop_index === stop)
  )

/** The job once a report has arrived. */
const after = (job: Job, { accepted, at = "", milestone, status = job.status, stop_index }: Report): Job => ({
  ...job,
  status,
  accepted_at: accepted ? at : job.accepted_at,
  declined_at: status === "cancelled" ? at : job.declined_at,
  milestones:
    milestone === undefined
      ? job.milestones
      : [...job.milestones, { milestone, at, stop_index: stop_index ?? null }]
})

/** The job as it will be once the waiting reports have arrived. */
export const withReports = (job: Job, reports: ReadonlyArray<Report>): Job => reports.reduce(after, job)

/** Where a job is. */
export type Phase =
  | "unconfirmed"
  | "ready"
  | "coming"
  | "waiting"
  | "onBoard"
  | "noShow"
  | "done"
  | "declined"
  | "cancelled"

/** The phase of a job. */
export const phaseOf = (job: Job): Phase => {
  if (typeof job.declined_at === "string") return "declined"
  if (job.status === "cancelled" || job.trip_status === "cancelled") return "cancelled"
  if (job.status === "completed" || job.trip_status === "completed") return "done"
  if (job.status === "assigned") return job.allowed_transitions.includes("en_route") ? "ready" : "unconfirmed"
  if (reached(job, "no_show") !== undefined) return "noShow"
  if (reached(job, "passenger_on_board") !== undefined) return "onBoard"
  return reached(job, "arrived_at_pickup") === undefined ? "coming" : "waiting"
}

/** Whether nothing is left to do for the driver. */
export const hasEnded = (job: Job): boolean => ["done", "declined", "cancelled"].includes(phaseOf(job))

/** The stop to go to next, as its position in `stops`; undefined after the last one. */
export const nextStop = (job: Job): number | undefined => {
  const at = job.stops.findIndex((_, index) => reached(job, "arrived_at_stop", index) === undefined)
  return at === -1 ? undefined : at
}

/** The one report that comes next; undefined if there is none. */
export const nextReport = (job: Job): Report | undefined => {
  const stop = nextStop(job)
  switch (phaseOf(job)) {
    case "ready":
      return { status: "en_route" }
    case "coming":
      return { milestone: "arrived_at_pickup" }
    case "waiting":
      return { milestone: "passenger_on_board" }
    case "onBoard":
      return stop === undefined ? { status: "completed" } : { milestone: "arrived_at_stop", stop_index: stop }
    case "noShow":
      return { status: "completed" }
    default:
      return undefined
  }
}

/** The place to drive to; undefined if the job has ended. */
export const target = (job: Job): Place | undefined => {
  const phase = phaseOf(job)
  if (hasEnded(job) || phase === "noShow") return undefined
  if (phase !== "onBoard") return { address: job.pickup_address, lat: job.pickup_lat, lng: job.pickup_lng }
  const stop = job.stops[nextStop(job) ?? -1]
  return stop ?? { address: job.dropoff_address, lat: job.dropoff_lat, lng: job.dropoff_lng }
}

/** How long a driver waits at least before a passenger counts as absent, in milliseconds. */
const patience = 15 * 60_000

/** When the driver may report that the passenger did not come: a while after the pickup time and the arrival. */
export const noShowFrom = (job: Job): number | undefined => {
  const arrival = reached(job, "arrived_at_pickup")
  if (arrival === undefined || phaseOf(job) !== "waiting") return undefined
  return Math.max(Date.parse(arrival.at), Date.parse(job.trip_date)) + patience
}

/** The address of a call. */
export const tel = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/gu, "")}`
