/**
 * An assignment of a driver to a trip, and the trip's status that follows from its assignments.
 *
 *     assigned ──▶ en_route ──▶ completed
 *        │  └────────│────────────▲   (directly by an operator only)
 *        └──▶ cancelled ◀┘
 *
 * `completed` and `cancelled` are final: a driver who is assigned again gets another assignment.
 */
import { type DateTime, Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { type AssignmentId, DriverId } from "../kernel/Ids.ts"
import * as StateMachine from "../kernel/StateMachine.ts"
import { omittable } from "../kernel/fields/Optional.ts"
import { OptionalTimestamp } from "../kernel/time/WallClock.ts"
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
    en_route: { completed: ["operator", "driver"], cancelled: ["operator", "driver"] },
    completed: {},
    cancelled: {}
  }
)

/** An occurrence on the way that the driver reports; only the first of each kind is stored. */
export const Milestone = Schema.Literals(["arrived_at_pickup", "passenger_on_board", "no_show"])
export type Milestone = typeof Milestone.Type

/** A reported milestone; `lat` and `lng` are the driver's position at that time, null if it was not reported. */
export interface MilestoneReached {
  readonly milestone: Milestone
  readonly at: DateTime.Utc
  readonly lat: number | null
  readonly lng: number | null
}

/** An assignment. `name` is the driver's. */
export interface Assignment {
  readonly assignment_id: AssignmentId
  readonly driver_id: DriverId
  readonly name: string
  readonly status: AssignmentStatus
  readonly milestones: ReadonlyArray<MilestoneReached>
}

/** Whether the driver still has something to do: the assignment has not ended. */
export const isLive = ({ status }: Pick<Assignment, "status">): boolean =>
  !assignmentMachine.isTerminal(status)

/**
 * The statuses that a trip's assignments imply. `status` applies to a trip that is confirmed or in progress; a pending or
 * ended trip keeps its own. Cancelled assignments do not count.
 */
export const deriveTrip = (
  assignments: ReadonlyArray<Pick<Assignment, "status">>
): { readonly status: TripStatus; readonly driver_status: DriverStatus } => {
  const some = (status: AssignmentStatus) => assignments.some((assignment) => assignment.status === status)
  if (some("completed") && !assignments.some(isLive))
    return { status: "completed", driver_status: "completed" }
  if (some("en_route")) return { status: "in_progress", driver_status: "en_route" }
  if (some("completed")) return { status: "in_progress", driver_status: "assigned" }
  return { status: "confirmed", driver_status: some("assigned") ? "assigned" : "unassigned" }
}

const degrees = (limit: number) =>
  Schema.Finite.check(
    check<number>("out_of_range", (value) => Math.abs(value) <= limit, { minimum: -limit, maximum: limit })
  )

/** A latitude in degrees. */
export const Latitude = degrees(90)

/** A longitude in degrees. */
export const Longitude = degrees(180)

const ofMilestone = (description: string) => ({
  description: `${description}; without a \`milestone\` it is \`invalid\`.`
})

/**
 * A report about an assignment, by its driver or by an operator: a status, a milestone, or both. `at` is the time of the
 * milestone (default: now), `lat` and `lng` its place. These three require a milestone.
 */
export const AssignmentReport = Schema.Struct({
  status: omittable(oneOf(Schema.Literals(["en_route", "completed", "cancelled"]))),
  milestone: omittable(oneOf(Milestone)),
  lat: omittable(Latitude.annotate(ofMilestone("Where the milestone was reached"))),
  lng: omittable(Longitude.annotate(ofMilestone("Where the milestone was reached"))),
  at: omittable(OptionalTimestamp.annotate(ofMilestone("When the milestone was reached; default: now")))
})
export type AssignmentReport = typeof AssignmentReport.Type

/** An operator's report about a driver; `driver_id` is required if several assignments could be meant. */
export const DriverStatusReport = Schema.Struct({
  ...AssignmentReport.fields,
  driver_id: omittable(DriverId)
})
export type DriverStatusReport = typeof DriverStatusReport.Type

/** A driver's clock may be this far ahead of the server's. */
export const clockToleranceSeconds = 60
