/** Changing the drivers and cars of many trips in one transaction (docs/api/trips.md). */
import { Array, Context, Effect, Layer, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { rehearsed } from "../../kernel/DryRun.ts"
import { Conflict, refuseIssues } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import type { TripId } from "../../kernel/Ids.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { isDispatchable } from "../trip/TripStatus.ts"
import { type AssignmentBatch, type BatchEntry, batchIssues, versionOf } from "./AssignmentBatch.ts"
import { assignmentRecord } from "./AssignmentRecord.ts"
import { clashConfirmation, makeCheckTrip } from "../schedule/Clashes.ts"
import { makeLockSchedules } from "../schedule/ScheduleLocks.ts"
import type { SchedulePolicy } from "../schedule/ScheduleRepository.ts"
import type { Trip } from "../trip/Trip.ts"
import { makeLockAvailable, makeNewAssignments } from "./Staffing.ts"
import { withNewDrivers, withTripCar } from "../schedule/TripCars.ts"
import { TripRepository } from "../trip/TripRepository.ts"
import { checksOfStaffing } from "../changes/TripRules.ts"
import { TripUnitOfWork } from "../changes/TripUnitOfWork.ts"
import { type AddedDriver, type Available, staffingOf, wantedDrivers } from "./WantedDrivers.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** An entry whose trip is locked, with the difference that it makes. `trip` has the new car and the drivers who stay. */
interface PlannedChange {
  readonly entry: BatchEntry
  readonly before: Trip
  readonly trip: Trip
  readonly added: ReadonlyArray<AddedDriver>
}

/** The change that an entry makes to its trip, or its issues. Their fields start with `index`, the entry's position. */
const changeOfEntry = (
  entry: BatchEntry,
  index: number,
  before: Trip,
  available: Available
): Result.Result<PlannedChange, ReadonlyArray<FieldIssue>> => {
  const { car_id = before.car_id } = entry
  const withCar = withTripCar(before, { ...before, car_id })
  const { added, issues, trip } = staffingOf(withCar, wantedDrivers(entry), available)
  const entryIssues: ReadonlyArray<FieldIssue> = [
    ...(isDispatchable(before.status) ? [] : [{ field: "trip_id", issue: "illegal_transition" as const }]),
    ...issues,
    ...(car_id === null || car_id === before.car_id || available.cars.has(car_id)
      ? []
      : [{ field: "car_id", issue: "not_found" as const }])
  ]
  return entryIssues.length > 0
    ? Result.fail(entryIssues.map(({ field, issue }) => ({ field: `${index}.${field}`, issue })))
    : Result.succeed({ entry, before, trip, added })
}

/** `Conflict` with the trips that have changed since the `if_version` of their entry. */
const refuseChanged = (planned: ReadonlyArray<PlannedChange>): Effect.Effect<void, Conflict> => {
  const changed = planned.filter(
    ({ before, entry: { if_version } }) =>
      if_version !== undefined && if_version !== null && if_version !== versionOf(before)
  )
  return changed.length === 0
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason: "Some trips have changed since they were read; nothing was assigned",
          records: changed.map(({ before: { trip_id } }) => ({ type: "trip", trip_id }))
        })
      )
}

/** How a batch is applied. */
export interface BatchTerms {
  /** Whether nothing is changed, and only the result is returned. */
  readonly isDryRun?: boolean
  /** Whether each clash of an entry without `force` refuses the batch, whatever the business's clash policy is. */
  readonly refusesClashes?: boolean
}

