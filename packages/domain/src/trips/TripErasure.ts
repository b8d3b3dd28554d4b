/** A trip from which a person is erased. */
import type { AssignmentId } from "../kernel/Ids.ts"
import { type NewTimelineEntry, pick, updatedFields, updateEntry } from "./Timeline.ts"
import { everyAssignment, type Trip, tripRecord } from "./Trip.ts"

/** A locked trip, which may be deleted, and how it is without a person. `isWhole`: the person was its customer. */
export interface ErasedTrip {
  readonly before: Trip
  readonly after: Trip
  readonly isWhole: boolean
}

/** The assignments whose reports are erased with the trip. */
export const reportsOf = ({ before, isWhole }: ErasedTrip): ReadonlyArray<AssignmentId> =>
  isWhole ? everyAssignment(before).map(({ assignment_id }) => assignment_id) : []

/** The entry of the timeline. It has the changed fields that are not personal: the id of the customer, not the name. */
export const erasureEntryOf = (
  { after, before }: ErasedTrip,
  timezone: string,
  personalFields: ReadonlyArray<string>
): NewTimelineEntry => {
  const [from, to] = [tripRecord(before, timezone), tripRecord(after, timezone)]
  const fields = updatedFields(from, to).filter((field) => !personalFields.includes(field))
  return updateEntry(pick(from, fields), pick(to, fields))
}
