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
 * - `lockCars`: those of the cars that the business has and that are active, locked in order of id.
 * - `lockCustomer`: the business's customer with that id.
 * - `lockCustomers`: those of the customers that the business has, by id, locked in order of id.
 * - `lockCustomersByEmail`: the business's customers with these emails (in lower case), by email. Until the open
 *   transaction ends, no customer can be given an email either (`CustomerRepository.lockEmails`).
 * - `lockTrip`: whether the business has that trip.
 * - `lockExternalRefs`: the business's trips with these `external_ref`, by `external_ref`. Until the open transaction ends,
 *   another call with one of the texts waits, so that the caller can give the text to a trip. Call it before any trip is
 *   locked.
 */
export class TripReferences extends Context.Service<
  TripReferences,
  {
    readonly lockCars: (
      businessId: BusinessId,
      carIds: ReadonlyArray<CarId>
    ) => Effect.Effect<ReadonlyArray<CarId>>
    readonly lockCustomer: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<Option.Option<NamedCustomer>>
    readonly lockCustomers: (
      businessId: BusinessId,
      customerIds: ReadonlyArray<CustomerId>
    ) => Effect.Effect<ReadonlyMap<CustomerId, NamedCustomer>>
    readonly lockCustomersByEmail: (
      businessId: BusinessId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, CustomerId>>
    readonly lockTrip: (businessId: BusinessId, tripId: TripId) => Effect.Effect<boolean>
    readonly lockExternalRefs: (
      businessId: BusinessId,
      externalRefs: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, TripId>>
  }
>()("@livery/domain/TripReferences") {}
