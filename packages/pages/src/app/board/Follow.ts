/** Reads the board, and keeps it current by the server's stream of changes. */
import { effect, untracked } from "@preact/signals"
import { failureOf } from "../../api/Failure.ts"
import { allOf, api } from "../Api.ts"
import type { Job } from "./Jobs.ts"
import { absences, cars, day, drivers, failure, isRolling, jobs, now, shown, takeAll } from "./state.ts"

/** How often the whole board is read beside the stream, in milliseconds: it shows that the connection is lost. */
const every = 30_000

/** The board's part in the address of its routes. */
const asked = () =>
  isRolling.value
    ? { from: new Date(shown.value.from).toISOString(), to: new Date(shown.value.to).toISOString() }
    : { date: day.value }

/** The absences in the time that is shown. Without them the board still works, because the server knows them. */
const readAbsences = async () => {
  const { from, to } = shown.value
  const time = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  return allOf(api.drivers.allAbsences({ ...time, per_page: 100 })).catch(() => absences.value)
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

const readJobs = async () => {
  const own = ++turn
  const later: Array<Change> = []
  meanwhile = later
  try {
    const [records, away] = await Promise.all([
      allOf(api.dispatch.board({ ...asked(), per_page: 500 })),
      readAbsences()
    ])
    if (own !== turn) return
    absences.value = away
    const next = new Map(records.map((job) => [job.trip_id, job]))
    for (const change of later) change(next)
    takeAll(next)
  } catch (error) {
    if (own === turn) failure.value = failureOf(error)
  }
  if (own === turn) meanwhile = undefined
}

const readFleet = async () => {
  try {
    const [allDrivers, allCars] = await Promise.all([
      allOf(api.drivers.list({ per_page: 100 })),
      allOf(api.cars.list({ per_page: 100 }))
    ])
    drivers.value = allDrivers
    cars.value = allCars
  } catch (error) {
    failure.value = failureOf(error)
  }
}

/** Reads the board anew. */
export const reload = (): Promise<void> => readJobs()

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
      if (event === "gap") void readJobs()
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
    if (document.visibilityState === "visible") void readJobs()
  }, every)
  const readNow = () => void readJobs()
  for (const name of ["online", "offline"]) addEventListener(name, readNow)
  void readFleet()
  let stream = new AbortController()
  const stop = effect(() => {
    asked()
    stream.abort()
    stream = new AbortController()
    const { signal } = stream
    untracked(() => {
      void readJobs()
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
