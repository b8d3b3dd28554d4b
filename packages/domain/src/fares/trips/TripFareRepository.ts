/** The port that stores the fares of trips. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, TripId } from "../../kernel/Ids.ts"
import type { TripFare } from "./TripFare.ts"

/**
 * - `find`: the fare of the business's trip with that id; `None` if it has none.
 * - `ofTrips`: the fares of those of the business's trips that have one.
 * - `store`: stores the fare of a trip, in place of the one that it has. Call it with the trip locked, or in the
 *   transaction that books it.
 */
export class TripFareRepository extends Context.Service<
  TripFareRepository,
  {
    readonly find: (businessId: BusinessId, tripId: TripId) => Effect.Effect<Option.Option<TripFare>>
    readonly ofTrips: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>
    ) => Effect.Effect<ReadonlyArray<TripFare>>
    readonly store: (fare: TripFare) => Effect.Effect<void>
  }
>()("@livery/domain/TripFareRepository") {}
