/** A trip from which a person is erased. */
import { personalNamesOf } from "../../kernel/fields/Personal.ts"
import type { AssignmentId } from "../../kernel/Ids.ts"
import { type NewTimelineEntry, pick, updatedFields, updateEntry } from "../timeline/Timeline.ts"
import { assignmentFields } from "../trip/Assignment.ts"
import { everyAssignment, type Trip, tripFields, tripRecord } from "../trip/Trip.ts"

/** The personal fields of the entries of a timeline: those of trips and of milestones, and the reasons of changes. */
export const personalNames: ReadonlyArray<string> = [
  ...personalNamesOf(tripFields, assignmentFields),
  "reason"
]

/** A locked trip, which may be deleted, before and after a person is erased. `isCustomer`: the person was its customer. */
export interface ErasedTrip {
  readonly before: Trip
  readonly after: Trip
  readonly isCustomer: boolean
}

/** The assignments whose reports are erased with the trip. */
export const erasedReportsOf = ({ before, isCustomer }: ErasedTrip): ReadonlyArray<AssignmentId> =>
  isCustomer ? everyAssignment(before).map(({ assignment_id }) => assignment_id) : []

/** The timeline entry of an erasure. It has the changed fields that are not personal: the customer's id, not the name. */
export const erasureEntryOf = ({ after, before }: ErasedTrip, timezone: string): NewTimelineEntry => {
  const [from, to] = [tripRecord(before, timezone), tripRecord(after, timezone)]
  const fields = updatedFields(from, to).filter((field) => !personalNames.includes(field))
  return updateEntry(pick(from, fields), pick(to, fields))
}
