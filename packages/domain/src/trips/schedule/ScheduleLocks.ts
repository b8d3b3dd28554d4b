/** Locking the schedules of several trips that change together. */
import { Effect } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"
import { isLive } from "../trip/Assignment.ts"
import { type SchedulePolicy, ScheduleRepository } from "./ScheduleRepository.ts"
import { carsOf, type StaffedTrip } from "./TripCars.ts"

/**
 * Builds the function that locks the schedules of the drivers and cars of locked trips, if the business enforces its clash
 * policy, and returns that policy. With `refusesClashes`, it is treated as if it enforced its policy, the time to drive included. Call it once for all trips: with one call for each trip, two requests could deadlock.
 */
export const makeLockSchedules = Effect.map(ScheduleRepository, (schedules) =>
  Effect.fnUntraced(function* (
    businessId: BusinessId,
    trips: ReadonlyArray<StaffedTrip>,
    refusesClashes = false
  ) {
    const own = yield* schedules.policy(businessId)
    const policy: SchedulePolicy = refusesClashes
      ? { ...own, clash_policy: "enforce", drive_time_enforced: true }
      : own
    if (policy.clash_policy !== "enforce") return policy
    const driverIds = trips.flatMap(({ drivers }) => drivers.filter(isLive).map(({ driver_id }) => driver_id))
    yield* schedules.lock(businessId, {
      driverIds: [...new Set(driverIds)],
      carIds: [...new Set(trips.flatMap(carsOf))]
    })
    return policy
  })
)
