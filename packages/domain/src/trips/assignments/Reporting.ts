/** Reports of a driver's progress: pure rules that compute the assignment after a report. */
import { DateTime, Effect, Option } from "effect"
import { Conflict, invalidField, InvalidInput } from "../../kernel/Errors.ts"
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
  isAcceptedTime,
  isLive,
  lateStartHours,
  unanswered,
  undoMinutes
} from "../trip/Assignment.ts"
import type { DriverStart } from "../trip/AssignmentRepository.ts"
import { isSameMilestone, type MilestoneReached } from "../trip/Milestone.ts"
import { pickupText, type Trip } from "../trip/Trip.ts"
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

/** Issues with the place and the stop of a milestone. A report without a milestone may have none of them. */
const milestoneIssues = ({
  at,
  lat,
  lng,
  milestone,
  pickup_pin,
  reason,
  status,
  stop_index,
  undo
}: AssignmentReport): ReadonlyArray<FieldIssue> => {
  if (milestone === undefined)
    return Object.entries({
      pickup_pin,
      stop_index,
      lat,
      lng,
      at: status === "en_route" || undo === true ? undefined : at
    })
      .filter(([, value]) => value !== undefined)
      .map(([field]) => ({ field, issue: "invalid" }))
  const isAtStop = milestone === "arrived_at_stop"
  return [
    ...(undo === true && reason === undefined ? [{ field: "reason", issue: "required" as const }] : []),
    ...(pickup_pin !== undefined && milestone !== "passenger_on_board"
      ? [{ field: "pickup_pin", issue: "invalid" as const }]
      : []),
    ...(isAtStop && stop_index === undefined ? [{ field: "stop_index", issue: "required" as const }] : []),
    ...(!isAtStop && stop_index !== undefined ? [{ field: "stop_index", issue: "invalid" as const }] : []),
    ...(lat === undefined && lng !== undefined ? [{ field: "lat", issue: "required" as const }] : []),
    ...(lng === undefined && lat !== undefined ? [{ field: "lng", issue: "required" as const }] : [])
  ]
}

/** An answer is sent alone, so that it cannot be refused together with something else. */
const answerIssues = ({
  accepted,
  milestone,
  pickup_address,
  status,
  trip_date,
  undo
}: AssignmentReport): ReadonlyArray<FieldIssue> => {
  const seen = Object.entries({ trip_date, pickup_address }).filter(([, value]) => value !== undefined)
  if (accepted !== true && seen.length > 0) return seen.map(([field]) => ({ field, issue: "invalid" }))
  const isAlone = status === undefined && milestone === undefined && undo !== true
  return accepted === undefined || isAlone ? [] : [{ field: "accepted", issue: "invalid" }]
}

/** Whether a report may have a reason. */
const isExplained = ({ status, undo }: AssignmentReport) =>
  undo === true || status === "cancelled" || status === "assigned"

/** The milestone in a report, or undefined; a time ahead of the server's is taken as `now`. `InvalidInput` for a report with neither a status nor a milestone. */
export const reportedMilestone = (
  report: AssignmentReport,
  now: DateTime.Utc,
  timezone: string
): Effect.Effect<MilestoneReached | undefined, InvalidInput> => {
  const stated = report.at === undefined ? now : instantOf(report.at, timezone)
  // The phone's clock may be wrong.
  const at = isInFuture(stated, now) ? now : stated
  const issues: ReadonlyArray<FieldIssue> = [
    ...(report.status === undefined &&
    report.milestone === undefined &&
    report.undo !== true &&
    report.accepted === undefined
      ? [{ field: "status", issue: "required" as const }]
      : []),
    ...(report.undo === true && report.status !== undefined && report.status !== "assigned"
      ? [{ field: "undo", issue: "invalid" as const }]
      : []),
    ...(report.reason !== undefined && !isExplained(report)
      ? [{ field: "reason", issue: "invalid" as const }]
      : []),
    ...answerIssues(report),
    ...milestoneIssues(report)
  ]
  if (issues.length > 0) return Effect.fail(new InvalidInput({ issues }))
  const { lat = null, lng = null, milestone, stop_index = null } = report
  return Effect.succeed(milestone && { milestone, at, lat, lng, stop_index })
}

/**
 * When the driver tapped a start or its undoing, if a report says so and that was before `now`. A phone may have been offline
 * meanwhile; its clock may also be wrong.
 */
