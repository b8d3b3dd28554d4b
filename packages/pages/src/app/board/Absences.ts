/** When drivers are away, in words. */
import type { Absence } from "@livery/client"
import { timeOf } from "../Formats.ts"
import { type Job, spanOf } from "./Jobs.ts"
import { absences, shown } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

/** The part of an absence that the board shows, in milliseconds. */
export const shownPart = ({ ends_at, starts_at }: Absence): readonly [from: number, to: number] => [
  Math.max(Date.parse(starts_at), shown.value.from),
  Math.min(Date.parse(ends_at), shown.value.to)
]

/** The absences of a driver, within the time of a job if one is given. */
export const absencesOf = (driverId: number | undefined, job?: Job): ReadonlyArray<Absence> => {
  const [from, to] = job === undefined ? [-Infinity, Infinity] : spanOf(job)
  return absences.value.filter(
    ({ driver_id, ends_at, starts_at }) =>
      driver_id === driverId && Date.parse(starts_at) < to && Date.parse(ends_at) > from
  )
}

/** The reason, and the time unless the driver is away all the time that is shown. */
export const absenceText = (absence: Absence, words: BoardWords): string => {
  const [from, to] = shownPart(absence)
  const kind = words[absence.kind]
  return from === shown.value.from && to === shown.value.to ? kind : `${kind}, ${timeOf(from)}–${timeOf(to)}`
}
