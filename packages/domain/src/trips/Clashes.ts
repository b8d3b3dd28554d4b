/** Clashes: a trip's driver has another trip at the same time (business setting `clash_policy`). */
import { Effect, Schema } from "effect"
import { ConfirmationRequired } from "../kernel/Errors.ts"
import type { DriverId } from "../kernel/Ids.ts"
import { isLive } from "./Assignment.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import type { Trip } from "./Trip.ts"
import { windowOf } from "./TripWindow.ts"

/** The driver has another trip, `trip_id`, at the same time. */
export const ClashWarning = Schema.Struct({
  type: Schema.Literal("schedule_clash"),
  driver_id: Schema.Int,
  trip_id: Schema.Int
})
export type ClashWarning = typeof ClashWarning.Type

/**
 * The clashes of a locked trip's drivers, as warnings. Where the policy is `enforce`, a clash of one of the `decisive`
 * drivers fails with `ConfirmationRequired` unless `force` is true. With `enforce`, the drivers' schedules are locked:
 * of two trips that want one driver at once, the later sees the earlier.
 */
export const clashWarnings = Effect.fnUntraced(function* (
  trip: Trip,
  { decisive, force }: { readonly decisive: ReadonlyArray<DriverId>; readonly force: boolean }
): Effect.fn.Return<ReadonlyArray<ClashWarning>, ConfirmationRequired, AssignmentRepository> {
  const assignments = yield* AssignmentRepository
  const driverIds = [
    ...new Set([...trip.drivers.filter(isLive).map(({ driver_id }) => driver_id), ...decisive])
  ]
  if (driverIds.length === 0) return []
  const policy = yield* assignments.clashPolicy(trip.business_id)
  if (policy === "off") return []
  if (policy === "enforce") yield* assignments.lockSchedules(trip.business_id, driverIds)
  const clashes = yield* assignments.clashes(trip.business_id, trip.trip_id, windowOf(trip), driverIds)
  const warnings = clashes.map((clash): ClashWarning => ({ type: "schedule_clash", ...clash }))
  const decisiveIds = new Set<number>(decisive)
  const refused = warnings.filter(({ driver_id }) => decisiveIds.has(driver_id))
  if (policy === "enforce" && !force && refused.length > 0)
    return yield* new ConfirmationRequired({
      reason: "A driver is on another trip at that time",
      atStake: refused
    })
  return warnings
})
