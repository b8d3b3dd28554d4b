/**
 * Deleting what trips refer to: a car, a driver, a customer.
 *
 * Whoever gives a trip a car, a driver or a customer holds that first and then the trip. So does a deletion: once it
 * holds the record alone, the trips that refer to it can only become fewer.
 */
import { type Context, Effect, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { type Conflict, ConfirmationRequired, NotFound } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import type { Transaction } from "../kernel/Transaction.ts"

/** So many of the trips at stake are named. */
const namedAtMost = 20

/** Whether open trips may be changed by it, and what it takes for granted of the record. */
export interface DeletionTerms<Told> {
  readonly force?: boolean
  readonly precondition?: Precondition<Told>
}

/** What a deletion consists of. */
export interface DeletionSteps<Id, Stored, Told> {
  readonly resource: string
  readonly record: (stored: Stored) => Told
  /** Holds the record so that nothing can begin to refer to it. */
  readonly holdAlone: (acting: ActingBusiness, id: Id) => Effect.Effect<Option.Option<Stored>>
  readonly openTrips: (acting: ActingBusiness, id: Id) => Effect.Effect<ReadonlyArray<TripId>>
  readonly withdraw: (acting: ActingBusiness, id: Id) => Effect.Effect<unknown>
  readonly remove: (acting: ActingBusiness, id: Id, stored: Stored) => Effect.Effect<void>
}

const atStake = (resource: string, trips: ReadonlyArray<TripId>) =>
  new ConfirmationRequired({
    reason:
      trips.length === 1
        ? `An open trip has this ${resource}`
        : `${trips.length} open trips have this ${resource}`,
    atStake: trips.slice(0, namedAtMost).map((trip_id) => ({ trip_id }))
  })

/**
 * A deletion by these steps; gives the record as it last was. `NotFound` if it is absent or another business's,
 * `Conflict` where the precondition does not hold, `ConfirmationRequired` with the open trips that refer to it
 * unless it is forced.
 */
export const deletion =
  <Id, Stored, Told>(
    transaction: Context.Service.Shape<typeof Transaction>,
    steps: DeletionSteps<Id, Stored, Told>
  ) =>
  (
    acting: ActingBusiness,
    id: Id,
    { force = false, precondition = unconditional }: DeletionTerms<Told> = {}
  ): Effect.Effect<Told, NotFound | Conflict | ConfirmationRequired> =>
    transaction.run(
      Effect.gen(function* () {
        const { resource } = steps
        const held = yield* steps.holdAlone(acting, id)
        if (Option.isNone(held)) return yield* new NotFound({ resource })
        const last = steps.record(held.value)
        yield* precondition(last)
        const open = yield* steps.openTrips(acting, id)
        if (open.length > 0 && !force) return yield* atStake(resource, open)
        if (open.length > 0) yield* steps.withdraw(acting, id)
        yield* steps.remove(acting, id, held.value)
        return last
      })
    )