export class BatchAssignments extends Context.Service<BatchAssignments>()("@livery/domain/BatchAssignments", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const trips = yield* TripRepository
    const unitOfWork = yield* TripUnitOfWork
    const lockAvailable = yield* makeLockAvailable
    const newAssignments = yield* makeNewAssignments
    const checkTrip = yield* makeCheckTrip
    const lockSchedules = yield* makeLockSchedules

    /** Locks the drivers, the cars and the trips, and then checks every reference of the batch. */
    const plan = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, batch: AssignmentBatch) {
      const available = yield* lockAvailable(
        business_id,
        batch.flatMap((entry) => wantedDrivers(entry) ?? []),
        batch.map(({ car_id = null }) => car_id)
      )
      const ids = batch.map(({ trip_id }) => trip_id)
      const locked = new Map<TripId, Trip>(
        (yield* trips.lockAll(business_id, ids)).map((trip) => [trip.trip_id, trip])
      )
      const results = batch.map((entry, index): ReturnType<typeof changeOfEntry> => {
        const trip = locked.get(entry.trip_id)
        return trip === undefined
          ? Result.fail([{ field: `${index}.trip_id`, issue: "not_found" }])
          : changeOfEntry(entry, index, trip, available)
      })
      const [planned, failed] = Array.separate(results)
      yield* refuseIssues(failed.flat())
      yield* refuseChanged(planned)
      return planned
    })

    /** Stores the changes. Returns each trip as stored, with the tokens of its new assignments by driver. */
    const store = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      planned: ReadonlyArray<PlannedChange>
    ) {
      const wanted = yield* Effect.forEach(planned, ({ added, before, trip }) =>
        Effect.map(newAssignments(acting.business_id, added), (newDrivers) => ({
          before,
          wanted: { ...trip, newDrivers },
          tokenOf: new Map(newDrivers.map(({ driver_id, token }) => [driver_id, token]))
        }))
      )
      const stored = yield* unitOfWork.commitAll(acting, wanted, "operator")
      return wanted.map(({ before, tokenOf }, index) => ({ committed: stored[index] ?? before, tokenOf }))
    })

    const check = (
      { timezone }: ActingBusiness,
      { added, before, entry }: PlannedChange,
      committed: Trip,
      policy: SchedulePolicy
    ) => {
      const ids = added.map(({ driver_id }) => driver_id)
      const checks = checksOfStaffing(before, committed, ids)
      return checkTrip(timezone, committed, checks, entry.force === true, policy)
    }

    const assignAll = (acting: ActingBusiness, batch: AssignmentBatch, refusesClashes: boolean) =>
      atomically(transaction, function* () {
        const planned = yield* plan(acting, batch)
        const staffed = planned.map(({ added, trip }) => withNewDrivers(trip, added))
        const policy = yield* lockSchedules(acting.business_id, staffed, refusesClashes)
        const stored = yield* store(acting, planned)
        const checked = yield* Effect.forEach(planned, (change, index) =>
          Effect.result(check(acting, change, stored[index]?.committed ?? change.before, policy))
        )
        const refused = checked.flatMap((result, index) =>
          Result.isFailure(result)
            ? result.failure.atStake.map((clash) => ({ field: `${index}.trip_id`, ...clash }))
            : []
        )
        if (refused.length > 0) return yield* clashConfirmation(refused)
        return stored.map(({ committed, tokenOf }, index) => {
          const result = checked[index]
          const warnings = result !== undefined && Result.isSuccess(result) ? result.success : []
          return assignmentRecord(committed, tokenOf, warnings, acting.timezone)
        })
      })

    return {
      /**
       * Changes all trips of the batch, or none. Drivers are kept, added and removed as in `Assignments.assign`; each
       * trip whose set of drivers changes sends one `driver.assigned`. Clashes are checked on the result, so two
       * drivers can exchange trips. `InvalidInput` names the wrong fields by entry, as in `0.trip_id`;
       * `ConfirmationRequired` names the clashes of entries without `force` if the business enforces its clash policy, or
       * with `refusesClashes`. `Conflict` names the trips that changed since their entry's `if_version`.
       * With `isDryRun`, the result is the same, without tokens, but nothing is changed.
       */
      assign: traced("BatchAssignments.assign")(function* (
        acting: ActingBusiness,
        batch: AssignmentBatch,
        { isDryRun = false, refusesClashes = false }: BatchTerms = {}
      ) {
        yield* refuseIssues(batchIssues(batch))
        if (!isDryRun) return yield* assignAll(acting, batch, refusesClashes)
        const would = yield* rehearsed(transaction, assignAll(acting, batch, refusesClashes))
        return would.map(({ drivers, ...rest }) => ({
          ...rest,
          drivers: drivers.map((driver) => ({ ...driver, driver_token: null }))
        }))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BatchAssignments, BatchAssignments.make).pipe(
    Layer.provide(TripUnitOfWork.layer)
  )
}
