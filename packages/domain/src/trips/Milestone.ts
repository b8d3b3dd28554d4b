/** The milestones of a trip that drivers report. */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"

/** The kinds of milestones; only the first of each kind is stored for an assignment. */
export const Milestone = Schema.Literals(["arrived_at_pickup", "passenger_on_board", "no_show"])
export type Milestone = typeof Milestone.Type

/** The fields of a milestone. `lat` and `lng` are the driver's position at that time, null if it was not reported. */
const milestoneFields = {
  milestone: Field.assigned(Value.oneOf(Milestone)),
  at: Field.assigned(Value.instant),
  lat: Field.assignedOrNull(Value.latitude),
  lng: Field.assignedOrNull(Value.longitude)
}

/** A milestone as stored. */
export const MilestoneReached = Field.storedOf(milestoneFields)
export type MilestoneReached = typeof MilestoneReached.Type

/** A milestone in a response. */
export const MilestoneRecord = Field.recordOf(milestoneFields)
export type MilestoneRecord = typeof MilestoneRecord.Type

/** The list of an assignment's milestones, in order of time. */
export const milestones = Field.list({
  stored: MilestoneReached,
  record: MilestoneRecord,
  encode: Field.encoderOf(milestoneFields)
})
