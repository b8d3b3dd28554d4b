/** The port to the cars and customers that trips refer to. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, CarId, CustomerId } from "../kernel/Ids.ts"

/**
 * Each method locks the record it finds, so that it cannot be deleted before the open transaction ends. Lock cars and
 * customers before the trip that refers to them.
 *
 * - `lockCar`: whether the business has that car and the car is active.
 * - `lockCustomer`: whether the business has that customer.
 * - `lockCustomerByEmail`: the business's customer with that email (in lower case), if there is one. Until the open
 *   transaction ends, no customer can be given an email either (`CustomerRepository.lockEmails`).
 */
export class TripReferences extends Context.Service<
  TripReferences,
  {
    readonly lockCar: (businessId: BusinessId, carId: CarId) => Effect.Effect<boolean>
    readonly lockCustomer: (businessId: BusinessId, customerId: CustomerId) => Effect.Effect<boolean>
    readonly lockCustomerByEmail: (
      businessId: BusinessId,
      email: string
    ) => Effect.Effect<Option.Option<CustomerId>>
  }
>()("@livery/domain/TripReferences") {}
