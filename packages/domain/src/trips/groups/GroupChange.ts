/** The body of a request that changes all open trips of a group, and the response (docs/api/trips.md). */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { between, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { omittable, yesOrNo } from "../../kernel/fields/Optional.ts"
import { TripId } from "../../kernel/Ids.ts"
import { text } from "../../kernel/fields/Text.ts"
import { tripFields } from "../trip/Trip.ts"
import { TripRecordWithWarnings } from "../trip/TripRecordWithWarnings.ts"
import { driverIdSet } from "../trip/DriverIdSet.ts"
import { CancelReason } from "../trip/TripStatus.ts"
import { maxDurationMinutes } from "../trip/TripWindow.ts"

/** One request changes at most this many trips. */
export const maxGroupTrips = 200

/** Each trip of a group has the other fields for itself. */
const {
  trip_date: _date,
  external_ref: _ref,
  linked_trip_id: _linked,
  leg: _leg,
  group_id: _group,
  ...sharedFields
} = tripFields

const sharedChanges = Field.changesOf(sharedFields)
type SharedChanges = typeof sharedChanges

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface GroupFieldsSchema extends SharedChanges {}

/** The fields that each trip of a group gets: at least one, and none of those that each trip has for itself. */
export const GroupFields: GroupFieldsSchema = sharedChanges
export type GroupFields = typeof GroupFields.Type

/**
 * A change of a group: either `status: "cancelled"`, with a reason, or any of these: `move_minutes`, by which the trips become later,
 * or, below zero, earlier; the fields in `changes`; their drivers. `force` confirms the clashes of the changed trips.
 */
const groupChange = Schema.Struct({
  group_id: text(100),
  from_trip_id: omittable(
    TripId.annotate({
      description:
        "Changes only this trip of the group and those whose pickup is later; all of them by default."
    })
  ),
  status: omittable(oneOf(Schema.Literals(["cancelled"]))),
  cancel_reason: omittable(oneOf(CancelReason)),
  move_minutes: omittable(Schema.Int.check(between(-maxDurationMinutes, maxDurationMinutes))),
  changes: omittable(
    GroupFields.annotate({
      description:
        "Fields that each trip gets, as in `PATCH /trips/{id}`, but for the date, `external_ref`, `linked_trip_id`, `leg` and `group_id`."
    })
  ),
  driver_ids: omittable(
    driverIdSet.annotate({
      description:
        "The complete set of the drivers of each trip, as in `POST /trips/{id}/drivers`, without their tokens."
    })
  ),
  force: yesOrNo(false)
}).annotate({
  examples: [
    { group_id: "congress-2026", status: "cancelled", cancel_reason: "customer_request", force: false },
    {
      group_id: "congress-2026",
      from_trip_id: TripId.make(42),
      changes: { pickup_address: "Hall 5" },
      force: false
    }
  ]
})
type Change = typeof groupChange

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface GroupChangeSchema extends Change {}

/** The body of `POST /dispatch/groups`. */
export const GroupChange: GroupChangeSchema = groupChange
export type GroupChange = typeof GroupChange.Type

/** The changed group: the trips that changed, and the ids of those that have ended and stay as they are, the latest first. */
const changedGroup = Schema.Struct({
  trips: Schema.Array(TripRecordWithWarnings),
  ended_trip_ids: Schema.Array(TripId).annotate({
    description:
      "The trips of the group that have ended and stay as they are, the latest first, at most 200; with `from_trip_id` only those after it."
  })
})
type Changed = typeof changedGroup

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface ChangedGroupSchema extends Changed {}

/** The response to a {@link GroupChange}. */
export const ChangedGroup: ChangedGroupSchema = changedGroup
export type ChangedGroup = typeof ChangedGroup.Type

/** Issues that need only the change: it must cancel or change something, not both, and only a cancellation has a reason. */
export const groupChangeIssues = ({
  cancel_reason,
  changes,
  driver_ids,
  move_minutes,
  status
}: GroupChange): ReadonlyArray<FieldIssue> => [
  ...(status === undefined && move_minutes === undefined && changes === undefined && driver_ids === undefined
    ? [{ field: "status", issue: "required" as const }]
    : []),
  ...(status === undefined && cancel_reason !== undefined
    ? [{ field: "cancel_reason", issue: "invalid" as const }]
    : []),
  ...(status !== undefined && move_minutes !== undefined
    ? [{ field: "move_minutes", issue: "invalid" as const }]
    : []),
  ...(status !== undefined && changes !== undefined ? [{ field: "changes", issue: "invalid" as const }] : []),
  ...(status !== undefined && driver_ids !== undefined
    ? [{ field: "driver_ids", issue: "invalid" as const }]
    : []),
  ...(move_minutes === 0
    ? [{ field: "move_minutes", issue: "out_of_range" as const, accepted: "any but 0" }]
    : [])
]
