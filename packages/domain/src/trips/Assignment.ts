/**
 * An assignment: one driver's part in a trip, and what the assignments of a trip make of it.
 *
 *     assigned ──▶ en_route ──▶ completed
 *        │  └────────│────────────▲   (an operator may say so at once)
 *        └──▶ cancelled ◀┘
 *
 * Who ends an assignment ends it for good: a driver who is wanted again gets another.
 */
import { type DateTime, Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { type AssignmentId, DriverId } from "../kernel/Ids.ts"
import * as StateMachine from "../kernel/StateMachine.ts"
import { omittable } from "../kernel/fields/Optional.ts"
import { OptionalTimestamp } from "../kernel/time/WallClock.ts"
import type { DriverStatus, TripStatus } from "./TripStatus.ts"

/** Where a driver's part in a trip stands. */
export const AssignmentStatus = Schema.Literals(["assigned", "en_route", "completed", "cancelled"])
export type AssignmentStatus = typeof AssignmentStatus.Type

/** The assignment's transition table. `completed` and `cancelled` are final. */
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

/** What happens on the way, told by the driver; the first of each counts. */
export const Milestone = Schema.Literals(["arrived_at_pickup", "passenger_on_board", "no_show"])
export type Milestone = typeof Milestone.Type

/** A milestone as it was reported; the position is where the driver was then, null unless told. */
export interface MilestoneReached {
  readonly milestone: Milestone
  readonly at: DateTime.Utc
  readonly lat: number | null
  readonly lng: number | null
}

/** One driver's part in a trip. `name` is the driver's. */
export interface Assignment {
  readonly assignment_id: AssignmentId
  readonly driver_id: DriverId
  readonly name: string
  readonly status: AssignmentStatus
  readonly milestones: ReadonlyArray<MilestoneReached>
}

/** Whether the driver still has something to do: assigned or under way. */
export const isLive = ({ status }: Pick<Assignment, "status">): boolean =>
  !assignmentMachine.isTerminal(status)

/**
 * What a trip's assignments make of it. The status is that of a trip that is confirmed or under way; one that is
 * pending or ended stays so, whatever its assignments say. Cancelled assignments count for nothing.
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

/** A latitude, in degrees. */
export const Latitude = degrees(90)

/** A longitude, in degrees. */
export const Longitude = degrees(180)

const ofMilestone = (description: string) => ({
  description: `${description}; with a \`milestone\` alone, else \`invalid\`.`
})

/**
 * What a driver reports of an assignment, or an operator for them: a status, a milestone, or both. `at` is when the
 * milestone was reached, now unless told; the position is where. None of the three comes without a milestone.
 */
export const AssignmentReport = Schema.Struct({
  status: omittable(oneOf(Schema.Literals(["en_route", "completed", "cancelled"]))),
  milestone: omittable(oneOf(Milestone)),
  lat: omittable(Latitude.annotate(ofMilestone("Where the milestone was reached"))),
  lng: omittable(Longitude.annotate(ofMilestone("Where the milestone was reached"))),
  at: omittable(OptionalTimestamp.annotate(ofMilestone("When the milestone was reached, now unless told")))
})
export type AssignmentReport = typeof AssignmentReport.Type

/** What `PATCH /trips/{id}/driver-status` takes; whose part is meant has to be said where several could be. */
export const DriverStatusReport = Schema.Struct({
  ...AssignmentReport.fields,
  driver_id: omittable(DriverId)
})
export type DriverStatusReport = typeof DriverStatusReport.Type

/** How far ahead of ours a driver's clock may be. */
export const clockToleranceSeconds = 60
