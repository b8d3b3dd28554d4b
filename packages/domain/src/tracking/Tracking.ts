/** Following a trip on a map, and sharing the link to it (specification, Trips: passenger-facing live location). */
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { Conflict, NotFound } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { TrackingRepository } from "./TrackingRepository.ts"
import {
  isOver,
  trackedTripRecord,
  type TrackedTripRecord,
  tripLocationRecord,
  type TripLocationRecord
} from "./TripSighting.ts"
import { TripWatch } from "./TripWatch.ts"

/** What every tracking token begins with. */
export const trackingTokenPrefix = "lvt_"

/** A link to a trip, for the only time: `url` is where its token is served. */
export const TrackingLinkRecord = Schema.Struct({ token: Schema.String, url: Schema.String })
export type TrackingLinkRecord = typeof TrackingLinkRecord.Type

/**
 * - `location`: where the trip's driver is; of several under way, the one who reported last. `NotFound` if the business
 *   has no such trip.
 * - `share`: a new token that lets whoever has it follow the trip until it ends; the one before is worth nothing any
 *   more. `Conflict` if the trip has ended.
 * - `unshare`: nobody follows the trip by a token any more; whether there was one.
 * - `byToken`: the trip that a token is for, without a word of any person; `NotFound` once the trip has ended or is
 *   deleted, the token is replaced or withdrawn, or the business is suspended.
 */
export class Tracking extends Context.Service<
  Tracking,
  {
    readonly location: (acting: ActingBusiness, tripId: TripId) => Effect.Effect<TripLocationRecord, NotFound>
    readonly share: (
      acting: ActingBusiness,
      tripId: TripId
    ) => Effect.Effect<Redacted.Redacted, NotFound | Conflict>
    readonly unshare: (acting: ActingBusiness, tripId: TripId) => Effect.Effect<boolean, NotFound>
    readonly byToken: (token: Redacted.Redacted) => Effect.Effect<TrackedTripRecord, NotFound>
  }
>()("@livery/domain/Tracking") {
  static readonly layer = Layer.effect(
    Tracking,
    Effect.gen(function* () {
      const trips = yield* TrackingRepository
      const cryptography = yield* Cryptography
      const transaction = yield* Transaction
      const watch = yield* TripWatch

      const sighting = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, tripId: TripId) {
        const [found] = yield* trips.sightings([{ businessId: business_id, tripId }])
        if (found === undefined || found.deleted) return yield* new NotFound({ resource: "trip" })
        return found
      })

      const location = Effect.fn("Tracking.location")(function* (acting: ActingBusiness, tripId: TripId) {
        return tripLocationRecord(yield* sighting(acting, tripId), yield* DateTime.now)
      })

      const share = Effect.fn("Tracking.share")(function* (acting: ActingBusiness, tripId: TripId) {
        const token = `${trackingTokenPrefix}${Base64Url.encode(yield* cryptography.randomBytes(32))}`
        const hash = yield* cryptography.sha256(token)
        const linked = yield* trips.link(acting.business_id, tripId, hash, yield* DateTime.now)
        if (!linked) {
          yield* sighting(acting, tripId)
          return yield* new Conflict({ reason: "The trip has ended: there is nothing left to follow" })
        }
        yield* transaction.afterCommit(watch.changed([{ businessId: acting.business_id, tripId }]))
        return Redacted.make(token)
      })

      const unshare = Effect.fn("Tracking.unshare")(function* (acting: ActingBusiness, tripId: TripId) {
        yield* sighting(acting, tripId)
        const unlinked = yield* trips.unlink(acting.business_id, tripId)
        yield* transaction.afterCommit(watch.changed([{ businessId: acting.business_id, tripId }]))
        return unlinked
      })

      const byToken = Effect.fn("Tracking.byToken")(function* (token: Redacted.Redacted) {
        const found = yield* trips.byLink(yield* cryptography.sha256(Redacted.value(token)))
        if (Option.isNone(found) || isOver(found.value) || found.value.business.status === "D")
          return yield* new NotFound({ resource: "trip" })
        return trackedTripRecord(found.value, yield* DateTime.now)
      })

      return Tracking.of({ location, share, unshare, byToken })
    })
  )
}
