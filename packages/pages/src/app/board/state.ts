/** The state of the board: its jobs, drivers and cars, and what is shown of them. */
import type { Absence, Car, Driver } from "@livery/client"
import { batch, computed, signal } from "@preact/signals"
import type { Failure } from "../../api/Failure.ts"
import { dateOf, daysAfter, instantOf } from "../Formats.ts"
import { dayInAddress, isRollingInAddress, rollingAt } from "../FirstBoard.ts"
import { layout } from "../Preferences.ts"
import { query } from "../Router.ts"
import { byTime, type Chip, chips, isIn, type Job, matches } from "./Jobs.ts"

export const hour = 3_600_000

/** The jobs by their ids. */
export const jobs = signal<ReadonlyMap<number, Job>>(new Map())
export const drivers = signal<ReadonlyArray<Driver>>([])
export const cars = signal<ReadonlyArray<Car>>([])
/** The absences of drivers in the time that is shown. */
export const absences = signal<ReadonlyArray<Absence>>([])
/** Whether the first answer has come. */
export const isLoaded = signal(false)
/** Why the board could not be read. */
export const failure = signal<Failure | undefined>(undefined)
/** When the board was current last. */
export const readAt = signal(0)
/** The present time; it moves every quarter of a minute. */
export const now = signal(Date.now())
/** The job that the keys work on. */
export const selected = signal<number | undefined>(undefined)
/** The job that waits for the one to swap with. */
export const swapping = signal<number | undefined>(undefined)
/** The question whose jobs are stepped through. */
export const chip = signal<Chip | undefined>(undefined)
export const search = signal("")
/** A new set of drivers of a job, or another car. */
export interface Entry {
  readonly trip_id: number
  readonly driver_ids?: ReadonlyArray<number>
  /** The drivers with the cars that were named for them. */
  readonly assignments?: ReadonlyArray<{ readonly driver_id: number; readonly car_id: number | null }>
  readonly car_id?: number | null
}

/** What the server has against a change. */
export interface Warning {
  readonly type: string
  readonly driver_id?: number
  readonly car_id?: number
  readonly trip_id?: number
  readonly absence_id?: number
}

/** What is open above the board. */
export const dialog = signal<
  | {
      readonly kind: "assign" | "edit" | "cancel" | "reopen" | "swap"
      readonly trip: number
      readonly with?: number
    }
  | { readonly kind: "new" }
  | { readonly kind: "copyDay" }
  | { readonly kind: "driver"; readonly driver: number }
  | {
      readonly kind: "force"
      readonly entries: ReadonlyArray<Entry>
      readonly label: string
      readonly warnings: ReadonlyArray<Warning>
    }
  | undefined
>(undefined)

/** What a row of the board is. */
export type Grouping = "driver" | "car" | "class"

export const groupings: ReadonlyArray<Grouping> = ["driver", "car", "class"]

export const grouping = computed<Grouping>(
  () => groupings.find((known) => known === (query.value.get("rows") ?? layout.value.rows)) ?? "driver"
)

/** Whether the board moves on with the time. */
export const isRolling = computed(() => isRollingInAddress() ?? layout.value.isRolling === true)

/** The present day, and the hour in which it is now: the board changes with them alone. */
export const today = computed(() => dateOf(now.value))
const thisHour = computed(() => Math.floor(now.value / hour) * hour)

/** The day of the board. */
export const day = computed(() => dayInAddress(today.value))

export const isToday = computed(() => day.value === today.value)

/** The time that the board shows: a day, or from two hours ago until tomorrow. */
export const shown = computed<{ readonly from: number; readonly to: number }>(() =>
  isRolling.value
    ? rollingAt(thisHour.value)
    : { from: instantOf(day.value), to: instantOf(daysAfter(day.value, 1)) }
)

/** The jobs in the order of time. */
export const all = computed(() => [...jobs.value.values()].sort(byTime))

/** How many jobs each question has. */
export const counts = computed<Readonly<Record<Chip, number>>>(() => {
  const found = { late: 0, unassigned: 0, clash: 0, flight: 0 }
  for (const job of jobs.value.values()) for (const name of chips) if (isIn[name](job)) found[name]++
  return found
})

/** The jobs through which the keys step: all, or those of the question and the search. */
export const stepped = computed(() => {
  const text = search.value.trim()
  const asked = chip.value
  return all.value.filter(
    (job) => (asked === undefined || isIn[asked](job)) && (text === "" || matches(job, text))
  )
})

/** The ids of these jobs; undefined if they are all. */
export const steppedIds = computed(() =>
  chip.value === undefined && search.value.trim() === ""
    ? undefined
    : new Set(stepped.value.map(({ trip_id }) => trip_id))
)

export const selectedJob = computed(() =>
  selected.value === undefined ? undefined : jobs.value.get(selected.value)
)

/** Takes the board as the server has it. */
export const takeAll = (records: ReadonlyMap<number, Job>): void =>
  batch(() => {
    jobs.value = records
    isLoaded.value = true
    failure.value = undefined
    readAt.value = Date.now()
  })

/** Selects a job, and shows it. */
export const select = (id: number | undefined): void => {
  selected.value = id
}

/** Moves to the job some steps further. Without a selected one, it begins at the first that is not over yet. */
export const step = (by: number): void => {
  const list = stepped.value
  if (list.length === 0) return
  const at = list.findIndex(({ trip_id }) => trip_id === selected.value)
  const upcoming = list.findIndex((job) => Date.parse(job.trip_date) >= now.value)
  const next = at === -1 ? Math.max(0, upcoming) : (at + by + list.length) % list.length
  select(list[next]?.trip_id)
}
