/** The port that stores assignments. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ClashPolicy } from "../business/ClashPolicy.ts"
import type { AssignmentId, BusinessId, DriverId, TripId } from "../kernel/Ids.ts"
import type { Mover } from "../kernel/StateMachine.ts"
import type { Assignment, AssignmentStatus, MilestoneReached } from "./Assignment.ts"
import type { TripWindow } from "./Trip.ts"

/** A driver who is needed at the same time by another trip. */
export interface Clash {
  readonly driver_id: DriverId
  readonly trip_id: TripId
}

/**
 * Whoever changes the assignments of a trip holds the trip (`TripRepository.hold`); drivers, cars and customers that
 * are held too are held before it.
 *
 * - `find`: an assignment, also a cancelled one, and the trip that it is of; `None` if the business has no such one.
 * - `last`: the driver's last part in a trip, also a cancelled one; `None` if there never was one.
 * - `holdDrivers`: those of the drivers who can be given work: the business's, active, not deleted. They cannot be
 *   deleted before the open transaction ends.
 * - `insert`: new assignments of drivers to a trip, each `assigned`, in the order given; tokens are given by their
 *   SHA-256.
 * - `move`: assignments' status from now on, and by whom; the tokens of those that end are dead at once.
 * - `retime`: the assignments of a trip take another time, also those that are over.
 * - `reach`: a milestone; the first of each stands.
 * - `clashPolicy`: what the business makes of clashes.
 * - `takeTurns`: others that check the clashes of one of these drivers wait until the open transaction ends.
 * - `clashes`: what else of the drivers' live assignments is in that window, beside this trip; by driver, then trip.
 * - `openTrips`: the trips that the driver has a live assignment of, in order of id.
 */
export class AssignmentRepository extends Context.Service<
  AssignmentRepository,
  {
    readonly find: (
      businessId: BusinessId,
      assignmentId: AssignmentId
    ) => Effect.Effect<Option.Option<{ readonly trip_id: TripId; readonly assignment: Assignment }>>
    readonly last: (
      businessId: BusinessId,
      tripId: TripId,
      driverId: DriverId
    ) => Effect.Effect<Option.Option<Assignment>>
    readonly holdDrivers: (
      businessId: BusinessId,
      driverIds: ReadonlyArray<DriverId>
    ) => Effect.Effect<ReadonlyArray<DriverId>>
    readonly insert: (
      businessId: BusinessId,
      tripId: TripId,
      window: TripWindow,
      drivers: ReadonlyArray<{ readonly driver_id: DriverId; readonly tokenHash: string }>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Assignment>>
    readonly move: (
      businessId: BusinessId,
      assignmentIds: ReadonlyArray<AssignmentId>,
      to: { readonly status: AssignmentStatus; readonly by: Mover; readonly now: DateTime.Utc }
    ) => Effect.Effect<void>
    readonly retime: (businessId: BusinessId, tripId: TripId, window: TripWindow) => Effect.Effect<void>
    readonly reach: (
      businessId: BusinessId,
      assignmentId: AssignmentId,
      milestone: MilestoneReached
    ) => Effect.Effect<void>
    readonly clashPolicy: (businessId: BusinessId) => Effect.Effect<ClashPolicy>
    readonly takeTurns: (businessId: BusinessId, driverIds: ReadonlyArray<DriverId>) => Effect.Effect<void>
    readonly clashes: (
      businessId: BusinessId,
      tripId: TripId,
      window: TripWindow,
      driverIds: ReadonlyArray<DriverId>
    ) => Effect.Effect<ReadonlyArray<Clash>>
    readonly openTrips: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<ReadonlyArray<TripId>>
  }
>()("@livery/domain/AssignmentRepository") {}
