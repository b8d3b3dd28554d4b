/** Whether the drivers of a trip are needed elsewhere at the same time (business setting `clash_policy`). */
import { Effect, Schema } from "effect"
import { ConfirmationRequired } from "../kernel/Errors.ts"
import type { DriverId } from "../kernel/Ids.ts"
import { isLive } from "./Assignment.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import { type Trip, windowOf } from "./Trip.ts"

/** A driver of the trip is on another trip, which this names, at the same time. */
export const ClashWarning = Schema.Struct({
  type: Schema.Literal("schedule_clash"),
  driver_id: Schema.Int,
  trip_id: Schema.Int
})
export type ClashWarning = typeof ClashWarning.Type

/**
 * The clashes that a held trip would have, for the business to be warned of. Where its policy is `enforce`, a clash
 * of one of `decisive` fails with `ConfirmationRequired` unless it is forced, and exactly so: of two trips that want
 * one driver at once, the later sees the earlier.
 */
export const clashesOf = Effect.fnUntraced(function* (
  trip: Trip,
  wanted: { readonly decisive: ReadonlyArray<DriverId>; readonly force: boolean }
): Effect.fn.Return<ReadonlyArray<ClashWarning>, ConfirmationRequired, AssignmentRepository> {
  const assignments = yield* AssignmentRepository
  const driverIds = [
    ...new Set([...trip.drivers.filter(isLive).map(({ driver_id }) => driver_id), ...wanted.decisive])
  ]
  if (driverIds.length === 0) return []
  const policy = yield* assignments.clashPolicy(trip.business_id)
  if (policy === "off") return []
  if (policy === "enforce") yield* assignments.takeTurns(trip.business_id, driverIds)
  const found = yield* assignments.clashes(trip.business_id, trip.trip_id, windowOf(trip), driverIds)
  const warnings = found.map((clash): ClashWarning => ({ type: "schedule_clash", ...clash }))
  const decisive = new Set<number>(wanted.decisive)
  const refused = warnings.filter(({ driver_id }) => decisive.has(driver_id))
  if (policy === "enforce" && !wanted.force && refused.length > 0)
    return yield* new ConfirmationRequired({
      reason: "A driver is on another trip at that time",
      atStake: refused
    })
  return warnings
})
