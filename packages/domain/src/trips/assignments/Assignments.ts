/** Assigning drivers to trips, and reports of their progress (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { type Conflict, orNotFound, refuseIssues } from "../../kernel/Errors.ts"
import type { AssignmentId, TripId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import type { Mover } from "../../kernel/StateMachine.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import {
  type Assignment,
  type AssignmentReport,
  type DriverStatusReport,
  isOnTrip
} from "../trip/Assignment.ts"
import { AssignmentRepository } from "../trip/AssignmentRepository.ts"
import { makeCheckTrip } from "../schedule/Clashes.ts"
import { makeRequireTimelyStart } from "./EarlyStart.ts"
import {
  assignmentAfterReport,
  reportedAssignment,
  reportedMilestone,
  requireDispatchable,
  tappedAt
} from "./Reporting.ts"
import type { MilestoneReached } from "../trip/Milestone.ts"
import { makeLockAvailable, makeNewAssignments } from "./Staffing.ts"
import type { TripRecord } from "../trip/Trip.ts"
import { type Trip, tripRecord } from "../trip/Trip.ts"
import { withNewDrivers } from "../schedule/TripCars.ts"
import { checksOfStaffing } from "../changes/TripRules.ts"
import { TripUnitOfWork } from "../changes/TripUnitOfWork.ts"
import { type DriverSet, driverSetIssues, staffingOf, wantedDrivers } from "./WantedDrivers.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { assignmentRecord } from "./AssignmentRecord.ts"

export class Assignments extends Context.Service<Assignments>()("@livery/domain/Assignments", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const assignments = yield* AssignmentRepository
    const unitOfWork = yield* TripUnitOfWork
    const lockAvailable = yield* makeLockAvailable
    const newAssignments = yield* makeNewAssignments
    const checkTrip = yield* makeCheckTrip
    const requireTimelyStart = yield* makeRequireTimelyStart

    /** Stores a report for an assignment of a locked trip. A cancelled assignment moves to the former drivers. */
    const storeReport = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      trip: Trip,
      assignment: Assignment,
      report: AssignmentReport,
      milestone: MilestoneReached | undefined,
      mover: Mover
    ) {
      yield* requireTimelyStart(trip, assignment, report)
      const heard = yield* DateTime.now
      const tapped = tappedAt(report, heard, acting.timezone) ?? heard
      const after = yield* assignmentAfterReport(
        trip,
        assignment,
        report,
        milestone,
        mover,
        { tapped, heard },
        acting.timezone,
        assignments.start(acting.business_id, assignment.assignment_id)
      )
      const isReported = ({ assignment_id }: Assignment) => assignment_id === assignment.assignment_id
      const isDropped = !isOnTrip(after) && trip.drivers.some(isReported)
      const changes = isDropped
        ? {
            drivers: trip.drivers.filter((each) => !isReported(each)),
            former_drivers: [...trip.former_drivers, after]
          }
        : { drivers: trip.drivers.map((each) => (isReported(each) ? after : each)) }
      const committed = yield* unitOfWork.commit(acting, trip, { ...trip, ...changes }, mover, {
        reason: report.reason,
        startedAt: tapped
      })
      return { assignment: after, trip: committed }
    })

    const report = traced("Assignments.report")(function* (
      acting: ActingBusiness,
      assignmentId: AssignmentId,
      report: AssignmentReport,
      mover: "driver" | "operator",
      guard: Effect.Effect<void, Conflict> = Effect.void
    ) {
      const find = Effect.flatMap(
        assignments.find(acting.business_id, assignmentId),
        orNotFound("assignment")
      )
      return yield* atomically(transaction, function* () {
        const { trip_id } = yield* find
        const trip = yield* unitOfWork.lock(acting, trip_id)
        yield* guard
        const current = trip.drivers.find(({ assignment_id }) => assignment_id === assignmentId)
        const assignment = current ?? (yield* find).assignment
        const milestone = yield* reportedMilestone(report, yield* DateTime.now, acting.timezone)
        return yield* storeReport(acting, trip, assignment, report, milestone, mover)
      })
    })

    return {
      /**
       * Replaces the trip's set of drivers. A driver who is in it already keeps assignment and token, also a completed
       * one; a new driver is `assigned`; the live assignment of a missing driver is cancelled. Sends `driver.assigned`
       * if the set changed, and `trip.updated` if the car of an assignment changed. `InvalidInput` names drivers and
       * cars that cannot be given work; `IllegalTransition` unless the trip is confirmed or in progress. If the
       * business enforces its clash policy, `ConfirmationRequired` for clashes of new drivers and new cars, and for
       * those of all cars if there are new drivers.
       */
      assign: traced("Assignments.assign")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        driverSet: DriverSet
      ) {
        const { business_id, timezone } = acting
        yield* refuseIssues(driverSetIssues(driverSet))
        const wanted = wantedDrivers(driverSet) ?? []
        return yield* atomically(transaction, function* () {
          const available = yield* lockAvailable(business_id, wanted)
          const before = yield* unitOfWork.lock(acting, tripId)
          yield* requireDispatchable(before, "assigned", "operator")
          const { added, issues, trip } = staffingOf(before, wanted, available)
          yield* refuseIssues(issues)
          const ids = added.map(({ driver_id }) => driver_id)
          const checks = checksOfStaffing(before, withNewDrivers(trip, added), ids)
          const warnings = yield* checkTrip(timezone, trip, checks, driverSet.force === true)
          const newDrivers = yield* newAssignments(business_id, added)
          const committed = yield* unitOfWork.commit(acting, before, { ...trip, newDrivers }, "operator")
          const tokenOf = new Map(newDrivers.map(({ driver_id, token }) => [driver_id, token]))
          return assignmentRecord(committed, tokenOf, warnings, timezone)
        })
      }),

      /**
       * A report for an assignment, by its driver or by an operator; returns the assignment and the trip. Repeating
       * `en_route`, a milestone, an answer or an undone start changes nothing. A reason is kept in the timeline.
       * `ConfirmationRequired` for a start long before the pickup, without `force`. `guard` runs after the trip is
       * locked and before anything changes. `NotFound` if the business has no such assignment.
       */
      report,

      /**
       * An operator's report for a driver of the trip. `IllegalTransition` also if the driver's assignment was
       * cancelled, or if the trip has no drivers.
       */
      reportFor: traced("Assignments.reportFor")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        report: DriverStatusReport,
        precondition: Precondition<TripRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const trip = yield* unitOfWork.lock(acting, tripId)
          yield* precondition(tripRecord(trip, acting.timezone))
          const milestone = yield* reportedMilestone(report, yield* DateTime.now, acting.timezone)
          const assignment = yield* reportedAssignment(trip, report, (driverId) =>
            assignments.findLast(acting.business_id, tripId, driverId)
          )
          const { trip: committed } = yield* storeReport(
            acting,
            trip,
            assignment,
            report,
            milestone,
            "operator"
          )
          return tripRecord(committed, acting.timezone)
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Assignments, Assignments.make).pipe(
    Layer.provide(TripUnitOfWork.layer)
  )
}
