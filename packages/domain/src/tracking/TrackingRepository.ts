/** The port that finds trips to follow, and stores the links to them. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import type { TripSighting } from "./TripSighting.ts"

/** Which trip is followed. */
export interface Followed {
  readonly businessId: BusinessId
  readonly tripId: TripId
}

/**
 * - `sightings`: each of those trips as it is now, deleted ones too, in any order; absent ones are left out. One look,
 *   however many they are.
 * - `byLink`: the trip that a link's token is for, as it is now.
 * - `link`: the hash of the trip's only link from now on; false if the trip is absent, deleted or at its end.
 * - `unlink`: the link is gone; whether there was one.
 */
export class TrackingRepository extends Context.Service<
  TrackingRepository,
  {
    readonly sightings: (trips: ReadonlyArray<Followed>) => Effect.Effect<ReadonlyArray<TripSighting>>
    readonly byLink: (tokenHash: string) => Effect.Effect<Option.Option<TripSighting>>
    readonly link: (
      businessId: BusinessId,
      tripId: TripId,
      tokenHash: string,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly unlink: (businessId: BusinessId, tripId: TripId) => Effect.Effect<boolean>
  }
>()("@livery/domain/TrackingRepository") {}
