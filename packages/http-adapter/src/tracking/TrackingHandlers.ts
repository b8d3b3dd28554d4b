import { DateTime, Effect, Redacted, Stream } from "effect"
import {
  DriverLocations,
  MapStyle,
  trackedTripRecord,
  Tracking,
  tripLocationRecord,
  type TripUpdate,
  type TrackedTrip,
  TripWatch
} from "@livery/domain"
import { CurrentBusiness, basePath } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { eventStream } from "../http/responses/EventStream.ts"
import { makeWhileActing } from "../http/responses/WhileActing.ts"
import { linksTo } from "../http/server/PublicUrl.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

/** Updates as server-sent events; each record is computed at the time of sending. */
const eventsOf = (record: (trip: TrackedTrip, now: DateTime.Utc) => object) =>
  Stream.mapEffect(({ kind, trip }: TripUpdate) =>
    Effect.map(DateTime.now, (now) => ({ event: kind, data: record(trip, now) }))
  )

export const TrackingHandlers = handlersOf("tracking", function* (handlers) {
  const tracking = yield* Tracking
  const locations = yield* DriverLocations
  const watch = yield* TripWatch
  const whileActing = yield* makeWhileActing

  return handlers({
    drivers: forBusiness((acting, { query }) => paged(query, (page) => locations.list(acting, page))),
    location: forBusiness((acting, { params }) => tracking.location(acting, params.id)),
    follow: Effect.fnUntraced(function* ({ params }) {
      const acting = yield* CurrentBusiness
      const updates = yield* watch.follow(acting, params.id)
      return eventStream(yield* whileActing(eventsOf(tripLocationRecord)(updates), acting))
    }),
    share: Effect.fnUntraced(function* ({ params }) {
      const token = Redacted.value(yield* tracking.share(yield* CurrentBusiness, params.id))
      const linkOf = yield* linksTo("track", `${basePath}/public/tracking/`)
      return { token, url: linkOf(token) }
    }),
    unshare: Effect.fnUntraced(function* ({ params }) {
      return { deleted: yield* tracking.unshare(yield* CurrentBusiness, params.id) }
    })
  })
})

export const PublicTrackingHandlers = handlersOf("publicTracking", function* (handlers) {
  const tracking = yield* Tracking
  const watch = yield* TripWatch
  const mapStyle = yield* MapStyle
  const recordOf = (trip: TrackedTrip, now: DateTime.Utc) => trackedTripRecord(trip, now, mapStyle)
  return handlers({
    location: ({ params }) => tracking.byToken(Redacted.make(params.token)),
    follow: Effect.fnUntraced(function* ({ params }) {
      return eventStream(eventsOf(recordOf)(yield* watch.followLink(Redacted.make(params.token))))
    })
  })
})
