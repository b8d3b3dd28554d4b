/** What the office does with jobs: each is a real request, and most can be undone by another one. */
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { localOf } from "../Formats.ts"
import { changed, changing } from "../Undo.ts"
import { reload } from "./Follow.ts"
import { driversOf, type Job } from "./Jobs.ts"
import { type Entry, jobs, swapping } from "./state.ts"
import { warningsText } from "./Warnings.ts"
import type { BoardWords } from "./words/en.ts"

/** The drivers of a job as a request gives them, each with the car that was named for that driver. */
export const crewOf = (job: Job): NonNullable<Entry["assignments"]> =>
  driversOf(job).map(({ car_id, driver_id }) => ({ driver_id, car_id }))

/** Sends new sets of drivers, all or none, and reads the board. */
export const sendCrews = async (entries: ReadonlyArray<Entry>, force: boolean) => {
  const answers = await api.dispatch.assign(entries.map((entry) => ({ ...entry, ...(force && { force }) })))
  await reload()
  return answers
}

const present = (id: number) => jobs.value.get(id)

/** The sets of drivers as they are, with which a change is undone. */
const before = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.flatMap(({ car_id, trip_id }) => {
    const job = present(trip_id)
    if (job === undefined) return []
    return [{ trip_id, assignments: crewOf(job), ...(car_id !== undefined && { car_id: job.car_id }) }]
  })

/** Assigns. A refusal is thrown, so that the place that asked can show it. */
export const assign = (
  entries: ReadonlyArray<Entry>,
  label: string,
  words: BoardWords,
  force = false
): Promise<void> =>
  changing(async () => {
    const earlier = before(entries)
    const answers = await sendCrews(entries, force)
    const warned = warningsText(
      answers.flatMap(({ warnings }) => warnings),
      words
    )
    changed(warned === "" ? label : `${label}. ${warned}`, words, (force) => sendCrews(earlier, force))
  })

/** Exchanges the drivers of two jobs. */
export const swapEntries = (one: Job, other: Job): ReadonlyArray<Entry> => [
  { trip_id: one.trip_id, driver_ids: driversOf(other).map(({ driver_id }) => driver_id) },
  { trip_id: other.trip_id, driver_ids: driversOf(one).map(({ driver_id }) => driver_id) }
]

/** Does something, and says why if it fails. */
export const attempt = async (work: () => Promise<unknown>, words: BoardWords): Promise<void> => {
  try {
    await changing(work)
  } catch (error) {
    toast(failureText(failureOf(error), words))
    await reload()
  }
}

export const unassign = (job: Job, words: BoardWords): Promise<void> =>
  attempt(
    () =>
      assign(
        [{ trip_id: job.trip_id, driver_ids: [] }],
        fill(words.unassignedNow, { trip: job.reference }),
        words
      ),
    words
  )

type Changes = Omit<Parameters<typeof api.trips.update>[0], "id">

/** Changes the fields of a job. */
export const update = async (
  job: Job,
  changes: Changes,
  label: string,
  words: BoardWords,
  earlier?: Changes
): Promise<void> => {
  await api.trips.update({ id: job.trip_id, ...changes })
  changed(
    label,
    words,
    earlier &&
      (async (force) => {
        await api.trips.update({ id: job.trip_id, ...earlier, ...(force && { force }) })
        await reload()
      })
  )
  await reload()
}

/** Moves a job to another time. */
export const moveBy = (job: Job, minutes: number, words: BoardWords): Promise<void> => {
  const at = new Date(Date.parse(job.trip_date) + minutes * 60_000).toISOString()
  const label = fill(words.movedTo, { trip: job.reference, time: localOf(at).slice(11) })
  return attempt(() => update(job, { trip_date: at }, label, words, { trip_date: job.trip_date }), words)
}

type Report = Omit<Parameters<typeof api.trips.reportDriverStatus>[0], "id">

/** Reports for the driver of a job; for each, if it has several. */
export const report = (
  job: Job,
  sent: Report,
  label: string,
  words: BoardWords,
  undo?: Report
): Promise<void> => {
  const send = async (body: Report) => {
    for (const { driver_id } of driversOf(job))
      await api.trips.reportDriverStatus({ id: job.trip_id, driver_id, ...body })
    await reload()
  }
  return attempt(async () => {
    await send(sent)
    changed(`${job.reference}: ${label}`, words, undo && (() => send(undo)))
  }, words)
}

/** Begins a swap, or asks about it at the second job. */
export const beginSwap = (job: Job): number | undefined => {
  const first = swapping.value
  if (first === undefined || first === job.trip_id) {
    swapping.value = first === undefined ? job.trip_id : undefined
    return undefined
  }
  swapping.value = undefined
  return first
}
