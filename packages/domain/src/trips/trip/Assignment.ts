/**
 * An assignment of a driver to a trip, and the trip's status that follows from its assignments.
 *
 *     assigned ◀─▶ en_route ──▶ completed
 *        │  └────────│────────────▲   (directly by an operator only)
 *        └──▶ cancelled ◀┘
 *
 * An operator may undo a start; its driver may do so for {@link undoMinutes}.
 *
 * `completed` and `cancelled` are final: a driver who is assigned again gets another assignment.
 */
import { type DateTime, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { described, omittable } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { AssignmentId, CarId, DriverId } from "../../kernel/Ids.ts"
import * as StateMachine from "../../kernel/StateMachine.ts"
import { Milestone, milestoneFields, milestones } from "./Milestone.ts"
import { maxStops } from "./TripDetails.ts"
import type { DriverStatus, TripStatus } from "./TripStatus.ts"

/** The status of an assignment. */
export const AssignmentStatus = Schema.Literals(["assigned", "en_route", "completed", "cancelled"])
export type AssignmentStatus = typeof AssignmentStatus.Type

/** The transition table of assignments. */
export const assignmentMachine = StateMachine.make<AssignmentStatus>(
  "driver's assignment",
  AssignmentStatus.literals,
  {
    assigned: {
      en_route: ["operator", "driver"],
      completed: ["operator"],
      cancelled: ["operator", "driver"]
    },
    en_route: {
      assigned: ["operator"],
      completed: ["operator", "driver"],
      cancelled: ["operator", "driver"]
    },
    completed: {},
    cancelled: {}
  }
)

/**
 * The fields of an assignment. `name` is the driver's. `car_id` is the assignment's own car; without one, the driver
 * drives the trip's. `has_default_car` is whether the own car is the driver's default car, taken because the trip had none.
 * `accepted_at` is when the driver accepted the job, and `accepted_pickup` the pickup time that was accepted; both are null again
 * once the pickup has changed. `declined_at` is when the driver gave the job back before the start, with the driver's reason.
 */
export const assignmentFields = {
  assignment_id: Field.internal(Value.id(AssignmentId)),
  driver_id: Field.assigned(Value.id(DriverId)),
  name: Field.says({ person: "driver" }, Field.assigned(Value.unboundedText)),
  status: Field.assigned(Value.oneOf(AssignmentStatus)),
  car_id: Field.assignedOrNull(Value.id(CarId)),
  has_default_car: Field.internal(Value.boolean),
  accepted_at: Field.assignedOrNull(Value.instant),
  accepted_pickup: Field.internalOrNull(Value.instant),
  declined_at: Field.assignedOrNull(Value.instant),
  decline_reason: Field.says({ person: "anyone" }, Field.assignedOrNull(Value.unboundedText)),
  milestones: Field.says({ person: "nobody" }, { ...milestones, itemFields: milestoneFields })
}

/** An assignment as stored. */
export const Assignment = Field.storedOf(assignmentFields)
export type Assignment = typeof Assignment.Type

/** The fields of an assignment that hold what its driver answered, as they are before an answer. */
export const unanswered = {
  accepted_at: null,
  accepted_pickup: null,
  declined_at: null,
  decline_reason: null
} as const satisfies Partial<Assignment>

/** A driver of a trip in a response: the assignment's status and its milestones. */
export const TripDriverRecord = Field.recordOf(assignmentFields)
export type TripDriverRecord = typeof TripDriverRecord.Type

/** The record of a driver of a trip. */
export const tripDriverRecord = Field.encoderOf(assignmentFields)

/** Whether the assignment has not ended. */
export const isLive = ({ status }: Pick<Assignment, "status">): boolean =>
  !assignmentMachine.isTerminal(status)

/** Whether the driver is one of the trip's drivers: the assignment is not cancelled. */
export const isOnTrip = ({ status }: Pick<Assignment, "status">): boolean => status !== "cancelled"

/** Whether the driver is on the way, or the passenger is on board. */
export const isUnderWay = ({ status }: Pick<Assignment, "status">): boolean => status === "en_route"

/**
 * The statuses that a trip's assignments imply. `status` applies to a trip that is confirmed or in progress; a pending
 * or ended trip keeps its own. Cancelled assignments do not count.
 */
export const derivedStatuses = (
  assignments: ReadonlyArray<Pick<Assignment, "status">>
): { readonly status: TripStatus; readonly driver_status: DriverStatus } => {
  const some = (status: AssignmentStatus) => assignments.some((assignment) => assignment.status === status)
  if (some("completed") && !assignments.some(isLive))
    return { status: "completed", driver_status: "completed" }
  if (some("en_route")) return { status: "in_progress", driver_status: "en_route" }
  if (some("completed")) return { status: "in_progress", driver_status: "assigned" }
  return { status: "confirmed", driver_status: some("assigned") ? "assigned" : "unassigned" }
}

/** For how long after the start a driver may undo it. */
export const undoMinutes = 2

/** A start that is dated further back was dated by a wrong clock: phones are offline for shorter times. */
export const lateStartHours = 6

const milestoneDetail = (description: string) => ({
  description: `${description}; without a \`milestone\` it is \`invalid\`.`
})

/** A pickup may move so far from the accepted time before the driver has to accept the job again. */
export const acceptedWithinMinutes = 15

/** Whether a driver who accepted a pickup time has accepted another one as well. */
export const isAcceptedTime = (accepted: DateTime.Utc, other: DateTime.Utc): boolean =>
  Math.abs(accepted.epochMilliseconds - other.epochMilliseconds) <= acceptedWithinMinutes * 60_000

const seenPickup = (description: string) => ({
  description: `${description} as the driver saw it, with \`accepted\`. If the pickup is another one by now, it is a 409 \`conflict\`.`
})

const assignmentReport = Schema.Struct({
  status: omittable(
    oneOf(AssignmentStatus).pipe(described("Required unless `milestone`, `undo` or `accepted` is sent."))
  ),
  accepted: omittable(
    Schema.Boolean.annotate({
      description:
        "`true` accepts the job, `false` takes that back. A repetition changes nothing, and neither does an answer after the start. " +
        "It is sent alone, or with the pickup that the driver saw."
    })
  ),
  trip_date: omittable(Value.instant.optional.annotate(seenPickup("The time of the pickup"))),
  pickup_address: omittable(Value.text(500).optional.annotate(seenPickup("The place of the pickup"))),
  undo: omittable(
    Schema.Boolean.annotate({
      description:
        `\`true\` returns an assignment that is \`en_route\` to \`assigned\`: a driver may do so within ${undoMinutes} minutes of ` +
        "the start, or of the arrival of its report. " +
        "With a `milestone`, it removes that milestone, which only an operator may do, with a `reason`."
    })
  ),
  force: omittable(
    Schema.Boolean.annotate({
      description: "Confirms a start that is more than `early_start_minutes` (settings) before the pickup."
    })
  ),
  reason: omittable(
    Value.text(500).required.annotate({
      description:
        "Why the assignment is cancelled or something is undone; kept in the trip's timeline. Otherwise it is `invalid`."
    })
  ),
  milestone: omittable(oneOf(Milestone)),
  pickup_pin: omittable(
    Value.text(20).optional.annotate({
      description:
        "The code that the passenger told the driver. A driver needs it for `passenger_on_board` if `pickup_pin_required` of " +
        "the trip is true; the office does not. With anything else it is `invalid`."
    })
  ),
  stop_index: omittable(
    Value.wholeNumber(0, maxStops - 1).optional.annotate({
      description:
        "The stop that was reached, as its position in `stops`, from 0. Required for `arrived_at_stop`, `invalid` for anything else."
    })
  ),
  lat: omittable(
    Value.latitude.optional.annotate(milestoneDetail("The place where the milestone was reached"))
  ),
  lng: omittable(
    Value.longitude.optional.annotate(milestoneDetail("The place where the milestone was reached"))
  ),
  at: omittable(
    Value.instant.optional.annotate({
      description:
        "The time at which the milestone was reached, the driver started (`en_route`) or a start was undone, now by default. A " +
        `start or an undoing that is dated later than now, or more than ${lateStartHours} hours ago, counts from now. For any ` +
        "other report it is `invalid`."
    })
  )
})
type Report = typeof assignmentReport

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface AssignmentReportSchema extends Report {}

/**
 * A report about an assignment, by its driver or by an operator: a status, a milestone, or both, that one of them was a
 * slip, or that the driver accepts the job. `at` is the time of
 * the milestone, of the start or of its undoing (default: now), `lat` and `lng` are the place of the milestone. `stop_index` is the position
 * of the stop in the trip's `stops`, from 0; only `arrived_at_stop` has it.
 */
export const AssignmentReport: AssignmentReportSchema = assignmentReport
export type AssignmentReport = typeof AssignmentReport.Type

/** An operator's report about a driver; `driver_id` is required if several assignments could be meant. */
export const DriverStatusReport = Schema.Struct({
  ...AssignmentReport.fields,
  driver_id: omittable(DriverId)
})
export type DriverStatusReport = typeof DriverStatusReport.Type
