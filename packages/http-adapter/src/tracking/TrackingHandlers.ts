import { DateTime, Effect, Redacted, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  type ActingBusiness,
  CredentialWatch,
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
import { bearerCredential } from "../http/request/IncomingRequest.ts"
import { eventStream } from "../http/responses/EventStream.ts"
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
  const credentials = yield* CredentialWatch

  /** The stream, ended once the request's credential no longer acts for the business. */
  const whileActing = Effect.fnUntraced(function* <A>(stream: Stream.Stream<A>, acting: ActingBusiness) {
    const credential = bearerCredential(yield* HttpServerRequest.HttpServerRequest)
    const ended = credential === undefined ? Effect.void : credentials.ended(credential, acting.business_id)
    return Stream.interruptWhen(stream, Effect.ignoreCause(ended))
  })

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
