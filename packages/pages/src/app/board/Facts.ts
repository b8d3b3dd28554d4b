/** What the board itself shows about a driver for a job: nearby jobs, the class and the seats of the car. The server judges. */
import type { Absence, Driver } from "@livery/client"
import { driversOf, isOver, type Job, spanOf } from "./Jobs.ts"
import { absencesOf } from "./Absences.ts"
import { all, cars } from "./state.ts"

export interface Candidate {
  readonly driver: Driver
  /** The jobs at the same time. */
  readonly during: ReadonlyArray<Job>
  /** The last job before, and the first one after. */
  readonly before: Job | undefined
  readonly after: Job | undefined
  readonly isOtherClass: boolean
  readonly hasFewSeats: boolean
  /** The absences at the same time. */
  readonly absent: ReadonlyArray<Absence>
  /** Whether the server says that the driver is away, or busy off this board. */
  readonly isAway: boolean
}

/** A driver for a job. */
export const candidateOf = (driver: Driver, job: Job, free?: ReadonlySet<number>): Candidate => {
  const [from, to] = spanOf(job)
  const own = all.value.filter(
    (other) =>
      other.trip_id !== job.trip_id &&
      !isOver(other) &&
      driversOf(other).some(({ driver_id }) => driver_id === driver.driver_id)
  )
  const car = cars.value.find(({ car_id }) => car_id === (job.car_id ?? driver.default_car_id))
  const during = own.filter((other) => spanOf(other)[0] < to && spanOf(other)[1] > from)
  const absent = absencesOf(driver.driver_id, job)
  return {
    driver,
    during,
    absent,
    isAway: free !== undefined && during.length === 0 && absent.length === 0 && !free.has(driver.driver_id),
    before: own.findLast((other) => spanOf(other)[1] <= from),
    after: own.find((other) => spanOf(other)[0] >= to),
    isOtherClass:
      job.vehicle_class !== null &&
      car?.vehicle_class !== undefined &&
      car.vehicle_class !== job.vehicle_class,
    hasFewSeats: typeof car?.seats === "number" && car.seats < (job.participants_count ?? 0)
  }
}

/** How much stands against a driver, for the order of a list. */
export const burdenOf = ({ absent, during, hasFewSeats, isAway, isOtherClass }: Candidate): number =>
  during.length * 10 + (isAway || absent.length > 0 ? 10 : 0) + (hasFewSeats ? 3 : 0) + (isOtherClass ? 2 : 0)

/** Whether a word of the name, or the name itself, begins with what was typed. */
export const isNamed = (name: string, typed: string): boolean => {
  const text = typed.trim().toLocaleLowerCase()
  const whole = name.toLocaleLowerCase()
  return text === "" || whole.startsWith(text) || whole.split(/[\s-]+/u).some((word) => word.startsWith(text))
}
