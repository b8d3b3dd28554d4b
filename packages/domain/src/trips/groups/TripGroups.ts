/** Cancelling and moving all open trips of a group in one transaction (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { invalidField, type InvalidInput, refuseIssues } from "../../kernel/Errors.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import { isExpressible } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { clashConfirmation, makeCheckTrip } from "../schedule/Clashes.ts"
import { type GroupChange, groupChangeIssues, maxGroupTrips } from "./GroupChange.ts"
import { makeLockSchedules } from "../schedule/ScheduleLocks.ts"
import { type Trip, tripRecord } from "../trip/Trip.ts"
import { TripCharges } from "../trip/TripCharges.ts"
import { TripRepository } from "../trip/TripRepository.ts"
import { checksOfChange, withStatus } from "../changes/TripRules.ts"
import { isOpenTrip } from "../trip/TripStatus.ts"
import { TripUnitOfWork } from "../changes/TripUnitOfWork.ts"
import { traced } from "../../kernel/TracedFunction.ts"

export class TripGroups extends Context.Service<TripGroups>()("@livery/domain/TripGroups", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const trips = yield* TripRepository
    const unitOfWork = yield* TripUnitOfWork
    const charges = yield* TripCharges
    const checkTrip = yield* makeCheckTrip
    const lockSchedules = yield* makeLockSchedules

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
      if (firstId === undefined) return locked
      const first = locked.find(({ trip_id }) => trip_id === firstId)
      if (first === undefined) return yield* invalidField("from_trip_id", "not_found")
      return locked.filter(({ trip_date }) => !DateTime.isLessThan(trip_date, first.trip_date))
    })

    /** The trip as the change wants it: cancelled or moved. */
    const wantedOf = (
      trip: Trip,
      { cancel_reason: reason, move_minutes: minutes }: GroupChange
    ): Effect.Effect<Trip, InvalidInput> => {
      // This cannot fail: the transition table lets an operator cancel every open trip.
      if (minutes === undefined) return Effect.orDie(withStatus(trip, "cancelled", "operator", { reason }))
      const trip_date = DateTime.add(trip.trip_date, { minutes })
      return isExpressible(trip_date)
        ? Effect.succeed({ ...trip, trip_date })
        : Effect.fail(invalidField("move_minutes", "out_of_range"))
    }

    const change = traced("TripGroups.change")(function* (acting: ActingBusiness, change: GroupChange) {
      yield* refuseIssues(groupChangeIssues(change))
      return yield* atomically(transaction, function* () {
        const group = yield* lockGroup(acting.business_id, change)
        const policy = yield* lockSchedules(acting.business_id, group)
        const changes = yield* Effect.forEach(group, (before) =>
          Effect.map(wantedOf(before, change), (wanted) => ({ before, wanted }))
        )
        const stored = yield* unitOfWork.commitAll(acting, changes, "operator")
        const checked = yield* Effect.forEach(stored, (after, index) => {
          const checks = checksOfChange(group[index] ?? after, after)
          return Effect.map(
            Effect.result(checkTrip(acting.timezone, after, checks, change.force, policy)),
            (result) => ({ after, result })
          )
        })
        const refused = checked.flatMap(({ after, result }) =>
          Result.isFailure(result)
            ? result.failure.atStake.map((clash) => ({ group_trip_id: after.trip_id, ...clash }))
            : []
        )
        if (refused.length > 0) return yield* clashConfirmation(refused.slice(0, maxGroupTrips))
        const outdated = yield* charges.outdatedPrices(
          acting,
          stored.flatMap((after, index) => {
            const before = group[index]
            return before === undefined ? [] : [{ before, after }]
          })
        )
        return checked.map(({ after, result }) => ({
          ...tripRecord(after, acting.timezone),
          warnings: [
            ...(Result.isSuccess(result) ? result.success : []),
            ...(outdated.has(after.trip_id) ? [{ type: "price_outdated" as const }] : [])
          ]
        }))
      })
    })

    return {
      /**
       * Cancels or moves the trips of a group that have not ended, or those from one trip on, all or none, and returns them in order of id. Each
       * trip sends the events that a change of it alone would send. Clashes are checked on the result: trips of the
       * group that move together do not clash with each other's old times. `InvalidInput` if the group has no such
       * trip, has no open trip `from_trip_id`, or has more than {@link maxGroupTrips}, and for a move to a time that a timestamp cannot express;
       * `ConfirmationRequired` names the clashes by trip if the business enforces its clash policy.
       */
      change
    }
  })
}) {
  static readonly layer = Layer.effect(TripGroups, TripGroups.make).pipe(Layer.provide(TripUnitOfWork.layer))
}
