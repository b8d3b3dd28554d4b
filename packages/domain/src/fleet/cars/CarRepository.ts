/** The port that stores cars. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CarId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Car, CarInput, FleetFilter } from "./Car.ts"

/**
 * No method returns a deleted car.
 *
 * - `insert`: stores a car that is created at `now`.
 * - `list`: a page of the business's cars by name, then id.
 * - `find`: the business's car with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the car until the transaction ends.
 * - `lockActive`: whether the business has that car and the car is active. If so, the car cannot be deleted before the
 *   transaction ends.
 * - `lockForDelete`: as `lock`, and nothing can begin to refer to the car either.
 * - `countActive`: the number of the business's active cars.
 * - `update`: replaces the fields of a locked car.
 * - `clearDefaultCar`: removes the car as the default car of drivers.
 * - `remove`: deletes a car that is locked for delete. The row is deleted if nothing refers to it, and else kept with
 *   `deleted_at`.
 */
export class CarRepository extends Context.Service<
  CarRepository,
  {
    readonly insert: (businessId: BusinessId, car: CarInput, now: DateTime.Utc) => Effect.Effect<Car>
    readonly list: (
      businessId: BusinessId,
      filter: FleetFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Car>>
    readonly find: (businessId: BusinessId, carId: CarId) => Effect.Effect<Option.Option<Car>>
    readonly lock: (businessId: BusinessId, carId: CarId) => Effect.Effect<Option.Option<Car>>
    readonly lockActive: (businessId: BusinessId, carId: CarId) => Effect.Effect<boolean>
    readonly lockForDelete: (businessId: BusinessId, carId: CarId) => Effect.Effect<Option.Option<Car>>
    readonly countActive: (businessId: BusinessId) => Effect.Effect<number>
    readonly update: (
      businessId: BusinessId,
      carId: CarId,
      car: CarInput,
      now: DateTime.Utc
    ) => Effect.Effect<Car>
    readonly clearDefaultCar: (businessId: BusinessId, carId: CarId) => Effect.Effect<void>
    readonly remove: (businessId: BusinessId, carId: CarId, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/CarRepository") {}
