/**
 * Deleting a record that trips refer to: a car, a driver, a customer.
 *
 * Assigning such a record to a trip locks the record, then the trip. A deletion locks in the same order. While it holds
 * the record's lock, no further trip can begin to refer to the record.
 */
import { type Context, type Effect, type Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { type Conflict, ConfirmationRequired, type NotFound, orNotFound } from "../../kernel/Errors.ts"
import type { TripId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { atomically, type Transaction } from "../../kernel/Transaction.ts"

/** `ConfirmationRequired` names at most this many trips. */
const maxNamedTrips = 20

/** `force` confirms that open trips may be changed; `precondition` checks the record before it is deleted. */
export interface DeletionTerms<RecordType> {
  readonly force?: boolean
  readonly precondition?: Precondition<RecordType>
}

/** The steps of a deletion; all run in one transaction. */
export interface DeletionSteps<Id, Stored, RecordType> {
  /** The record's name in errors. */
  readonly resource: string
  readonly record: (stored: Stored) => RecordType
  /** Finds and locks the record, so that no other record can begin to refer to it. */
  readonly lockForDelete: (acting: ActingBusiness, id: Id) => Effect.Effect<Option.Option<Stored>>
  readonly openTrips: (acting: ActingBusiness, id: Id) => Effect.Effect<ReadonlyArray<TripId>>
  readonly detach: (acting: ActingBusiness, id: Id) => Effect.Effect<unknown>
  readonly remove: (acting: ActingBusiness, id: Id, stored: Stored) => Effect.Effect<void>
}

/** The error of a change that needs a confirmation, because open trips refer to the record. */
export const openTripsConfirmation = (resource: string, trips: ReadonlyArray<TripId>) =>
  new ConfirmationRequired({
    reason:
      trips.length === 1
        ? `An open trip has this ${resource}`
        : `${trips.length} open trips have this ${resource}`,
    atStake: trips.slice(0, maxNamedTrips).map((trip_id) => ({ trip_id }))
  })

/**
 * Builds the use case that deletes by these steps and returns the record as it last was. `NotFound` if it is absent or
 * another business's, `Conflict` if the precondition fails, `ConfirmationRequired` with the open trips that refer to it
 * unless `force` is true.
 */
export const makeDeletion =
  <Id, Stored, RecordType>(
    transaction: Context.Service.Shape<typeof Transaction>,
    steps: DeletionSteps<Id, Stored, RecordType>
  ) =>
  (
    acting: ActingBusiness,
    id: Id,
    { force = false, precondition = unconditional }: DeletionTerms<RecordType> = {}
  ): Effect.Effect<RecordType, NotFound | Conflict | ConfirmationRequired> =>
    atomically(transaction, function* () {
      const { resource } = steps
      const locked = yield* orNotFound(resource)(yield* steps.lockForDelete(acting, id))
      const last = steps.record(locked)
      yield* precondition(last)
      const open = yield* steps.openTrips(acting, id)
      if (open.length > 0 && !force) return yield* openTripsConfirmation(resource, open)
      if (open.length > 0) yield* steps.detach(acting, id)
      yield* steps.remove(acting, id, locked)
      return last
    })
