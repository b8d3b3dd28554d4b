/** Following a trip on a map, and sharing its tracking link (docs/api/tracking.md). */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { Conflict } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { trackedTripRecord, tripLocationRecord } from "./TrackedTrip.ts"
import { MapStyle } from "./MapStyle.ts"
import { makeFindTrip } from "./FindTrip.ts"
import { makeLinkedTrip } from "./LinkedTrip.ts"
import { TrackingRepository } from "./TrackingRepository.ts"
import { TripWatch } from "./TripWatch.ts"
import { traced } from "../kernel/TracedFunction.ts"

export class Tracking extends Context.Service<Tracking>()("@livery/domain/Tracking", {
  make: Effect.gen(function* () {
    const trips = yield* TrackingRepository
    const { newToken } = yield* makeBusinessTokens
    const transaction = yield* Transaction
    const watch = yield* TripWatch
    const mapStyle = yield* MapStyle
    const linkedTrip = yield* makeLinkedTrip

    const findTrip = yield* makeFindTrip
    const find = ({ business_id }: ActingBusiness, tripId: TripId) =>
      findTrip({ businessId: business_id, tripId })

    return {
      /**
       * The trip's latest position; of several drivers `en_route`, the one that reported last. `NotFound` if the
       * business has no such trip.
       */
      location: traced("Tracking.location")(function* (acting: ActingBusiness, tripId: TripId) {
        return tripLocationRecord(yield* find(acting, tripId), yield* DateTime.now)
      }),

      /**
       * Creates a token with which anyone can follow the trip until it ends. It replaces the earlier token. `Conflict`
       * if the trip has ended.
       */
      share: traced("Tracking.share")(function* (acting: ActingBusiness, tripId: TripId) {
        const { token, tokenHash } = yield* newToken("tracking", acting.business_id)
        const isStored = yield* trips.setLink(acting.business_id, tripId, tokenHash, yield* DateTime.now)
        if (!isStored) {
          yield* find(acting, tripId)
          return yield* new Conflict({ reason: "The trip has ended and can no longer be tracked" })
        }
        yield* transaction.afterCommit(watch.notify([{ businessId: acting.business_id, tripId }]))
        return Redacted.make(token)
      }),

      /** Removes the trip's token; whether there was one. */
      unshare: traced("Tracking.unshare")(function* (acting: ActingBusiness, tripId: TripId) {
        yield* find(acting, tripId)
        const isRemoved = yield* trips.removeLink(acting.business_id, tripId)
        yield* transaction.afterCommit(watch.notify([{ businessId: acting.business_id, tripId }]))
        return isRemoved
      }),

      /**
       * The trip of a token, without personal data; for an hour after its end, that it has ended. `NotFound` later, or
       * if the trip is deleted, the token was replaced or removed, or the business is suspended.
       */
      byToken: traced("Tracking.byToken")(function* (token: Redacted.Redacted) {
        const { trip } = yield* linkedTrip(token)
        return trackedTripRecord(trip, yield* DateTime.now, mapStyle)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Tracking, Tracking.make)
}
