/** Reads the board, and keeps it current by the server's stream of changes. */
import { effect, untracked } from "@preact/signals"
import { failureOf } from "../../api/Failure.ts"
import { allOf, api } from "../Api.ts"
import { boardPage, type BoardTime, keepRolling, readFleet, takeBoard } from "../FirstBoard.ts"
import type { Job } from "./Jobs.ts"
import {
  absences,
  cars,
  day,
  drivers,
  failure,
  isRolling,
  jobs,
  now,
  shown,
  takeAll,
  today
} from "./state.ts"

/** How often the whole board is asked for beside the stream, in milliseconds: it shows that the connection is lost. */
const every = 30_000

/** The board's part in the address of its routes. */
const asked = (): BoardTime =>
  isRolling.value
    ? { from: new Date(shown.value.from).toISOString(), to: new Date(shown.value.to).toISOString() }
    : { date: day.value }

/** Reads the absences in the time that is shown. Without them the board still works, because the server knows them. */
const readAbsences = async () => {
  const { from, to } = shown.value
  const time = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const away = await allOf(api.drivers.allAbsences({ ...time, per_page: 100 })).catch(() => undefined)
  if (away !== undefined && from === shown.value.from) absences.value = away
}

type Change = (before: Map<number, Job>) => void

/** The changes that came while the board was read: they are newer than what was read. */
let meanwhile: Array<Change> | undefined
let turn = 0

const apply = (change: Change) => {
  meanwhile?.push(change)
  const next = new Map(jobs.value)
  change(next)
  jobs.value = next
}

/** The last answer of one page, with its tag: the server does not send the same answer again. */
let last:
  | { readonly time: string; readonly tag: string; readonly records: ReadonlyMap<number, Job> }
  | undefined

const readBoard = async (
  time: BoardTime,
  first: ReturnType<typeof takeBoard>
): Promise<ReadonlyMap<number, Job>> => {
  const key = JSON.stringify(time)
  const known = last?.time === key ? last : undefined
  const headers = known && { "if-none-match": known.tag }
  try {
    const list = api.dispatch.board({ ...time, per_page: boardPage }, { headers })
    const page = await (first?.jobs ?? list.page())
    const records = new Map(page.data.map((job) => [job.trip_id, job]))
    const tag = page.headers.get("etag")
    last = undefined
    if (page.meta.pagination.has_more)
      for (let next = await page.next(); next !== undefined; next = await next.next())
        for (const job of next.data) records.set(job.trip_id, job)
    else if (tag !== null) last = { time: key, tag, records }
    return records
  } catch (error) {
    if (known !== undefined && failureOf(error).status === 304) return known.records
    throw error
  }
}

const readJobsNow = async (first: ReturnType<typeof takeBoard>) => {
  const own = ++turn
  const later: Array<Change> = []
  meanwhile = later
  try {
    const records = await readBoard(asked(), first)
    if (own !== turn) return
    const changed = new Map(records)
    for (const change of later) change(changed)
    // What has not changed is not drawn again.
    takeAll(later.length === 0 ? records : changed)
  } catch (error) {
    if (own === turn) failure.value = failureOf(error)
  }
  if (own === turn) meanwhile = undefined
}

/** The present reading of the jobs. */
let reading = Promise.resolve()

const readJobs = (first?: ReturnType<typeof takeBoard>) => (reading = readJobsNow(first))

const takeFleet = async (fleet: ReturnType<typeof readFleet>) => {
  try {
    const [allDrivers, allCars] = await Promise.all([fleet.drivers, fleet.cars])
    drivers.value = allDrivers
    cars.value = allCars
  } catch (error) {
    failure.value = failureOf(error)
  }
}

/** Reads the board anew. */
export const reload = async (): Promise<void> => {
  await Promise.all([readJobs(), readAbsences()])
}

type Position = Job["drivers"][number]["position"]

const moved =
  (trip: number, driver: number, position: Position): Change =>
  (known) => {
    const job = known.get(trip)
    if (job === undefined) return
    const crew = job.drivers.map((each) => (each.driver_id === driver ? { ...each, position } : each))
    known.set(trip, { ...job, drivers: crew })
  }

/** Takes the changes until the signal ends them. The stream goes on by itself after a lost connection. */
const listen = async (signal: AbortSignal) => {
  try {
    for await (const { data, event } of api.dispatch.follow(asked(), { signal })) {
      // What was read before the stream began may miss a change in between.
      if (event === "gap") void reading.then(() => (signal.aborted ? undefined : readJobs()))
      else if (event === "gone") {
        const { trip_id } = data as { readonly trip_id: number }
        apply((known) => known.delete(trip_id))
      } else if (event === "position") {
        const { driver_id, position, trip_id } = data as {
          readonly trip_id: number
          readonly driver_id: number
          readonly position: Position
        }
        apply(moved(trip_id, driver_id, position))
      } else if (event === "trip" || event === "assignment") {
        const job = data as Job
        apply((known) => known.set(job.trip_id, job))
      }
    }
  } catch (error) {
    if (!signal.aborted) failure.value = failureOf(error)
  }
}

/** Follows the board until the returned function is called. */
export const follow = (): (() => void) => {
  const clock = setInterval(() => {
    now.value = Date.now()
  }, 15_000)
  const again = setInterval(() => {
    if (document.visibilityState === "visible") void reload()
  }, every)
  const readNow = () => void reload()
  for (const name of ["online", "offline"]) addEventListener(name, readNow)
  let first = takeBoard(asked(), today.value)
  void takeFleet(first ?? readFleet())
  let stream = new AbortController()
  const stop = effect(() => {
    asked()
    stream.abort()
    stream = new AbortController()
    const { signal } = stream
    keepRolling(isRolling.value)
    untracked(() => {
      void readJobs(first)
      first = undefined
      void readAbsences()
      void listen(signal)
    })
  })
  return () => {
    turn++
    stop()
    stream.abort()
    clearInterval(clock)
    clearInterval(again)
    for (const name of ["online", "offline"]) removeEventListener(name, readNow)
  }
}
