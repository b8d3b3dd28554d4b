/** The stops that drivers have reached. A change of the trip's stops must not contradict the drivers' reports. */
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import type { Trip } from "./Trip.ts"
import { isOpenTrip } from "./TripStatus.ts"

type Stop = Trip["stops"][number] | undefined

const isSamePlace = (one: Stop, other: Stop) =>
  one?.address === other?.address && one?.lat === other?.lat && one?.lng === other?.lng

/**
 * An issue for each stop that one of the trip's drivers has reached and whose address or place the change alters. A
 * milestone refers to its stop by the position in the list, so it would then name another place. The contact and the
 * minutes of such a stop may change, and so may the other stops.
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
