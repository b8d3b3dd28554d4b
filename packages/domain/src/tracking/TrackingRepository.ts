/** The port that reads followed trips, and stores tracking links. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import type { TrackedTrip } from "./TrackedTrip.ts"

/** The key of a followed trip. */
export interface FollowedTrip {
  readonly businessId: BusinessId
  readonly tripId: TripId
}

/**
 * - `find`: the current state of those trips of the business, deleted ones included, in any order, without those that do not
 *   exist.
 * - `findByLink`: the current state of the business's trip whose link has a token with this SHA-256.
 * - `setLink`: stores the hash of the trip's new link and drops the old one; false if the trip is absent, deleted or
 *   ended.
 * - `removeLink`: removes the link; whether there was one.
 */
export class TrackingRepository extends Context.Service<
  TrackingRepository,
  {
    readonly find: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>
    ) => Effect.Effect<ReadonlyArray<TrackedTrip>>
    readonly findByLink: (
      businessId: BusinessId,
      tokenHash: string
    ) => Effect.Effect<Option.Option<TrackedTrip>>
    readonly setLink: (
      businessId: BusinessId,
      tripId: TripId,
      tokenHash: string,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly removeLink: (businessId: BusinessId, tripId: TripId) => Effect.Effect<boolean>
  }
>()("@livery/domain/TrackingRepository") {}
