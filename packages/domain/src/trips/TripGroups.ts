/** Changing all open trips of a group in one transaction: cancelling and moving them, their fields, their drivers (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer, Result } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { invalidField, refuseIssues } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { isExpressible } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeLockAvailable, makeNewAssignments } from "./assignments/Staffing.ts"
import { type AddedDriver, type Available, staffingOf, wantedDrivers } from "./assignments/WantedDrivers.ts"
import { checksOfChange, checksOfStaffing, requireInvoicedPrice, withStatus } from "./changes/TripRules.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"
import { type GroupChange, groupChangeIssues, maxGroupTrips } from "./groups/GroupChange.ts"
import { type Checks, clashConfirmation, makeCheckTrip } from "./schedule/Clashes.ts"
import { makeLockSchedules } from "./schedule/ScheduleLocks.ts"
import { withNewDrivers } from "./schedule/TripCars.ts"
import { type Trip, tripRecord } from "./trip/Trip.ts"
import { TripCharges } from "./trip/TripCharges.ts"
import { TripRepository } from "./trip/TripRepository.ts"
import { isDispatchable, isOpenTrip } from "./trip/TripStatus.ts"
import { type LockedReferences, makeLockReferences } from "./TripCreation.ts"
import { editOf } from "./TripUpdate.ts"

/** A trip of the group before and after the change, the drivers who are new on it, and the fields that prevent the change. */
interface Wanted {
  readonly before: Trip
  readonly trip: Trip
  readonly added: ReadonlyArray<AddedDriver>
  readonly issues: ReadonlyArray<FieldIssue>
}

const union = <A>(one: ReadonlyArray<A>, other: ReadonlyArray<A>) => [...new Set([...one, ...other])]

/** All checks of a changed trip: those of its fields, and those of its drivers if they were sent. */
const checksOf = ({ added, before }: Wanted, after: Trip, hasDrivers: boolean): Checks => {
  const ofChange = checksOfChange(before, after)
  if (!hasDrivers) return ofChange
  const ids = added.map(({ driver_id }) => driver_id)
  const ofStaffing = checksOfStaffing(before, after, ids)
  return {
    ...ofChange,
    drivers: union(ofChange.drivers, ofStaffing.drivers),
    enforcedDrivers: union(ofChange.enforcedDrivers, ofStaffing.enforcedDrivers),
    cars: union(ofChange.cars, ofStaffing.cars),
    enforcedCars: union(ofChange.enforcedCars, ofStaffing.enforcedCars),
    comparedCars: union(ofChange.comparedCars, ofStaffing.comparedCars)
  }
}

/** The issues of all trips, each field once. */
const issuesOf = (wanted: ReadonlyArray<Wanted>): ReadonlyArray<FieldIssue> => [
  ...new Map(wanted.flatMap(({ issues }) => issues.map((issue) => [issue.field, issue] as const))).values()
]

