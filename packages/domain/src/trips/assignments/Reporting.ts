/** Reports of a driver's progress: pure rules that compute the assignment after a report. */
import { type DateTime, Effect, Option } from "effect"
import { invalidField, InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import type { DriverId } from "../../kernel/Ids.ts"
import { IllegalTransition, type Mover } from "../../kernel/StateMachine.ts"
import { isInFuture } from "../../kernel/time/ClockTolerance.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import {
  type Assignment,
  assignmentMachine,
  type AssignmentReport,
  type AssignmentStatus,
  type DriverStatusReport,
  isLive
} from "../trip/Assignment.ts"
import { isSameMilestone, type MilestoneReached } from "../trip/Milestone.ts"
import type { Trip } from "../trip/Trip.ts"
import { isDispatchable, isOpenTrip, tripMachine } from "../trip/TripStatus.ts"

/** Fails unless drivers of the trip can be assigned and can report. The `IllegalTransition` names `to` as the refused state. */
export const requireDispatchable = (trip: Trip, to: AssignmentStatus, mover: Mover) =>
  isDispatchable(trip.status)
    ? Effect.void
    : Effect.fail(
        new IllegalTransition({
          machine: "trip",
          from: trip.status,
          to,
          legal: isOpenTrip(trip.status) ? tripMachine.next(trip.status, mover) : [],
          final: !isOpenTrip(trip.status)
        })
      )

/** Issues with the time, the place and the stop of a milestone. A report without a milestone may have none of them. */
const milestoneIssues = (
  { at, lat, lng, milestone, stop_index }: AssignmentReport,
  reachedAt: DateTime.Utc,
  now: DateTime.Utc
): ReadonlyArray<FieldIssue> => {
  if (milestone === undefined)
    return Object.entries({ stop_index, lat, lng, at })
      .filter(([, value]) => value !== undefined)
      .map(([field]) => ({ field, issue: "invalid" }))
  const isAtStop = milestone === "arrived_at_stop"
  return [
    ...(isAtStop && stop_index === undefined ? [{ field: "stop_index", issue: "required" as const }] : []),
    ...(!isAtStop && stop_index !== undefined ? [{ field: "stop_index", issue: "invalid" as const }] : []),
    ...(lat === undefined && lng !== undefined ? [{ field: "lat", issue: "required" as const }] : []),
    ...(lng === undefined && lat !== undefined ? [{ field: "lng", issue: "required" as const }] : []),
    ...(isInFuture(reachedAt, now) ? [{ field: "at", issue: "out_of_range" as const }] : [])
  ]
}

/** The milestone in a report, or undefined; `InvalidInput` for a report with neither a status nor a milestone. */
export const reportedMilestone = (
  report: AssignmentReport,
  now: DateTime.Utc,
  timezone: string
): Effect.Effect<MilestoneReached | undefined, InvalidInput> => {
  const at = report.at === undefined ? now : instantOf(report.at, timezone)
  const issues: ReadonlyArray<FieldIssue> = [
    ...(report.status === undefined && report.milestone === undefined
      ? [{ field: "status", issue: "required" as const }]
      : []),
    ...milestoneIssues(report, at, now)
  ]
  if (issues.length > 0) return Effect.fail(new InvalidInput({ issues }))
  const { lat = null, lng = null, milestone, stop_index = null } = report
  return Effect.succeed(milestone && { milestone, at, lat, lng, stop_index })
}

/** The error of a report for a trip without drivers. */
const failWithoutDrivers = Effect.fnUntraced(function* (
  trip: Trip,
  { status }: AssignmentReport,
  mover: Mover
) {
  if (status === undefined) return yield* invalidField("milestone", "illegal_transition")
  yield* requireDispatchable(trip, status, mover)
  return yield* new IllegalTransition({
    machine: "trip's driver status",
    from: "unassigned",
    to: status,
    legal: ["assigned"],
    final: false
  })
})

/**
 * The assignment that an operator's report is about: that of `driver_id`, or the only live one, or the only one.
 * `findLast` looks up the last assignment of a driver who is not among the trip's drivers, because it was cancelled.
 */
export const reportedAssignment = Effect.fnUntraced(function* (
  trip: Trip,
  { driver_id, ...report }: DriverStatusReport,
  findLast: (driverId: DriverId) => Effect.Effect<Option.Option<Assignment>>
) {
  const { drivers } = trip
  if (driver_id !== undefined) {
    const current = drivers.find((assignment) => assignment.driver_id === driver_id)
    const assignment = current ?? Option.getOrUndefined(yield* findLast(driver_id))
    return assignment ?? (yield* invalidField("driver_id", "not_found"))
  }
  const live = drivers.filter(isLive)
  const [only, ...others] = live.length === 0 ? drivers : live
  if (only === undefined) return yield* failWithoutDrivers(trip, report, "operator")
  return others.length === 0 ? only : yield* invalidField("driver_id", "required")
})

/** Orders milestones by time, because a phone that was offline may report an earlier one later. */
const byTime = (left: MilestoneReached, right: MilestoneReached) => {
  const elapsed = left.at.epochMilliseconds - right.at.epochMilliseconds
  if (elapsed !== 0) return elapsed
  if (left.milestone === right.milestone) return (left.stop_index ?? 0) - (right.stop_index ?? 0)
  return left.milestone < right.milestone ? -1 : 1
}

/**
 * The assignment after a report: with the reported status, and with the milestone if it is the first of its kind, or of
 * its stop. Stops may be reported in any order, because phones may be offline and drivers may change the order on the way.
 */
export const assignmentAfterReport = Effect.fnUntraced(function* (
  trip: Trip,
  assignment: Assignment,
  report: AssignmentReport,
  milestone: MilestoneReached | undefined,
  mover: Mover
): Effect.fn.Return<Assignment, InvalidInput | IllegalTransition> {
  const to = report.status ?? assignment.status
  const isRepeated = to === assignment.status && to === "en_route"
  if (report.status !== undefined && !isRepeated) {
    yield* requireDispatchable(trip, report.status, mover)
    yield* assignmentMachine.move(assignment.status, report.status, mover)
  }
  if (milestone === undefined || assignment.milestones.some((reached) => isSameMilestone(reached, milestone)))
    return { ...assignment, status: to }
  // One report may bring a milestone and the end, so the status before or after must be `en_route`.
  if (assignment.status !== "en_route" && to !== "en_route")
    return yield* new InvalidInput({
      issues: [{ field: "milestone", issue: "illegal_transition" }],
      advice: `The status of the driver is ${assignment.status}; milestones are reported while en_route, or with it`
    })
  if (milestone.stop_index !== null && milestone.stop_index >= trip.stops.length)
    return yield* invalidField("stop_index", "out_of_range")
  const milestones = [...assignment.milestones, milestone].toSorted(byTime)
  return { ...assignment, status: to, milestones }
})
