/** The port that stores assignments. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { AssignmentId, BusinessId, CarId, DriverId, TripId } from "../../kernel/Ids.ts"
import type { Mover } from "../../kernel/StateMachine.ts"
import type { Assignment, AssignmentStatus, unanswered } from "./Assignment.ts"
import type { MilestoneReached } from "./Milestone.ts"
import type { TripWindow } from "./TripWindow.ts"

/** A driver who can be given work, with the id of the default car, which may be inactive. */
export interface LockedDriver {
  readonly driver_id: DriverId
  readonly default_car_id: CarId | null
}

/** A new assignment. `tokenHash` is the SHA-256 of the driver's token. */
export interface NewAssignment extends Pick<Assignment, "driver_id" | "car_id" | "has_default_car"> {
  readonly tokenHash: string
}

/** The start of a driver: a phone that was offline tells it later. */
export interface DriverStart {
  readonly at: DateTime.Utc
  readonly heard_at: DateTime.Utc
}

/**
 * Lock the trip (`TripRepository.lock`) before a change of its assignments, and drivers, cars and customers before the
 * trip.
 *
 * - `find`: an assignment, cancelled ones included, with its trip; `None` if the business has no such assignment.
 * - `findLast`: the driver's latest assignment to a trip, cancelled ones included; `None` if there never was one.
 * - `lockDrivers`: those of the drivers who can be given work (the business's, active, not deleted), each with the id of
 *   the default car. They cannot be deleted before the open transaction ends.
 * - `insert`: assigns drivers to a trip, each with the status `assigned` and a car, in the order given.
 * - `setCars`: changes the cars of assignments.
 * - `setAnswers`: changes whether drivers accepted or declined.
 * - `start`: when the driver of an assignment started, and when the server heard of it; `None` before that.
 * - `setStatus`: changes the status of assignments as of `now`, and invalidates the tokens of those that end.
 * - `setWindows`: changes the time windows of all assignments of trips, ended ones included.
 * - `insertMilestone`: stores a milestone; ignored if the assignment already has that milestone, of that stop.
 * - `removeMilestone`: deletes a milestone of that kind, of that stop.
 * - `erasePlaces`: removes the places of the milestones and the tokens of ended assignments, when a person is erased.
 * - `openTrips`: the trips that the driver has a live assignment to, in order of id.
 */
export class AssignmentRepository extends Context.Service<
  AssignmentRepository,
  {
    readonly find: (
      businessId: BusinessId,
      assignmentId: AssignmentId
    ) => Effect.Effect<Option.Option<{ readonly trip_id: TripId; readonly assignment: Assignment }>>
    readonly findLast: (
      businessId: BusinessId,
      tripId: TripId,
      driverId: DriverId
    ) => Effect.Effect<Option.Option<Assignment>>
    readonly lockDrivers: (
      businessId: BusinessId,
      driverIds: ReadonlyArray<DriverId>
    ) => Effect.Effect<ReadonlyArray<LockedDriver>>
    readonly insert: (
      businessId: BusinessId,
      tripId: TripId,
      window: TripWindow,
      drivers: ReadonlyArray<NewAssignment>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Assignment>>
    readonly start: (
      businessId: BusinessId,
      assignmentId: AssignmentId
    ) => Effect.Effect<Option.Option<DriverStart>>
    readonly setStatus: (
      businessId: BusinessId,
      assignmentIds: ReadonlyArray<AssignmentId>,
      to: { readonly status: AssignmentStatus; readonly by: Mover; readonly now: DateTime.Utc }
    ) => Effect.Effect<void>
    readonly setCars: (
      businessId: BusinessId,
      changed: ReadonlyArray<Pick<Assignment, "assignment_id" | "car_id" | "has_default_car">>
    ) => Effect.Effect<void>
    readonly setAnswers: (
      businessId: BusinessId,
      answered: ReadonlyArray<Pick<Assignment, "assignment_id" | keyof typeof unanswered>>
    ) => Effect.Effect<void>
    readonly setWindows: (
      businessId: BusinessId,
      moved: ReadonlyArray<{ readonly tripId: TripId; readonly window: TripWindow }>
    ) => Effect.Effect<void>
    readonly insertMilestone: (
      businessId: BusinessId,
      assignmentId: AssignmentId,
      milestone: MilestoneReached
    ) => Effect.Effect<void>
    readonly removeMilestone: (
      businessId: BusinessId,
      assignmentId: AssignmentId,
      milestone: Pick<MilestoneReached, "milestone" | "stop_index">
    ) => Effect.Effect<void>
    readonly erasePlaces: (
      businessId: BusinessId,
      assignmentIds: ReadonlyArray<AssignmentId>
    ) => Effect.Effect<void>
    readonly openTrips: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<ReadonlyArray<TripId>>
  }
>()("@livery/domain/AssignmentRepository") {}
