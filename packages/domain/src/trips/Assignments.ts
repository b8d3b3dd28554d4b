/** Assigning drivers to trips, and reports of their progress (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { newBusinessToken } from "../kernel/security/BusinessToken.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import {
  type Conflict,
  type ConfirmationRequired,
  type InvalidInput,
  type NotFound,
  orNotFound
} from "../kernel/Errors.ts"
import * as Field from "../kernel/fields/Field.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { listOf } from "../kernel/fields/List.ts"
import { type AssignmentId, DriverId, type TripId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import type { IllegalTransition, Mover } from "../kernel/StateMachine.ts"
import { Transaction } from "../kernel/Transaction.ts"
import {
  type Assignment,
  assignmentFields,
  type AssignmentReport,
  type DriverStatusReport,
  isLive
} from "./Assignment.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import { makeCheckTrip } from "./Clashes.ts"
import {
  assignmentAfterReport,
  invalidInput,
  milestoneOf,
  reportedAssignment,
  requireDispatchable
} from "./Reporting.ts"
import type { MilestoneReached } from "./Milestone.ts"
import { type Trip, tripRecord, TripRecord } from "./Trip.ts"
import { TripUnitOfWork } from "./TripUnitOfWork.ts"
import { TripWarning } from "./TripWarning.ts"

/** A trip has at most this many drivers. */
export const maxDriversPerTrip = 20

/** A set may repeat ids, up to so many in total. */
const maxIdsPerSet = 5 * maxDriversPerTrip

/** The ids of the complete set of a trip's drivers, in any order; repeated ids count once. */
export const driverIdSet = listOf(DriverId, { most: maxIdsPerSet }).check(
  check<ReadonlyArray<number>>("too_long", (ids) => new Set(ids).size <= maxDriversPerTrip)
)

