/**
 * A trip's timeline: each change of the trip, its time and author, and the values before and after. The entries are
 * computed by comparing the trip before and after, so no change lacks its entries.
 */
import { Equal, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { DriverId } from "../../kernel/Ids.ts"
import { type Assignment, isOnTrip, isUnderWay, tripDriverRecord } from "../trip/Assignment.ts"
import { rfc3339 } from "../../kernel/time/WallClock.ts"
import { isSameMilestone } from "../trip/Milestone.ts"
import { everyAssignment, type Trip, tripRecord } from "../trip/Trip.ts"

/** The kinds of change. Entries about a driver name the driver. */
export const TripChange = Schema.Literals([
  "created",
  "updated",
  "status_changed",
  "driver_assigned",
  "driver_removed",
  "driver_status_changed",
  "driver_car_changed",
  "driver_accepted",
  "driver_acceptance_ended",
  "milestone_reached",
  "milestone_removed",
  "notice",
  "deleted"
])
export type TripChange = typeof TripChange.Type

/** Fields of a record by name. */
const Fields = Schema.Record(Schema.String, Schema.Unknown)
type Fields = typeof Fields.Type

/**
 * The fields of an entry. `actor` is its author, from `CurrentActor`. `actor_name` is the present name of that user or
 * driver; for an API key, that of the user who created the key; null for other authors, deleted keys and authors of a former
 * installation (`imported:user:5`). `before` and `after` hold the changed fields, as in the trip's record.
 */
const timelineFields = {
  change_id: Field.assigned(Value.id(Schema.Int)),
  at: Field.assigned(Value.instant),
  actor: Field.assigned(Value.unboundedText),
  actor_name: Field.assignedOrNull(Value.unboundedText),
  change: Field.assigned(Value.oneOf(TripChange)),
  driver_id: Field.assignedOrNull(Value.id(DriverId)),
  before: Field.assignedOrNull(Value.unchanged(Fields)),
  after: Field.assignedOrNull(Value.unchanged(Fields))
}

/** An entry as stored. */
export const TimelineEntry = Field.storedOf(timelineFields)
export type TimelineEntry = typeof TimelineEntry.Type

/** An entry that is not stored yet. */
export type NewTimelineEntry = Omit<TimelineEntry, "change_id" | "at" | "actor" | "actor_name">

/** An entry in a response. */
export const TimelineRecord = Field.recordOf(timelineFields)
export type TimelineRecord = typeof TimelineRecord.Type

/** The record of an entry. */
export const timelineRecord = Field.encoderOf(timelineFields)

/** The fields that the entry of a changed status holds beside the status. */
const endFields: ReadonlySet<string> = new Set([
  "cancel_reason",
  "cancelled_by",
  "cancellation_fee",
  "cancelled_at",
  "completed_at"
])

/** Fields that other entries hold, or that follow from other fields. */
const omittedFields: ReadonlySet<string> = new Set([
  "status",
  "driver_status",
  "allowed_transitions",
  "pickup_at",
  "pickup_local",
  "driver_ids",
  "drivers",
  "updated_at"
])

const differingFields = (before: Fields, after: Fields): ReadonlyArray<string> =>
  Object.keys(after).filter((field) => !Equal.equals(before[field], after[field]))

const isUpdate = (field: string) => !omittedFields.has(field)

/** The changed fields that an entry about an update may have. */
export const updatedFields = (before: Fields, after: Fields): ReadonlyArray<string> =>
  differingFields(before, after).filter(isUpdate)

/** These fields of a record. */
export const pick = (record: Fields, fields: ReadonlyArray<string>): Fields =>
  Object.fromEntries(fields.map((field) => [field, record[field]]))

/** The entry of changed fields. */
export const updateEntry = (before: Fields, after: Fields): NewTimelineEntry => ({
  change: "updated",
  driver_id: null,
  before,
  after
})

const entriesOfFields = (before: Fields, after: Fields): ReadonlyArray<NewTimelineEntry> => {
  const fields = differingFields(before, after)
  const hasNewStatus = fields.includes("status")
  const updated = fields.filter((field) => isUpdate(field) && !(hasNewStatus && endFields.has(field)))
  const ofStatus = ["status", ...fields.filter((field) => endFields.has(field))]
  return [
    ...(updated.length === 0 ? [] : [updateEntry(pick(before, updated), pick(after, updated))]),
    ...(hasNewStatus
      ? [{ ...updateEntry(pick(before, ofStatus), pick(after, ofStatus)), change: "status_changed" as const }]
      : [])
  ]
}

const entriesOfDriver = (
  before: Assignment | undefined,
  after: Assignment
): ReadonlyArray<NewTimelineEntry> => {
  const { driver_id } = after
  const status = (assignment: Assignment | undefined) => assignment && { status: assignment.status }
  const car = after.car_id === null ? {} : { car_id: after.car_id }
  const entry = (
    change: TripChange,
    fieldsBefore: Fields | undefined,
    fieldsAfter: Fields | undefined
  ): NewTimelineEntry => ({
    change,
    driver_id,
    before: fieldsBefore ?? null,
    after: fieldsAfter ?? null
  })
  const isRemoved = before !== undefined && isOnTrip(before) && !isOnTrip(after)
  const earlier = before?.milestones ?? []
  const ofStatus =
    before !== undefined && before.status !== after.status && !isRemoved
      ? [entry("driver_status_changed", status(before), status(after))]
      : []
  const declined = after.declined_at === null ? {} : { declined_at: rfc3339(after.declined_at) }
  const acceptedAt = (assignment: Assignment | undefined) =>
    assignment?.accepted_at ? rfc3339(assignment.accepted_at) : null
  const isOtherAcceptance = before !== undefined && acceptedAt(before) !== acceptedAt(after)
  const ofAcceptance: ReadonlyArray<TripChange> = !isOtherAcceptance
    ? []
    : [after.accepted_at === null ? "driver_acceptance_ended" : "driver_accepted"]
  // One report may bring a milestone with the departure, which is before it, or with the end, which is after it.
  const isDeparture = isUnderWay(after)
  return [
    ...(before === undefined ? [entry("driver_assigned", undefined, { status: after.status, ...car })] : []),
    ...(isDeparture ? ofStatus : []),
    ...tripDriverRecord(after)
      .milestones.filter((reached) => !earlier.some((one) => isSameMilestone(one, reached)))
      .map((reached) => entry("milestone_reached", undefined, reached)),
    ...tripDriverRecord({ ...after, milestones: earlier })
      .milestones.filter((reached) => !after.milestones.some((one) => isSameMilestone(one, reached)))
      .map((reached) => entry("milestone_removed", reached, {})),
    ...(isRemoved ? [entry("driver_removed", status(before), { status: "cancelled", ...declined })] : []),
    ...ofAcceptance.map((change) =>
      entry(change, { accepted_at: acceptedAt(before) }, { accepted_at: acceptedAt(after) })
    ),
    ...(before !== undefined && before.car_id !== after.car_id && !isRemoved
      ? [entry("driver_car_changed", { car_id: before.car_id }, { car_id: after.car_id })]
      : []),
    ...(isDeparture ? [] : ofStatus)
  ]
}

/** The changes that a reason explains. */
const explained: ReadonlySet<TripChange> = new Set([
  "status_changed",
  "driver_status_changed",
  "driver_removed",
  "milestone_removed"
])

/** The first entry of a new trip. */
export const creationEntry = ({ status }: Pick<Trip, "status">): NewTimelineEntry => ({
  change: "created",
  driver_id: null,
  before: null,
  after: { status }
})

const deletionEntry: NewTimelineEntry = { change: "deleted", driver_id: null, before: null, after: null }

/**
 * The entries for the difference between a trip before and after, with local times in `timezone`. A `reason` belongs to
 * the entries of {@link explained} changes.
 */
export const timelineEntriesOf = (
  before: Trip,
  after: Trip,
  timezone: string,
  reason?: string
): ReadonlyArray<NewTimelineEntry> => {
  const earlier = new Map(everyAssignment(before).map((assignment) => [assignment.assignment_id, assignment]))
  return [
    ...[
      ...everyAssignment(after).flatMap((assignment) =>
        entriesOfDriver(earlier.get(assignment.assignment_id), assignment)
      ),
      ...entriesOfFields(tripRecord(before, timezone), tripRecord(after, timezone))
    ].map((entry) =>
      reason !== undefined && explained.has(entry.change)
        ? { ...entry, after: { ...entry.after, reason } }
        : entry
    ),
    ...(before.deleted_at === after.deleted_at ? [] : [deletionEntry])
  ]
}