export const tappedAt = (
  { at, status, undo }: AssignmentReport,
  now: DateTime.Utc,
  timezone: string
): DateTime.Utc | undefined => {
  if (at === undefined || (status !== "en_route" && undo !== true)) return undefined
  const stated = instantOf(at, timezone)
  const earliest = DateTime.subtract(now, { hours: lateStartHours })
  const isBelievable = DateTime.isGreaterThan(stated, earliest) && DateTime.isLessThan(stated, now)
  return isBelievable ? stated : undefined
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

/**
 * The assignment after its driver accepted the job or took that back. `Conflict` if the driver saw another pickup: a phone that
 * was offline sends the answer late.
 */
const answered = Effect.fnUntraced(function* (
  trip: Trip,
  assignment: Assignment,
  { accepted, pickup_address, trip_date }: AssignmentReport,
  mover: Mover,
  { heard }: ReportTimes,
  timezone: string
): Effect.fn.Return<Assignment, IllegalTransition | Conflict> {
  yield* requireDispatchable(trip, "assigned", mover)
  if (!isLive(assignment))
    return yield* new IllegalTransition({
      machine: assignmentMachine.name,
      from: assignment.status,
      to: "accepted",
      legal: [],
      final: true
    })
  if (assignment.status !== "assigned") return assignment
  if (accepted !== true) return { ...assignment, ...unanswered }
  const hasOtherTime =
    trip_date !== undefined && !isAcceptedTime(instantOf(trip_date, timezone), trip.trip_date)
  if (hasOtherTime || (pickup_address ?? trip.pickup_address) !== trip.pickup_address)
    return yield* new Conflict({
      reason: `The pickup has changed: it is on ${pickupText(trip.trip_date, trip.pickup_timezone, timezone)} at ${trip.pickup_address}`
    })
  return assignment.accepted_at === null
    ? { ...assignment, accepted_at: heard, accepted_pickup: trip.trip_date }
    : assignment
})

/** Orders milestones by time, because a phone that was offline may report an earlier one later. */
const byTime = (left: MilestoneReached, right: MilestoneReached) => {
  const elapsed = left.at.epochMilliseconds - right.at.epochMilliseconds
  if (elapsed !== 0) return elapsed
  if (left.milestone === right.milestone) return (left.stop_index ?? 0) - (right.stop_index ?? 0)
  return left.milestone < right.milestone ? -1 : 1
}

/** The assignment without a milestone that was reported by mistake. */
const withoutMilestone = (
  assignment: Assignment,
  milestone: MilestoneReached,
  mover: Mover
): Effect.Effect<Assignment, InvalidInput> => {
  if (mover !== "operator") return invalidField("undo", "illegal_transition")
  const milestones = assignment.milestones.filter((reached) => !isSameMilestone(reached, milestone))
  return milestones.length === assignment.milestones.length
    ? invalidField("milestone", "not_found")
    : Effect.succeed({ ...assignment, milestones })
}

/** The times of a report: when the driver tapped it, and when the server heard of it. */
export interface ReportTimes {
  readonly tapped: DateTime.Utc
  readonly heard: DateTime.Utc
}

const isWithinUndoTime = (from: DateTime.Utc, to: DateTime.Utc) =>
  DateTime.isLessThanOrEqualTo(to, DateTime.add(from, { minutes: undoMinutes }))

/** The assignment whose start was a mistake. `findStart` looks up when the driver started. */
const withoutStart = Effect.fnUntraced(function* (
  trip: Trip,
  assignment: Assignment,
  { undo }: AssignmentReport,
  mover: Mover,
  times: ReportTimes,
  findStart: Effect.Effect<Option.Option<DriverStart>>
): Effect.fn.Return<Assignment, InvalidInput | IllegalTransition> {
  yield* requireDispatchable(trip, "assigned", mover)
  const isUndone = assignment.status === "assigned"
  if (isUndone && undo === true) return assignment
  // The table has no such move for drivers, because theirs is bound to a time.
  yield* assignmentMachine.move(assignment.status, "assigned", undo === true ? "operator" : mover)
  if (mover === "driver") {
    const isLate = Option.exists(
      yield* findStart,
      (start) => !isWithinUndoTime(start.at, times.tapped) && !isWithinUndoTime(start.heard_at, times.heard)
    )
    if (isLate)
      return yield* new IllegalTransition({
        machine: assignmentMachine.name,
        from: assignment.status,
        to: "assigned",
        legal: assignmentMachine.next(assignment.status, mover),
        final: false,
        reason: `A driver may undo a start within ${undoMinutes} minutes; after that, the office may do so`
      })
  }
  if (assignment.milestones.length > 0)
    return yield* new InvalidInput({
      issues: [{ field: "status", issue: "illegal_transition" }],
      advice: "The driver has reported milestones; remove them first"
    })
  return { ...assignment, status: "assigned" }
})

/**
 * The assignment after a report: with the reported status, and with the milestone if it is the first of its kind, or of
 * its stop. Stops may be reported in any order, because phones may be offline and drivers may change the order on the way.
 * `findStart` looks up when the driver started.
 */
export const assignmentAfterReport = Effect.fnUntraced(function* (
  trip: Trip,
  assignment: Assignment,
  report: AssignmentReport,
  milestone: MilestoneReached | undefined,
  mover: Mover,
  times: ReportTimes,
  timezone: string,
  findStart: Effect.Effect<Option.Option<DriverStart>>
): Effect.fn.Return<Assignment, InvalidInput | IllegalTransition | Conflict> {
  if (report.accepted !== undefined) return yield* answered(trip, assignment, report, mover, times, timezone)
  if (report.undo === true && milestone !== undefined)
    return yield* withoutMilestone(assignment, milestone, mover)
  if (report.undo === true || report.status === "assigned")
    return yield* withoutStart(trip, assignment, report, mover, times, findStart)
  const to = report.status ?? assignment.status
  const isRepeated = to === assignment.status && to === "en_route"
  if (report.status !== undefined && !isRepeated) {
    yield* requireDispatchable(trip, report.status, mover)
    yield* assignmentMachine.move(assignment.status, report.status, mover)
  }
  if (milestone === undefined && assignment.status === "assigned" && to === "cancelled" && mover === "driver")
    return { ...assignment, status: to, declined_at: times.heard, decline_reason: report.reason ?? null }
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
