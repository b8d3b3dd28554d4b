/** What stands against an assignment, in words. */
import { fill } from "../../i18n/Format.ts"
import type { Failure } from "../../api/Failure.ts"
import { timeOf } from "../Formats.ts"
import { spanOf } from "./Jobs.ts"
import { absenceText } from "./Absences.ts"
import { absences, cars, drivers, jobs, type Warning } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

const texts: Readonly<Record<string, keyof BoardWords>> = {
  schedule_clash: "scheduleClash",
  car_clash: "carClash",
  driver_absent: "driverAbsent",
  no_time_to_drive: "noTimeToDrive",
  license_expired: "licenseExpired",
  refused_driver: "refusedDriver",
  too_few_seats: "tooFewSeats",
  other_vehicle_class: "otherClass",
  driver_inactive: "driverInactive",
  car_inactive: "carInactive",
  late_start: "lateStart",
  unassigned: "noDriver",
  likely_duplicate: "likelyDuplicate"
}

const tripText = (id: number | undefined) => {
  const job = id === undefined ? undefined : jobs.value.get(id)
  if (job === undefined) return id === undefined ? "" : `#${id}`
  const [from, to] = spanOf(job)
  return `${job.reference} ${timeOf(from)}–${timeOf(to)}`
}

/** One warning as a sentence. */
export const warningText = (
  { absence_id, car_id, driver_id, trip_id, type }: Warning,
  words: BoardWords
): string => {
  const key = texts[type]
  if (key === undefined) return type
  const absence = absences.value.find((known) => known.absence_id === absence_id)
  return fill(words[absence === undefined ? key : "driverAbsentFor"], {
    reason: absence === undefined ? "" : absenceText(absence, words),
    driver: drivers.value.find((driver) => driver.driver_id === driver_id)?.name ?? words.theDriver,
    car: cars.value.find((car) => car.car_id === car_id)?.name ?? words.theCar,
    trip: tripText(trip_id)
  }).trim()
}

/** All warnings, each once. */
export const warningsText = (warnings: ReadonlyArray<Warning>, words: BoardWords): string =>
  [...new Set(warnings.map((warning) => warningText(warning, words)))].join(" ")

/** The warnings of a refusal that can be confirmed. */
export const warningsOf = (failure: Failure): ReadonlyArray<Warning> =>
  failure.type === "confirmation_required" ? (failure.details as unknown as ReadonlyArray<Warning>) : []