export class TripGroups extends Context.Service<TripGroups>()("@livery/domain/TripGroups", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const trips = yield* TripRepository
    const unitOfWork = yield* TripUnitOfWork
    const charges = yield* TripCharges
    const checkTrip = yield* makeCheckTrip
    const lockSchedules = yield* makeLockSchedules
    const lockReferences = yield* makeLockReferences
    const lockAvailable = yield* makeLockAvailable
    const newAssignments = yield* makeNewAssignments

    /** Locks the group's open trips. A trip that ended or left the group in the meantime is left out. */
    const lockGroup = Effect.fnUntraced(function* (
      businessId: BusinessId,
      { from_trip_id: firstId, group_id: groupId }: GroupChange
    ) {
      const ids = yield* trips.openTripsOfGroup(businessId, groupId, maxGroupTrips + 1)
      if (ids.length > maxGroupTrips) return yield* invalidField("group_id", "too_long")
      const locked = (yield* trips.lockAll(businessId, ids)).filter(
        ({ group_id, status }) => group_id === groupId && isOpenTrip(status)
      )
      if (locked.length === 0) return yield* invalidField("group_id", "not_found")
      const first = locked.find(({ trip_id }) => trip_id === firstId)
      if (firstId !== undefined && first === undefined)
        return yield* invalidField("from_trip_id", "not_found")
      // After the locks: a trip that ended while this request waited has ended here too.
      const ended = yield* trips.endedTripsOfGroup(businessId, groupId, first?.trip_date, maxGroupTrips)
      const open =
        first === undefined
          ? locked
          : locked.filter(({ trip_date }) => !DateTime.isLessThan(trip_date, first.trip_date))
      return { open, ended }
    })

    /** The trip with the changed fields, at its new time and with its new drivers. */
    const editedTrip = (
      acting: ActingBusiness,
      before: Trip,
      { changes, driver_ids, move_minutes: minutes = 0 }: GroupChange,
      locked: LockedReferences,
      available: Available
    ): Wanted => {
      const { issues, result } = editOf(acting, before, changes ?? {}, locked)
      const trip_date = DateTime.add(before.trip_date, { minutes })
      const staffed = staffingOf(
        { ...result.trip, trip_date },
        driver_ids && wantedDrivers({ driver_ids }),
        available
      )
      return {
        before,
        trip: staffed.trip,
        added: staffed.added,
        issues: [
          ...issues.map((issue) => ({ ...issue, field: `changes.${issue.field}` })),
          ...(isExpressible(trip_date) ? [] : [{ field: "move_minutes", issue: "out_of_range" as const }]),
          ...staffed.issues,
          ...(driver_ids === undefined || isDispatchable(before.status)
            ? []
            : [{ field: "driver_ids", issue: "illegal_transition" as const }])
        ]
      }
    }

    const wantedOf = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      group: ReadonlyArray<Trip>,
      change: GroupChange,
      locked: LockedReferences,
      available: Available
    ) {
      if (change.status !== undefined)
        return yield* Effect.forEach(group, (before) =>
          // This cannot fail: the transition table lets an operator cancel every open trip.
          Effect.map(
            Effect.orDie(withStatus(before, "cancelled", "operator", { reason: change.cancel_reason })),
            (trip): Wanted => ({ before, trip, added: [], issues: [] })
          )
        )
      const wanted = group.map((before) => editedTrip(acting, before, change, locked, available))
      yield* refuseIssues(issuesOf(wanted))
      for (const { before, trip } of wanted) yield* requireInvoicedPrice(before, trip)
      return wanted
    })

    const store = Effect.fnUntraced(function* (acting: ActingBusiness, wanted: ReadonlyArray<Wanted>) {
      const changes = yield* Effect.forEach(wanted, ({ added, before, trip }) =>
        Effect.map(newAssignments(acting.business_id, added), (newDrivers) => ({
          before,
          wanted: { ...trip, newDrivers }
        }))
      )
      return yield* unitOfWork.commitAll(acting, changes, "operator")
    })

    const change = traced("TripGroups.change")(function* (acting: ActingBusiness, change: GroupChange) {
      yield* refuseIssues(groupChangeIssues(change))
      const { business_id, timezone } = acting
      const hasDrivers = change.driver_ids !== undefined
      return yield* atomically(transaction, function* () {
        const available = yield* lockAvailable(
          business_id,
          wantedDrivers({ driver_ids: change.driver_ids ?? [] }) ?? []
        )
        const locked = yield* lockReferences(acting, change.changes ?? {})
        const group = yield* lockGroup(business_id, change)
        const wanted = yield* wantedOf(acting, group.open, change, locked, available)
        const policy = yield* lockSchedules(
          business_id,
          wanted.flatMap(({ added, before, trip }) => [before, withNewDrivers(trip, added)])
        )
        const stored = yield* store(acting, wanted)
        const pairs = wanted.map((one, index) => ({ one, after: stored[index] ?? one.before }))
        const checked = yield* Effect.forEach(pairs, ({ after, one }) =>
          Effect.map(
            Effect.result(checkTrip(timezone, after, checksOf(one, after, hasDrivers), change.force, policy)),
            (result) => ({ after, result })
          )
        )
        const refused = checked.flatMap(({ after, result }) =>
          Result.isFailure(result)
            ? result.failure.atStake.map((clash) => ({ group_trip_id: after.trip_id, ...clash }))
            : []
        )
        if (refused.length > 0) return yield* clashConfirmation(refused.slice(0, maxGroupTrips))
        const outdated = yield* charges.outdatedPrices(
          acting,
          pairs.map(({ after, one }) => ({ before: one.before, after }))
        )
        const changed = checked.map(({ after, result }) => ({
          ...tripRecord(after, timezone),
          warnings: [
            ...(Result.isSuccess(result) ? result.success : []),
            ...(outdated.has(after.trip_id) ? [{ type: "price_outdated" as const }] : [])
          ]
        }))
        return { trips: changed, ended_trip_ids: group.ended }
      })
    })

    return {
      /**
       * Cancels the trips of a group that have not ended, or changes their time, their fields or their drivers: all of them, or
       * those from one trip on; all or none. Returns them in order of id, with the ids of the group's trips that have ended. Each
       * trip has the checks and sends the events that a change of it alone would have. Clashes are checked on the result: trips of the
       * group that move together do not clash with each other's old times. `InvalidInput` if the group has no such
       * trip, has no open trip `from_trip_id`, or has more than {@link maxGroupTrips}, for a move to a time that a timestamp cannot
       * express, and for each field that one of the trips refuses; `Conflict` for another price of a trip that is on an invoice;
       * `ConfirmationRequired` names the clashes by trip if the business enforces its clash policy.
       */
      change
    }
  })
}) {
  static readonly layer = Layer.effect(TripGroups, TripGroups.make).pipe(Layer.provide(TripUnitOfWork.layer))
}
