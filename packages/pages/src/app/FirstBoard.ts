/** The first reading of the board. It begins with the session, while the code and the words of the board still load. */
import type { Board, Car, Driver, Page } from "@livery/client"
import { allOf, api } from "./Api.ts"
import { query } from "./Router.ts"

/** The time of a board, as its routes take it; without any, it is the present day of the business. */
export interface BoardTime {
  readonly date?: string
  readonly from?: string
  readonly to?: string
}

const hour = 3_600_000

/** How many jobs one answer has at most. */
export const boardPage = 500

/** What a rolling board shows at a time: from two hours ago until tomorrow. */
export const rollingAt = (now: number): { readonly from: number; readonly to: number } => {
  const thisHour = Math.floor(now / hour) * hour
  return { from: thisHour - 2 * hour, to: thisHour + 22 * hour }
}

/** The day that the address names, or the present one. */
export const dayInAddress = (present: string): string => {
  const asked = query.value.get("date") ?? ""
  return /^\d{4}-\d{2}-\d{2}$/u.test(asked) ? asked : present
}

/** Whether the address asks for a board that moves on with the time; undefined if the person's layout decides. */
export const isRollingInAddress = (): boolean | undefined => {
  const asked = query.value.get("window") ?? (query.value.has("date") ? "day" : undefined)
  return asked === undefined ? undefined : asked === "rolling"
}

const rollingMark = "livery.rolling"

/** Whether the board of this browser moved on with the time when it was shown last. */
export const wasRolling = (): boolean => localStorage.getItem(rollingMark) !== null

/** Keeps in this browser whether the board moves on with the time: the account is read too late for the first reading. */
export const keepRolling = (isRolling: boolean): void => {
  if (isRolling) localStorage.setItem(rollingMark, "true")
  else localStorage.removeItem(rollingMark)
}

/** What is read first. */
interface First {
  readonly time: BoardTime
  readonly jobs: Promise<Page<Board>>
  readonly drivers: Promise<ReadonlyArray<Driver>>
  readonly cars: Promise<ReadonlyArray<Car>>
}

/** All drivers, and all cars. */
export const readFleet = (): Pick<First, "drivers" | "cars"> => ({
  drivers: allOf(api.drivers.list({ per_page: 100 })),
  cars: allOf(api.cars.list({ per_page: 100 }))
})

let first: First | undefined

const firstTime = (): BoardTime => {
  if (isRollingInAddress() ?? wasRolling()) {
    const { from, to } = rollingAt(Date.now())
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  }
  const date = dayInAddress("")
  return date === "" ? {} : { date }
}

/** Begins the first reading. */
export const beginBoard = (): void => {
  const time = firstTime()
  const jobs = api.dispatch.board({ ...time, per_page: boardPage }).page()
  first = { time, jobs, ...readFleet() }
  // Who takes a failed reading shows the failure.
  for (const each of [first.jobs, first.drivers, first.cars]) each.catch(() => {})
}

/** The first reading, for the one who takes it first; undefined if it was of another time. `today` is the business's own. */
export const takeBoard = (time: BoardTime, today: string): First | undefined => {
  const taken = first
  first = undefined
  const isSame =
    taken !== undefined &&
    JSON.stringify({ date: today, ...taken.time }) === JSON.stringify({ date: today, ...time })
  return isSame ? taken : undefined
}
