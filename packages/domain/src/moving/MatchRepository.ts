/** The port that finds the records of many lines at once. */
import { Context, type DateTime, type Effect } from "effect"
import type { Customer } from "../customers/Customer.ts"
import type { BusinessId, InvoiceId } from "../kernel/Ids.ts"
import type { Trip } from "../trips/trip/Trip.ts"

/** What customers are found by. `phones` are digits with which a stored number ends. */
export interface CustomerKeys {
  readonly refs: ReadonlyArray<string>
  readonly emails: ReadonlyArray<string>
  readonly phones: ReadonlyArray<string>
  /** For customers who have neither an email, a phone number nor an `external_ref` in the table. */
  readonly names: ReadonlyArray<string>
}

/** What a trip without an `external_ref` is found by. */
export interface TripKey {
  readonly trip_date: DateTime.Utc
  readonly pickup_address: string
  readonly customer_name: string
}

/**
 * - `customers`: the customers that have one of the keys, in order of id.
 * - `trips`: the trips with one of these `external_ref`, by `external_ref`.
 * - `sameTrips`: the trip with each key, the first of several, in the order of the keys; null without one.
 * - `invoices`: the invoices with one of these numbers, with the id of each.
 * - `emailsOfTrips`: the emails, in lower case, that trips without a customer have.
 */
export class MatchRepository extends Context.Service<
  MatchRepository,
  {
    readonly customers: (businessId: BusinessId, keys: CustomerKeys) => Effect.Effect<ReadonlyArray<Customer>>
    readonly trips: (
      businessId: BusinessId,
      refs: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Trip>>
    readonly sameTrips: (
      businessId: BusinessId,
      keys: ReadonlyArray<TripKey>
    ) => Effect.Effect<ReadonlyArray<Trip | null>>
    readonly invoices: (
      businessId: BusinessId,
      numbers: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, InvoiceId>>
    readonly emailsOfTrips: (
      businessId: BusinessId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@livery/domain/MatchRepository") {}
