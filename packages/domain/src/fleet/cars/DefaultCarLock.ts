/** Locking the default car of a driver. */
import { Effect } from "effect"
import { invalidField } from "../../kernel/Errors.ts"
import type { BusinessId, CarId } from "../../kernel/Ids.ts"
import { CarRepository } from "./CarRepository.ts"

/** The error of a default car that the business does not have, or that is not active. */
export const noSuchCar = invalidField("default_car_id", "not_found")

/** Builds the function that locks a default car. It returns whether the car can be given; true without a car. */
export const makeLockDefaultCar = Effect.map(
  CarRepository,
  (cars) => (businessId: BusinessId, carId: CarId | null | undefined) =>
    carId === null || carId === undefined ? Effect.succeed(true) : cars.lockActive(businessId, carId)
)
