/** Reads the board, and keeps it current. */
import { effect, untracked } from "@preact/signals"
import { failureOf } from "../../api/Failure.ts"
import { allOf, api } from "../Api.ts"
import { cars, day, drivers, failure, isRolling, now, shown, takeAll } from "./state.ts"

/** How often the board is read again, in milliseconds. */
const every = 5000

/** The board's part in the address of its routes. */
const asked = () =>
  isRolling.value
    ? { from: new Date(shown.value.from).toISOString(), to: new Date(shown.value.to).toISOString() }
    : { date: day.value }

let turn = 0

const readJobs = async () => {
  const own = ++turn
  try {
    const records = await allOf(api.dispatch.board({ ...asked(), per_page: 100 }))
    if (own === turn) takeAll(records)
  } catch (error) {
    if (own === turn) failure.value = failureOf(error)
  }
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

/** Follows the board until the returned function is called. */
export const follow = (): (() => void) => {
  const clock = setInterval(() => {
    now.value = Date.now()
  }, 15_000)
  const again = setInterval(() => {
    if (document.visibilityState === "visible") void readJobs()
  }, every)
  void readFleet()
  const stop = effect(() => {
    asked()
    untracked(() => void readJobs())
  })
  return () => {
    turn++
    stop()
    clearInterval(clock)
    clearInterval(again)
  }
}
