/** The port that stores trips, and what it needs to know of the fleet. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CarId, CustomerId, TripId } from "../kernel/Ids.ts"
import type { NewTrip, Trip } from "./Trip.ts"

/**
 * A deleted trip is absent to all of these.
 *
 * - `insert`: stores a trip at that time, and that it was created, as the first line of its timeline; `None` if the
 *   business has one of that reference already.
 * - `find`: the business's trip of that id; `None` if absent or another business's.
 * - `hold`: the same, and nobody else changes it or its assignments until the open transaction ends. Cars, drivers
 *   and customers are held before trips, and trips in order of id.
 * - `update`: how a held trip stands from now on, but for its assignments, whose port stores them; deleted, it is out
 *   of sight for good. Once in a transaction: a row that is updated twice has PostgreSQL lock the car and the customer
 *   again, out of the order.
 * - `openTripsOfCar`, `openTripsOfCustomer`: the trips that refer to it and have not ended, in order of id.
 */
export class TripRepository extends Context.Service<
  TripRepository,
  {
    readonly insert: (trip: NewTrip, now: DateTime.Utc) => Effect.Effect<Option.Option<Trip>>
    readonly find: (businessId: BusinessId, tripId: TripId) => Effect.Effect<Option.Option<Trip>>
    readonly hold: (businessId: BusinessId, tripId: TripId) => Effect.Effect<Option.Option<Trip>>
    readonly update: (trip: Trip) => Effect.Effect<void>
    readonly openTripsOfCar: (businessId: BusinessId, carId: CarId) => Effect.Effect<ReadonlyArray<TripId>>
    readonly openTripsOfCustomer: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<ReadonlyArray<TripId>>
  }
>()("@livery/domain/TripRepository") {}

/**
 * The port to the fleet, as far as trips need it.
 *
 * - `hold`: whether the business has that car; if so it cannot vanish before the open transaction ends.
 */
export class CarRepository extends Context.Service<
  CarRepository,
  { readonly hold: (businessId: BusinessId, carId: CarId) => Effect.Effect<boolean> }
>()("@livery/domain/CarRepository") {}
