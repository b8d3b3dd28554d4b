/** Locks the drivers and cars that a change of assignments names, and makes the new assignments. */
import { Effect } from "effect"
import type { BusinessId, CarId } from "../../kernel/Ids.ts"
import { makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { AssignmentRepository } from "../trip/AssignmentRepository.ts"
import { TripReferences } from "../trip/TripReferences.ts"
import type { AddedDriver, Available, WantedDriver } from "./WantedDrivers.ts"

/**
 * Locks the wanted drivers, their cars, their default cars and `otherCars`, and returns those that can be given work.
 * Call it before any trip is locked.
 */
export const makeLockAvailable = Effect.gen(function* () {
  const assignments = yield* AssignmentRepository
  const references = yield* TripReferences

  return Effect.fnUntraced(function* (
    businessId: BusinessId,
    wanted: ReadonlyArray<WantedDriver>,
    otherCars: ReadonlyArray<CarId | null> = []
  ): Effect.fn.Return<Available> {
    const driverIds = new Set(wanted.map(({ driver_id }) => driver_id))
    const locked = yield* assignments.lockDrivers(businessId, [...driverIds])
    const named = [
      ...otherCars,
      ...wanted.map(({ car_id }) => car_id ?? null),
      ...locked.map(({ default_car_id }) => default_car_id)
    ]
    const carIds = new Set(named.flatMap((carId) => carId ?? []))
    return {
      drivers: new Map(locked.map(({ driver_id, default_car_id }) => [driver_id, default_car_id])),
      cars: new Set(yield* references.lockCars(businessId, [...carIds]))
    }
  })
})

/** Makes the assignments of new drivers, each with a token of its own. */
export const makeNewAssignments = Effect.map(
  makeBusinessTokens,
  ({ newToken }) =>
    (businessId: BusinessId, added: ReadonlyArray<AddedDriver>) =>
      Effect.forEach(added, (driver) =>
        Effect.map(newToken("driver", businessId), (token) => ({ ...driver, ...token }))
      )
)
