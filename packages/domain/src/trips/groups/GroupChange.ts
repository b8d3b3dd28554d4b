/** The body of a request that changes all open trips of a group (docs/api/trips.md). */
import { Schema } from "effect"
import { between, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { omittable, yesOrNo } from "../../kernel/fields/Optional.ts"
import { TripId } from "../../kernel/Ids.ts"
import { text } from "../../kernel/fields/Text.ts"
import { CancelReason } from "../trip/TripStatus.ts"
import { maxDurationMinutes } from "../trip/TripWindow.ts"

/** One request changes at most this many trips. */
export const maxGroupTrips = 200

/**
 * A change of a group: either `status: "cancelled"`, with a reason, or `move_minutes`, by which the trips become later,
 * or, below zero, earlier. `force` confirms the clashes of the moved trips.
 */
export const GroupChange = Schema.Struct({
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
  force: yesOrNo(false)
}).annotate({
  examples: [
    { group_id: "congress-2026", status: "cancelled", cancel_reason: "customer_request", force: false }
  ]
})
export type GroupChange = typeof GroupChange.Type

/** Issues that need only the change: it must cancel or move, not both, and only a cancellation has a reason. */
export const groupChangeIssues = ({
  cancel_reason,
  move_minutes,
  status
}: GroupChange): ReadonlyArray<FieldIssue> => [
  ...(status === undefined && move_minutes === undefined
    ? [{ field: "status", issue: "required" as const }]
    : []),
  ...(status === undefined && cancel_reason !== undefined
    ? [{ field: "cancel_reason", issue: "invalid" as const }]
    : []),
  ...(status !== undefined && move_minutes !== undefined
    ? [{ field: "move_minutes", issue: "invalid" as const }]
    : []),
  ...(move_minutes === 0
    ? [{ field: "move_minutes", issue: "out_of_range" as const, accepted: "any but 0" }]
    : [])
]
