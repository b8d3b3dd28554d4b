/** Who drives which trip, and how they get on with it (specification, Trips and driver routes). */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { type Conflict, type ConfirmationRequired, type InvalidInput, NotFound } from "../kernel/Errors.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { type AssignmentId, DriverId, type TripId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import type { IllegalTransition, Mover } from "../kernel/StateMachine.ts"
import { Transaction } from "../kernel/Transaction.ts"
import {
  type Assignment,
  type AssignmentReport,
  AssignmentStatus,
  type DriverStatusReport,
  isLive,
  type MilestoneReached
} from "./Assignment.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import { clashesOf, ClashWarning } from "./Clashes.ts"
import { type Trip, tripRecord, TripRecord, windowOf } from "./Trip.ts"
import { meant, milestoneOf, refusal, reported, requireOpen } from "./Reporting.ts"
import { TripLife } from "./TripLife.ts"

/** A trip has at most this many drivers. */
export const driversPerTrip = 20

/** What every driver token starts with; 43 base64url characters follow. */
export const driverTokenPrefix = "drv_"

/** What `POST /trips/{id}/drivers` takes: all the drivers that the trip shall have, in any order, each once or more. */
export const DriverSet = Schema.Struct({
  driver_ids: Schema.Array(DriverId).check(
    check<ReadonlyArray<number>>("too_long", (ids) => new Set(ids).size <= driversPerTrip)
  ),
  force: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type DriverSet = typeof DriverSet.Type

/** A driver of the trip; the token is told when the driver is added, and never again. */
const AssignedDriver = Schema.Struct({
  driver_id: Schema.Int,
  name: Schema.String,
  status: AssignmentStatus,
  driver_token: Schema.NullOr(
    Schema.String.annotate({
      description: "For links to `/driver/*`; told once, when the driver is added, and null from then on."
    })
  )
})

/** The trip with its new set of drivers. */
export const AssignmentRecord = Schema.Struct({
  trip: TripRecord,
  drivers: Schema.Array(AssignedDriver),
  warnings: Schema.Array(ClashWarning)
})
export type AssignmentRecord = typeof AssignmentRecord.Type

/**
 * - `assign`: gives the trip the whole set of drivers that is wanted. Who is in it already keeps their part, finished
 *   or not, and their token; who is new is `assigned`; who is missing and not finished is cancelled. `driver.assigned`
 *   if the set changed. `InvalidInput` names drivers who cannot be given work; `IllegalTransition` unless the trip is
 *   confirmed or under way; `ConfirmationRequired` for clashes of new drivers where the business enforces that.
 * - `report`: a driver's own report of an assignment, or somebody's for them; gives the assignment and the trip.
 *   Reporting `en_route` again, or a milestone, changes nothing. `guard` is asked once the trip is held, before
 *   anything changes. `NotFound` if the business has no such assignment.
 * - `reportFor`: an operator's report for a driver of the trip; `IllegalTransition` also for one who dropped out, and
 *   while the trip has none.
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
      const life = yield* TripLife
      const cryptography = yield* Cryptography

      const newToken = Effect.gen(function* () {
        const token = `${driverTokenPrefix}${Base64Url.encode(yield* cryptography.randomBytes(32))}`
        return { token, tokenHash: yield* cryptography.sha256(token) }
      })

      const assign = Effect.fn("Assignments.assign")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { driver_ids, force }: DriverSet
      ) {
        const { business_id } = acting
        const wanted = new Set(driver_ids)
        return yield* transaction.run(
          Effect.gen(function* () {
            const free = new Set(yield* assignments.holdDrivers(business_id, [...wanted]))
            const trip = yield* life.hold(acting, tripId)
            yield* requireOpen(trip, "assigned", "operator")
            const present = new Set(trip.drivers.map(({ driver_id }) => driver_id))
            const added = [...wanted].filter((id) => !present.has(id))
            const strangers = added.filter((id) => !free.has(id))
            if (strangers.length > 0)
              return yield* refusal(
                ...strangers.map((id) => ({
                  field: `driver_ids.${driver_ids.indexOf(id)}`,
                  issue: "not_found" as const
                }))
              )
            const kept = trip.drivers.filter((it) => wanted.has(it.driver_id) || !isLive(it))
            const warnings = yield* clashesOf(
              { ...trip, drivers: kept },
              {
                decisive: added,
                force: force === true
              }
            ).pipe(Effect.provideService(AssignmentRepository, assignments))
            const now = yield* DateTime.now
            const tokens = yield* Effect.forEach(added, (driver_id) =>
              Effect.map(newToken, (token) => ({ driver_id, ...token }))
            )
            const made =
              added.length === 0
                ? []
                : yield* assignments.insert(business_id, tripId, windowOf(trip), tokens, now)
            const settled = yield* life.settle(
              acting,
              trip,
              { ...trip, drivers: [...kept, ...made] },
              "operator"
            )
            const tokenOf = new Map(tokens.map(({ driver_id, token }) => [driver_id, token]))
            return {
              trip: tripRecord(settled, acting.timezone),
              drivers: settled.drivers.map(({ driver_id, name, status }) => ({
                driver_id,
                name,
                status,
                driver_token: tokenOf.get(driver_id) ?? null
              })),
              warnings
            }
          })
        )
      })

      /** Takes a report in for an assignment of a held trip. */
      const take = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        trip: Trip,
        assignment: Assignment,
        report: AssignmentReport,
        milestone: MilestoneReached | undefined,
        mover: Mover
      ) {
        const changed = yield* reported(trip, assignment, report, milestone, mover)
        const isReached = changed.milestones.length > assignment.milestones.length
        if (isReached && milestone !== undefined)
          yield* assignments.reach(acting.business_id, assignment.assignment_id, milestone)
        // Who drops out is no driver of the trip any more.
        const drivers = trip.drivers.flatMap((it) => {
          if (it.assignment_id !== assignment.assignment_id) return [it]
          return changed.status === "cancelled" ? [] : [changed]
        })
        const settled = yield* life.settle(acting, trip, { ...trip, drivers }, mover)
        return { assignment: changed, trip: settled }
      })

      const report = Effect.fn("Assignments.report")(function* (
        acting: ActingBusiness,
        assignmentId: AssignmentId,
        report: AssignmentReport,
        mover: "driver" | "operator",
        guard: Effect.Effect<void, Conflict> = Effect.void
      ) {
        const find = Effect.mapError(
          Effect.flatMap(assignments.find(acting.business_id, assignmentId), Effect.fromOption),
          () => new NotFound({ resource: "assignment" })
        )
        return yield* transaction.run(
          Effect.gen(function* () {
            const { trip_id } = yield* find
            const trip = yield* life.hold(acting, trip_id)
            yield* guard
            const standing = trip.drivers.find(({ assignment_id }) => assignment_id === assignmentId)
            // One that was cancelled is not among the trip's drivers.
            const assignment = standing ?? (yield* find).assignment
            const milestone = yield* milestoneOf(report, yield* DateTime.now, acting.timezone)
            return yield* take(acting, trip, assignment, report, milestone, mover)
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
            const trip = yield* life.hold(acting, tripId)
            yield* precondition(tripRecord(trip, acting.timezone))
            const milestone = yield* milestoneOf(report, yield* DateTime.now, acting.timezone)
            const assignment = yield* meant(trip, report, (driverId) =>
              assignments.last(acting.business_id, tripId, driverId)
            )
            const { trip: settled } = yield* take(acting, trip, assignment, report, milestone, "operator")
            return tripRecord(settled, acting.timezone)
          })
        )
      })

      return Assignments.of({ assign, report, reportFor })
    })
  ).pipe(Layer.provide(TripLife.layer))
}
