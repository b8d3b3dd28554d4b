/** The milestones of a trip that drivers report. */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { erasedOf } from "../../kernel/fields/Personal.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { maxStops } from "./TripDetails.ts"

/**
 * The kinds of milestones. Only the first of each kind is stored for an assignment, of `arrived_at_stop` the first of each
 * stop.
 */
export const Milestone = Schema.Literals([
  "arrived_at_pickup",
  "passenger_on_board",
  "arrived_at_stop",
  "no_show"
])
export type Milestone = typeof Milestone.Type

/**
 * The fields of a milestone. `lat` and `lng` are the driver's position at that time, null if it was not reported.
 * `stop_index` is the position of the stop in the trip's `stops`, from 0; null for other kinds than `arrived_at_stop`.
 */
export const milestoneFields = {
  milestone: Field.assigned(Value.oneOf(Milestone)),
  at: Field.assigned(Value.instant),
  lat: Field.says({ person: "customer" }, Field.assignedOrNull(Value.latitude)),
  lng: Field.says({ person: "customer" }, Field.assignedOrNull(Value.longitude)),
  stop_index: Field.assignedOrNull(Value.wholeNumber(0, maxStops - 1))
}

/** The values that replace the personal fields of a milestone. */
export const erasedMilestone = erasedOf(milestoneFields)

/** A milestone as stored. */
export const MilestoneReached = Field.storedOf(milestoneFields)
export type MilestoneReached = typeof MilestoneReached.Type

/** Whether two milestones are of the same kind, at the same stop. Of such milestones only the first counts. */
export const isSameMilestone = (
  one: Pick<MilestoneReached, "milestone" | "stop_index">,
  other: Pick<MilestoneReached, "milestone" | "stop_index">
): boolean => one.milestone === other.milestone && one.stop_index === other.stop_index

/** A milestone in a response. */
export const MilestoneRecord = Field.recordOf(milestoneFields)
export type MilestoneRecord = typeof MilestoneRecord.Type

/** The list of an assignment's milestones, in order of time. */
export const milestones = Field.list({
  stored: MilestoneReached,
  record: MilestoneRecord,
  encode: Field.encoderOf(milestoneFields)
})