/** The complete set of a trip's drivers. */
export const DriverSet = Schema.Struct({
  driver_ids: driverIdSet,
  force: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type DriverSet = typeof DriverSet.Type

/** A driver of the trip. The token is returned once, when the driver is added. */
const AssignedDriver = Schema.Struct({
  ...Field.recordOf(Field.pick(assignmentFields, ["driver_id", "name", "status"])).fields,
  driver_token: Schema.NullOr(
    Schema.String.annotate({
      description:
        "The token for links to `/driver/*`; returned only when the driver is added, null afterwards."
    })
  )
})

/** The trip with its new set of drivers. */
export const AssignmentRecord = Schema.Struct({
  trip: TripRecord,
  drivers: Schema.Array(AssignedDriver),
  warnings: Schema.Array(TripWarning)
})
export type AssignmentRecord = typeof AssignmentRecord.Type

/** The record of a trip that was assigned, with the tokens of its new drivers and local times in `timezone`. */
export const assignmentRecord = (
  trip: Trip,
  tokenOf: ReadonlyMap<DriverId, string>,
  warnings: ReadonlyArray<TripWarning>,
  timezone: string
): AssignmentRecord => ({
  trip: tripRecord(trip, timezone),
  drivers: trip.drivers.map(({ driver_id, name, status }) => ({
    driver_id,
    name,
    status,
    driver_token: tokenOf.get(driver_id) ?? null
  })),
  warnings
})

/**
 * - `assign`: replaces the trip's set of drivers. A driver who is in it already keeps assignment and token, also a
 *   completed one; a new driver is `assigned`; the live assignment of a missing driver is cancelled. Sends
 *   `driver.assigned` if the set changed. `InvalidInput` names drivers who cannot be given work; `IllegalTransition`
 *   unless the trip is confirmed or in progress; `ConfirmationRequired` for clashes of new drivers, and of the car if
 *   there are new drivers, if the business enforces its clash policy.
 * - `report`: a report for an assignment, by its driver or by an operator; returns the assignment and the trip.
 *   Repeating `en_route` or a milestone changes nothing. `guard` runs after the trip is locked and before anything
 *   changes. `NotFound` if the business has no such assignment.
 * - `reportFor`: an operator's report for a driver of the trip. `IllegalTransition` also if the driver's assignment was
 *   cancelled, or if the trip has no drivers.
 */
export class Assignments extends Context.Service<
  Assignments,
  {
    readonly assign: (
      acting: ActingBusiness,
      tripId: TripId,
      wanted: DriverSet
    ) => Effect.Effect<AssignmentRecord, NotFound | InvalidInput | IllegalTransition | ConfirmationRequired>
    readonly report: (
      acting: ActingBusiness,
      assignmentId: AssignmentId,
      report: AssignmentReport,
      mover: "driver" | "operator",
      guard?: Effect.Effect<void, Conflict>
    ) => Effect.Effect<
      { readonly assignment: Assignment; readonly trip: Trip },
      NotFound | InvalidInput | IllegalTransition | Conflict
    >
    readonly reportFor: (
      acting: ActingBusiness,
      tripId: TripId,
      report: DriverStatusReport,
      precondition?: Precondition<TripRecord>
    ) => Effect.Effect<TripRecord, NotFound | InvalidInput | IllegalTransition | Conflict>
  }
>()("@livery/domain/Assignments") {
  static readonly layer = Layer.effect(
    Assignments,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const assignments = yield* AssignmentRepository
      const unitOfWork = yield* TripUnitOfWork
      const cryptography = yield* Cryptography
      const checkTrip = yield* makeCheckTrip

      const assign = Effect.fn("Assignments.assign")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { driver_ids, force }: DriverSet
      ) {
        const { business_id } = acting
        const wanted = new Set(driver_ids)
        return yield* transaction.run(
          Effect.gen(function* () {
            const available = new Set(yield* assignments.lockDrivers(business_id, [...wanted]))
            const trip = yield* unitOfWork.lock(acting, tripId)
            yield* requireDispatchable(trip, "assigned", "operator")
            const present = new Set(trip.drivers.map(({ driver_id }) => driver_id))
            const added = [...wanted].filter((id) => !present.has(id))
            const unavailable = added.filter((id) => !available.has(id))
            if (unavailable.length > 0)
              return yield* invalidInput(
                ...unavailable.map((id) => ({
                  field: `driver_ids.${driver_ids.indexOf(id)}`,
                  issue: "not_found" as const
                }))
              )
            const kept = trip.drivers.filter((it) => wanted.has(it.driver_id) || !isLive(it))
            const live = kept.filter(isLive).map(({ driver_id }) => driver_id)
            const warnings = yield* checkTrip(
              acting.timezone,
              trip,
              {
                drivers: [...live, ...added],
                decisiveDrivers: added,
                car: true,
                decisiveCar: added.length > 0,
                seats: true,
                duplicates: false
              },
              force === true
            )
            const tokens = yield* Effect.forEach(added, (driver_id) =>
              Effect.map(newBusinessToken("driver", business_id), (token) => ({
                driver_id,
                ...token
              }))
            ).pipe(Effect.provideService(Cryptography, cryptography))
            const committed = yield* unitOfWork.commit(
              acting,
              trip,
              { ...trip, drivers: kept, newDrivers: tokens },
              "operator"
            )
            const tokenOf = new Map(tokens.map(({ driver_id, token }) => [driver_id, token]))
            return assignmentRecord(committed, tokenOf, warnings, acting.timezone)
          })
        )
      })

      /** Stores a report for an assignment of a locked trip. */
      const storeReport = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        trip: Trip,
        assignment: Assignment,
        report: AssignmentReport,
        milestone: MilestoneReached | undefined,
        mover: Mover
      ) {
        const after = yield* assignmentAfterReport(trip, assignment, report, milestone, mover)
        const isReported = ({ assignment_id }: Assignment) => assignment_id === assignment.assignment_id
        const isDropped = after.status === "cancelled" && trip.drivers.some(isReported)
        const wanted = isDropped
          ? {
              drivers: trip.drivers.filter((it) => !isReported(it)),
              former_drivers: [...trip.former_drivers, after]
            }
          : { drivers: trip.drivers.map((it) => (isReported(it) ? after : it)) }
        const committed = yield* unitOfWork.commit(acting, trip, { ...trip, ...wanted }, mover)
        return { assignment: after, trip: committed }
      })

      const report = Effect.fn("Assignments.report")(function* (
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
        return yield* transaction.run(
          Effect.gen(function* () {
            const { trip_id } = yield* find
            const trip = yield* unitOfWork.lock(acting, trip_id)
            yield* guard
            const current = trip.drivers.find(({ assignment_id }) => assignment_id === assignmentId)
            const assignment = current ?? (yield* find).assignment
            const milestone = yield* milestoneOf(report, yield* DateTime.now, acting.timezone)
            return yield* storeReport(acting, trip, assignment, report, milestone, mover)
          })
        )
      })

      const reportFor = Effect.fn("Assignments.reportFor")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        report: DriverStatusReport,
        precondition: Precondition<TripRecord> = unconditional
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const trip = yield* unitOfWork.lock(acting, tripId)
            yield* precondition(tripRecord(trip, acting.timezone))
            const milestone = yield* milestoneOf(report, yield* DateTime.now, acting.timezone)
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
        )
      })

      return Assignments.of({ assign, report, reportFor })
    })
  ).pipe(Layer.provide(TripUnitOfWork.layer))
}
