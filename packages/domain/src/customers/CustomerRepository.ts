/** The port that stores customers. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { EmailExists } from "../kernel/Errors.ts"
import type { BusinessId, CustomerId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Customer, CustomerInput } from "./Customer.ts"

/**
 * What was deleted is absent to all of these.
 *
 * - `insert`: a new customer at that time; `EmailExists` if the business has one with that email, also of several at
 *   once.
 * - `list`: those who have a word that begins with each of one of the lists of `words` ({@link searchedWords}), or
 *   everybody; by name, then id. `words` that are empty find nobody.
 * - `find`: the business's customer of that id; `None` if absent or another business's.
 * - `hold`: the same, and nobody else changes it until the transaction ends.
 * - `holdAlone`: the same, and nothing can begin to refer to it either.
 * - `takeTurn`: until the open transaction ends nobody else gives a customer an email, or looks one up by it. To be
 *   taken before an email is given, and after the customer is held.
 * - `update`: how a held customer stands from now on; `EmailExists` as on insert.
 * - `adopt`: gives the customer the business's trips that carry that email and have no customer yet, each with a line
 *   in its timeline; how many. The email's turn is taken.
 * - `remove`: deletes a customer who is held alone: really where nothing refers to it, else out of sight for good.
 */
export class CustomerRepository extends Context.Service<
  CustomerRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      customer: CustomerInput,
      now: DateTime.Utc
    ) => Effect.Effect<Customer, EmailExists>
    readonly list: (
      businessId: BusinessId,
      words: ReadonlyArray<ReadonlyArray<string>> | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Customer>>
    readonly find: (businessId: BusinessId, customerId: CustomerId) => Effect.Effect<Option.Option<Customer>>
    readonly hold: (businessId: BusinessId, customerId: CustomerId) => Effect.Effect<Option.Option<Customer>>
    readonly holdAlone: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<Option.Option<Customer>>
    readonly takeTurn: (businessId: BusinessId) => Effect.Effect<void>
    readonly update: (
      businessId: BusinessId,
      customerId: CustomerId,
      standing: CustomerInput,
      now: DateTime.Utc
    ) => Effect.Effect<Customer, EmailExists>
    readonly adopt: (
      businessId: BusinessId,
      customerId: CustomerId,
      email: string,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    readonly remove: (
      businessId: BusinessId,
      customerId: CustomerId,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@livery/domain/CustomerRepository") {}
