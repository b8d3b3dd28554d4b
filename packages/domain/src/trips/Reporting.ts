/** A report of how a driver gets on, and what it makes of their part: pure rules, whoever reports. */
import { DateTime, Effect, Option } from "effect"
import { InvalidInput } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { DriverId } from "../kernel/Ids.ts"
import { IllegalTransition, type Mover } from "../kernel/StateMachine.ts"
import { instantOf } from "../kernel/time/WallClock.ts"
import {
  type Assignment,
  assignmentMachine,
  type AssignmentReport,
  type AssignmentStatus,
  clockToleranceSeconds,
  type DriverStatusReport,
  isLive,
  type MilestoneReached
} from "./Assignment.ts"
import type { Trip } from "./Trip.ts"
import { isOpen } from "./TripLife.ts"
import { tripMachine } from "./TripStatus.ts"

/** The fields of a request that are wrong. */
export const refusal = (...issues: ReadonlyArray<FieldIssue>) => new InvalidInput({ issues })

/** A trip that is pending or has ended lets its drivers do nothing: `to` is refused. */
export const requireOpen = (trip: Trip, to: AssignmentStatus, mover: Mover) =>
  isOpen(trip)
    ? Effect.void
    : Effect.fail(
        new IllegalTransition({
          machine: "trip",
          from: trip.status,
          to,
          legal: tripMachine.next(trip.status, mover),
          final: tripMachine.isTerminal(trip.status)
        })
      )

/** What is wrong with when and where a milestone was reached; both are told of a milestone alone. */
const circumstances = (
  { at, lat, lng, milestone }: AssignmentReport,
  reachedAt: DateTime.Utc,
  now: DateTime.Utc
): ReadonlyArray<FieldIssue> => {
  if (milestone === undefined)
    return Object.entries({ lat, lng, at })
      .filter(([, value]) => value !== undefined)
      .map(([field]) => ({ field, issue: "invalid" }))
  return [
    ...(lat === undefined && lng !== undefined ? [{ field: "lat", issue: "required" as const }] : []),
    ...(lng === undefined && lat !== undefined ? [{ field: "lng", issue: "required" as const }] : []),
    ...(DateTime.isGreaterThan(reachedAt, DateTime.add(now, { seconds: clockToleranceSeconds }))
      ? [{ field: "at", issue: "out_of_range" as const }]
      : [])
  ]
}

/** The milestone that a report tells of; nothing if it tells of none. */
export const milestoneOf = (
  report: AssignmentReport,
  now: DateTime.Utc,
  timezone: string
): Effect.Effect<MilestoneReached | undefined, InvalidInput> => {
  const at = report.at === undefined ? now : instantOf(report.at, timezone)
  const issues: ReadonlyArray<FieldIssue> = [
    ...(report.status === undefined && report.milestone === undefined
      ? [{ field: "status", issue: "required" as const }]
      : []),
    ...circumstances(report, at, now)
  ]
  if (issues.length > 0) return Effect.fail(refusal(...issues))
  const { lat = null, lng = null, milestone } = report
  return Effect.succeed(milestone && { milestone, at, lat, lng })
}

/** Nobody is there to do what is reported: the trip would have to be assigned first. */
const unassigned = Effect.fnUntraced(function* (trip: Trip, { status }: AssignmentReport, mover: Mover) {
  if (status === undefined) return yield* refusal({ field: "milestone", issue: "illegal_transition" })
  yield* requireOpen(trip, status, mover)
  return yield* new IllegalTransition({
    machine: "trip's driver status",
    from: "unassigned",
    to: status,
    legal: ["assigned"],
    final: false
  })
})

/**
 * Whose part an operator means; several could be meant only while several have something to do. `last` is the last part
 * of the driver who is named: one that was cancelled is not among the trip's drivers any more.
 */
export const meant = Effect.fnUntraced(function* (
  trip: Trip,
  { driver_id, ...report }: DriverStatusReport,
  last: (driverId: DriverId) => Effect.Effect<Option.Option<Assignment>>
) {
  const { drivers } = trip
  if (driver_id !== undefined) {
    const part =
      drivers.find((it) => it.driver_id === driver_id) ?? Option.getOrUndefined(yield* last(driver_id))
    return part ?? (yield* refusal({ field: "driver_id", issue: "not_found" }))
  }
  const live = drivers.filter(isLive)
  const [only, ...others] = live.length === 0 ? drivers : live
  if (only === undefined) return yield* unassigned(trip, report, "operator")
  return others.length === 0 ? only : yield* refusal({ field: "driver_id", issue: "required" })
})

/** As they are read again: a phone that was offline may tell an earlier one later. */
const inOrderOfTime = (left: MilestoneReached, right: MilestoneReached) =>
  left.at.epochMilliseconds - right.at.epochMilliseconds || (left.milestone < right.milestone ? -1 : 1)

/** How a report leaves an assignment: as it was, or moved, with the milestone if it is the first of its kind. */
export const reported = Effect.fnUntraced(function* (
  trip: Trip,
  assignment: Assignment,
  report: AssignmentReport,
  milestone: MilestoneReached | undefined,
  mover: Mover
): Effect.fn.Return<Assignment, InvalidInput | IllegalTransition> {
  const to = report.status ?? assignment.status
  const isRepeated = to === assignment.status && to === "en_route"
  if (report.status !== undefined && !isRepeated) {
    yield* requireOpen(trip, report.status, mover)
    yield* assignmentMachine.move(assignment.status, report.status, mover)
  }
  if (milestone === undefined || assignment.milestones.some((it) => it.milestone === milestone.milestone))
    return { ...assignment, status: to }
  // On the way is who was so before or is so now: a report may bring both a milestone and the end.
  if (assignment.status !== "en_route" && to !== "en_route")
    return yield* refusal({ field: "milestone", issue: "illegal_transition" })
  const milestones = [...assignment.milestones, milestone].toSorted(inOrderOfTime)
  return { ...assignment, status: to, milestones }
})
