/** The port that stores customers. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { EmailExists } from "../kernel/Errors.ts"
import type { BusinessId, CustomerId, DriverId, TariffId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Customer, CustomerInput } from "./Customer.ts"

/**
 * No method returns a deleted customer.
 *
 * - `insert`: stores a customer that is created at `now`; `EmailExists` if the business has a customer with that email,
 *   also if a concurrent transaction stores one.
 * - `insertAll`: the same for many customers in one statement; leaves out those whose email another customer has. The emails must
 *   differ. It returns the stored customers in their order.
 * - `list`: a page of the customers by name, then id. With `words` ({@link searchedWords}), only customers who match one of
 *   its lists (`isFoundBy`). Empty `words` match no customer.
 * - `find`: the business's customer with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the customer until the transaction ends.
 * - `lockForDelete`: the same, and nothing can begin to refer to the customer either.
 * - `lockEmails`: until the transaction ends, no other transaction can give one of the business's customers an email,
 *   or look up a customer by email (`TripReferences.lockCustomersByEmail`). Call it after the customer is locked and
 *   before it gets an email.
 * - `update`: replaces the fields of a locked customer; `EmailExists` as in `insert`.
 * - `hasTariff`: whether the business has that tariff.
 * - `driversAmong`: those of the ids that are drivers of the business.
 * - `remove`: deletes a customer that is locked for delete. The row is deleted if nothing refers to it, and else kept
 *   with `deleted_at`.
 */
export class CustomerRepository extends Context.Service<
  CustomerRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      customer: CustomerInput,
      now: DateTime.Utc
    ) => Effect.Effect<Customer, EmailExists>
    readonly insertAll: (
      businessId: BusinessId,
      customers: ReadonlyArray<CustomerInput>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Customer>>
    readonly list: (
      businessId: BusinessId,
      words: ReadonlyArray<ReadonlyArray<string>> | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Customer>>
    readonly find: (businessId: BusinessId, customerId: CustomerId) => Effect.Effect<Option.Option<Customer>>
    readonly lock: (businessId: BusinessId, customerId: CustomerId) => Effect.Effect<Option.Option<Customer>>
    readonly lockForDelete: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<Option.Option<Customer>>
    readonly lockEmails: (businessId: BusinessId) => Effect.Effect<void>
    readonly update: (
      businessId: BusinessId,
      customerId: CustomerId,
      customer: CustomerInput,
      now: DateTime.Utc
    ) => Effect.Effect<Customer, EmailExists>
    readonly hasTariff: (businessId: BusinessId, tariffId: TariffId) => Effect.Effect<boolean>
    readonly driversAmong: (
      businessId: BusinessId,
      driverIds: ReadonlyArray<DriverId>
    ) => Effect.Effect<ReadonlyArray<DriverId>>
    readonly remove: (
      businessId: BusinessId,
      customerId: CustomerId,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@livery/domain/CustomerRepository") {}
