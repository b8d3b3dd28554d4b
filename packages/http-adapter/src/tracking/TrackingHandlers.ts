import { DateTime, Effect, Redacted, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import {
  actingBusiness,
  Authentication,
  DriverLocations,
  trackedTripRecord,
  Tracking,
  tripLocationRecord,
  type TripUpdate,
  type TrackedTrip,
  TripWatch,
  Unauthorized
} from "@livery/domain"
import { Api } from "../Api.ts"
import { Acting } from "../http/Access.ts"
import { bearerCredential } from "../http/BearerCredential.ts"
import { basePath } from "../http/Contract.ts"
import { eventStream, whileAllowed } from "../http/EventStream.ts"
import { paged } from "../http/Pages.ts"
import { publicAddress } from "../http/PublicUrl.ts"

/** Updates as server-sent events; each record is computed at the time of sending. */
const eventsOf = (record: (trip: TrackedTrip, now: DateTime.Utc) => object) =>
  Stream.mapEffect(({ kind, trip }: TripUpdate) =>
    Effect.map(DateTime.now, (now) => ({ event: kind, data: record(trip, now) }))
  )

export const TrackingHandlers = HttpApiBuilder.group(
  Api,
  "tracking",
  Effect.fn(function* (handlers) {
    const tracking = yield* Tracking
    const locations = yield* DriverLocations
    const watch = yield* TripWatch
    const authentication = yield* Authentication

    /** Fails once the request's credential no longer acts for its business: it can be revoked while the stream is open. */
    const stillActing = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
      const credential = bearerCredential(request)
      return credential === undefined
        ? Effect.fail(new Unauthorized())
        : Effect.flatMap(authentication.principal(credential), (principal) =>
            actingBusiness(principal, request.headers["x-business-id"])
          )
    })

    return handlers.handleAll({
      drivers: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* Acting
        return yield* paged(query, (page) => locations.list(acting, page))
      }),
      location: Effect.fnUntraced(function* ({ params }) {
        return yield* tracking.location(yield* Acting, params.id)
      }),
      follow: Effect.fnUntraced(function* ({ params }) {
        const updates = yield* watch.follow(yield* Acting, params.id)
        return eventStream(whileAllowed(eventsOf(tripLocationRecord)(updates), yield* stillActing))
      }),
      share: Effect.fnUntraced(function* ({ params }) {
        const token = Redacted.value(yield* tracking.share(yield* Acting, params.id))
        return { token, url: yield* publicAddress(`${basePath}/public/tracking/${token}`) }
      }),
      unshare: Effect.fnUntraced(function* ({ params }) {
        return { deleted: yield* tracking.unshare(yield* Acting, params.id) }
      })
    })
  })
)

export const PublicTrackingHandlers = HttpApiBuilder.group(
  Api,
  "publicTracking",
  Effect.fn(function* (handlers) {
    const tracking = yield* Tracking
    const watch = yield* TripWatch
    return handlers.handleAll({
      location: ({ params }) => tracking.byToken(Redacted.make(params.token)),
      follow: Effect.fnUntraced(function* ({ params }) {
        return eventStream(eventsOf(trackedTripRecord)(yield* watch.followLink(Redacted.make(params.token))))
      })
    })
  })
)
