/** The port that stores trips. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { DomainEvent } from "../../events/DomainEvent.ts"
import type { BusinessId, CarId, CustomerId, InvoiceId, TripId } from "../../kernel/Ids.ts"
import type { Trip } from "./Trip.ts"
import type { PaymentStatus } from "./TripStatus.ts"

/** A trip that was just stored. */
export interface InsertedTrip {
  readonly trip: Trip
  /** The trips that it likely duplicates: see `WarningFacts.duplicates`. */
  readonly duplicates: ReadonlyArray<TripId>
}

/** A new trip with an id from `TripIds`, and the event about it. */
export interface TripCreation {
  readonly trip: Trip
  readonly event?: DomainEvent
}

/**
 * No method returns a deleted trip.
 *
 * - `insert`: stores a new trip with the first entry of its timeline, and the event as `EventLog.record` does. All of it is
 *   one statement, which needs no transaction. `None`, and nothing is stored, if the business already has a trip with that
 *   reference or that id; it may have the id of a trip that was imported.
 * - `insertAll`: stores new trips of one business and their words, with the same number of statements for any number of them, and
 *   without a timeline, events and marks for notices. Returns the ids of those that are stored: all but those with a reference or an id that is taken.
 * - `find`: the business's trip with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the trip and its assignments until the open transaction ends. Lock cars, drivers and
 *   customers before trips, and several trips in order of id.
 * - `lockAll`: the existing ones among these trips, locked in order of id.
 * - `update`: replaces a locked trip, which was `before`, except for its assignments, which `AssignmentRepository` stores. A trip with
 *   `deleted_at` is deleted for good. Call it once per transaction: after a second update of the row PostgreSQL locks
 *   the car and the customer again, out of order.
 * - `updateAll`: the same as `update` of each, for trips of one business, with the same number of statements for any number
 *   of them.
 * - `setCustomer`: gives locked trips a customer, and updates them at `now`; the same as `update` of each.
 * - `setInvoice`: puts locked trips on an invoice, or on none, with a payment status, and updates them at `now`.
 * - `openTripsOfCar`, `openTripsOfCustomer`: the trips that refer to it and have not ended, in order of id.
 * - `openTripsOfGroup`: the trips with that `group_id` that have not ended, at most `most` of them, in order of id.
 * - `endedTripsOfGroup`: the trips with that `group_id` that have ended, from a pickup on if one is given, at most `most` of them, the
 *   latest first.
 * - `tripsWithoutCustomer`: the trips with that email (in lower case) and without a customer, in order of id.
 */
export class TripRepository extends Context.Service<
  TripRepository,
  {
    readonly insert: (creation: TripCreation) => Effect.Effect<Option.Option<InsertedTrip>>
    readonly insertAll: (
      businessId: BusinessId,
      trips: ReadonlyArray<Trip>
    ) => Effect.Effect<ReadonlyArray<TripId>>
    readonly find: (businessId: BusinessId, tripId: TripId) => Effect.Effect<Option.Option<Trip>>
    readonly lock: (businessId: BusinessId, tripId: TripId) => Effect.Effect<Option.Option<Trip>>
    readonly lockAll: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>
    ) => Effect.Effect<ReadonlyArray<Trip>>
    readonly update: (trip: Trip, before: Trip) => Effect.Effect<void>
    readonly updateAll: (businessId: BusinessId, trips: ReadonlyArray<Trip>) => Effect.Effect<void>
    readonly setCustomer: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>,
      customerId: CustomerId,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly setInvoice: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>,
      to: { readonly invoiceId: InvoiceId | null; readonly paymentStatus: PaymentStatus },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly openTripsOfCar: (businessId: BusinessId, carId: CarId) => Effect.Effect<ReadonlyArray<TripId>>
    readonly openTripsOfCustomer: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<ReadonlyArray<TripId>>
    readonly openTripsOfGroup: (
      businessId: BusinessId,
      groupId: string,
      most: number
    ) => Effect.Effect<ReadonlyArray<TripId>>
    readonly endedTripsOfGroup: (
      businessId: BusinessId,
      groupId: string,
      from: DateTime.Utc | undefined,
      most: number
    ) => Effect.Effect<ReadonlyArray<TripId>>
    readonly tripsWithoutCustomer: (
      businessId: BusinessId,
      email: string
    ) => Effect.Effect<ReadonlyArray<TripId>>
  }
>()("@livery/domain/TripRepository") {}
