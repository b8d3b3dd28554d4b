/** The port to the cars and customers that trips refer to. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, CarId, CustomerId, TripId } from "../../kernel/Ids.ts"

/** The fields of a customer that a trip takes over. */
export interface NamedCustomer {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/**
 * Each method locks the record that it returns, so that it cannot be deleted before the open transaction ends. Lock cars and
 * customers before the trip that refers to them.
 *
 * - `lockCar`: whether the business has that car and the car is active.
 * - `lockCars`: those of the cars that the business has and that are active, locked in order of id.
 * - `lockCustomer`: the business's customer with that id.
 * - `lockCustomerByEmail`: the business's customer with that email (in lower case), if there is one. Until the open
 *   transaction ends, no customer can be given an email either (`CustomerRepository.lockEmails`).
 * - `lockTrip`: whether the business has that trip.
 * - `lockExternalRef`: the business's trip with that `external_ref`, if there is one. Until the open transaction ends,
 *   another call with the same text waits, so that the caller can give the text to a trip. Call it before any trip is
 *   locked.
 */
export class TripReferences extends Context.Service<
  TripReferences,
  {
    readonly lockCar: (businessId: BusinessId, carId: CarId) => Effect.Effect<boolean>
    readonly lockCars: (
      businessId: BusinessId,
      carIds: ReadonlyArray<CarId>
    ) => Effect.Effect<ReadonlyArray<CarId>>
    readonly lockCustomer: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<Option.Option<NamedCustomer>>
    readonly lockCustomerByEmail: (
      businessId: BusinessId,
      email: string
    ) => Effect.Effect<Option.Option<CustomerId>>
    readonly lockTrip: (businessId: BusinessId, tripId: TripId) => Effect.Effect<boolean>
    readonly lockExternalRef: (
      businessId: BusinessId,
      externalRef: string
    ) => Effect.Effect<Option.Option<TripId>>
  }
>()("@livery/domain/TripReferences") {}
