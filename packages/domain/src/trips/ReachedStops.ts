/** Stops that a driver has reached: a change of the trip's stops may not contradict the driver's reports. */
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { Trip } from "./Trip.ts"
import { isOpenTrip } from "./TripStatus.ts"

type Stop = Trip["stops"][number] | undefined

const isSamePlace = (one: Stop, other: Stop) =>
  one?.address === other?.address && one?.lat === other?.lat && one?.lng === other?.lng

/**
 * An issue for each stop that one of the trip's drivers has reached and that the change would move in the list, remove or
 * place elsewhere: its milestone names it by its position. Its contact and its minutes may change, and so may other stops.
 */
export const issuesOfReachedStops = (before: Trip, after: Trip): ReadonlyArray<FieldIssue> => {
  if (!isOpenTrip(before.status)) return []
  const reached = before.drivers.flatMap(({ milestones }) =>
    milestones.flatMap(({ stop_index }) => stop_index ?? [])
  )
  return [...new Set(reached)]
    .toSorted((one, other) => one - other)
    .filter((index) => !isSamePlace(before.stops[index], after.stops[index]))
    .map((index) => ({ field: `stops.${index}`, issue: "invalid" }))
}
