/** Locking the schedules of several trips that change together. */
import { Effect } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"
import { isLive } from "../trip/Assignment.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"
import { carsOf, type StaffedTrip } from "./TripCars.ts"

/**
 * Builds the function that locks the schedules of the drivers and cars of locked trips, if the business enforces its clash
 * policy, and returns that policy. Call it once for all trips: with one call for each trip, two requests could deadlock.
 */
export const makeLockSchedules = Effect.map(ScheduleRepository, (schedules) =>
  Effect.fnUntraced(function* (businessId: BusinessId, trips: ReadonlyArray<StaffedTrip>) {
    const policy = yield* schedules.policy(businessId)
    if (policy.clash_policy !== "enforce") return policy
    const driverIds = trips.flatMap(({ drivers }) => drivers.filter(isLive).map(({ driver_id }) => driver_id))
    yield* schedules.lock(businessId, {
      driverIds: [...new Set(driverIds)],
      carIds: [...new Set(trips.flatMap(carsOf))]
    })
    return policy
  })
)
