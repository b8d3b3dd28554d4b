/** The port that stores cars. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CarId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Car, CarInput, FleetFilter } from "./Car.ts"

/**
 * What was deleted is absent to all of these.
 *
 * - `insert`: a new car at that time.
 * - `list`: the business's cars by name, then id.
 * - `find`: the business's car of that id; `None` if absent or another business's.
 * - `hold`: the same, and nobody else changes it until the transaction ends.
 * - `holdAlone`: the same, and nothing can begin to refer to it either.
 * - `countActive`: how many active cars the business has.
 * - `update`: how a held car stands from now on.
 * - `disown`: it is no driver's usual car any more.
 * - `remove`: deletes a car that is held alone: really where nothing refers to it, else out of sight for good.
 */
export class FleetCarRepository extends Context.Service<
  FleetCarRepository,
  {
    readonly insert: (businessId: BusinessId, car: CarInput, now: DateTime.Utc) => Effect.Effect<Car>
    readonly list: (
      businessId: BusinessId,
      filter: FleetFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Car>>
    readonly find: (businessId: BusinessId, carId: CarId) => Effect.Effect<Option.Option<Car>>
    readonly hold: (businessId: BusinessId, carId: CarId) => Effect.Effect<Option.Option<Car>>
    readonly holdAlone: (businessId: BusinessId, carId: CarId) => Effect.Effect<Option.Option<Car>>
    readonly countActive: (businessId: BusinessId) => Effect.Effect<number>
    readonly update: (
      businessId: BusinessId,
      carId: CarId,
      standing: CarInput,
      now: DateTime.Utc
    ) => Effect.Effect<Car>
    readonly disown: (businessId: BusinessId, carId: CarId) => Effect.Effect<void>
    readonly remove: (businessId: BusinessId, carId: CarId, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/FleetCarRepository") {}
