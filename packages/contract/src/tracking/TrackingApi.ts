/** Following trips and drivers on a map (docs/api/tracking.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  DriverLocationRecord,
  TrackedTripRecord,
  TrackingLinkRecord,
  TripId,
  TripLocationRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea, PublicAccess } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { secretParameter } from "../http/Traits.ts"

const id = recordId(TripId)
const params = { token: Schema.String }

/** A stream with one event for each new position and each new status; its data is the record at the time of sending. */
const streamOf = <S extends Schema.Codec<unknown, unknown>>(record: S) =>
  HttpApiSchema.StreamSse({
    events: Schema.Struct({
      id: Schema.optionalKey(Schema.UndefinedOr(Schema.String)),
      event: Schema.Literals(["position", "status"]),
      data: Schema.fromJsonString(record)
    })
  })

/**
 * The routes for positions: those of all drivers, that of a trip, also as a stream, and the tracking links. For API
 * keys and members with a right in the area `operations`.
 */
export const TrackingApi = HttpApiGroup.make("tracking")
  .add(
    HttpApiEndpoint.get("drivers", "/drivers/locations", {
      query: paging,
      success: list(DriverLocationRecord, "DriverLocationListBody")
    }).annotateMerge(summary("The last position of each driver who is under way")),
    HttpApiEndpoint.get("location", "/trips/:id/location", {
      params: { id },
      success: data(TripLocationRecord, "TripLocationBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("The position of the trip's driver; null unless a driver is under way")),
    HttpApiEndpoint.get("follow", "/trips/:id/location/stream", {
      params: { id },
      success: streamOf(TripLocationRecord),
      error: wireErrors.notFound
    }).annotateMerge(summary("The position of the trip's driver as server-sent events, until the trip ends")),
    HttpApiEndpoint.post("share", "/trips/:id/tracking-link", {
      params: { id },
      success: data(TrackingLinkRecord, "TrackingLinkBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary("Create a tracking link; only this response has it, and an earlier link stops working")
    ),
    HttpApiEndpoint.delete("unshare", "/trips/:id/tracking-link", {
      params: { id },
      success: data(Schema.Struct({ deleted: Schema.Boolean }), "TrackingLinkDeletedBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("Remove the trip's tracking link"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Tracking" }))

/** The routes under `/public/tracking`: the position of a trip, also as a stream. For anyone with the tracking link. */
export const PublicTrackingApi = HttpApiGroup.make("publicTracking")
  .add(
    HttpApiEndpoint.get("location", "/:token", {
      params,
      success: data(TrackedTripRecord, "TrackedTripBody"),
      error: wireErrors.notFound
    }).annotateMerge(
      summary(
        "The position of the trip's driver; for an hour after the trip ends, its final status; then 404"
      )
    ),
    HttpApiEndpoint.get("follow", "/:token/stream", {
      params,
      success: streamOf(TrackedTripRecord),
      error: wireErrors.notFound
    }).annotateMerge(
      summary(
        "The position of the trip's driver as server-sent events, until the trip ends; afterwards a single event"
      )
    )
  )
  .middleware(PublicAccess)
  .prefix(`${basePath}/public/tracking`)
  .annotateMerge(OpenApi.annotations({ title: "Tracking by link" }))
  .annotateMerge(secretParameter("token"))
