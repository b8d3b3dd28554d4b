/** Trips (docs/api/trips.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AssignmentRecord,
  ChangedTripRecord,
  DeletionResult,
  DriverSet,
  DriverStatusReport,
  PageNumber,
  TimelineRecord,
  TripChanges,
  TripFilter,
  TripId,
  TripInput,
  TripOverrides,
  TripRecord,
  TripReopening
} from "@livery/domain"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary, wholeNumber } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const params = { id: recordId(TripId) }

const TripBody = data(TripRecord, "TripBody")
const ChangedTripBody = data(ChangedTripRecord, "ChangedTripBody")

export const TripsApi = HttpApiGroup.make("trips")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...TripFilter.fields,
        page: Schema.optionalKey(wholeNumber(PageNumber)),
        per_page: Schema.optionalKey(
          Schema.String.annotate({ description: "Accepted without effect: pages of trips hold 20." })
        ),
        cursor: Schema.optionalKey(
          Schema.String.annotate({
            description: "The `next_cursor` of the page before, in place of `page`; with the same filters."
          })
        )
      },
      success: list(TripRecord, "TripListBody")
    }).annotateMerge(summary("The business's trips, 20 to a page")),
    HttpApiEndpoint.post("create", "/", {
      payload: TripInput,
      success: ChangedTripBody.pipe(created),
      error: wireErrors.confirmationRequired
    }).annotateMerge(summary("Book a trip")),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(TripBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One trip")),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      headers: ifMatch,
      payload: TripChanges,
      success: tagged(ChangedTripBody),
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.confirmationRequired,
        wireErrors.illegalTransition
      ]
    }).annotateMerge(
      summary(
        "Change a trip, confirm, complete or cancel it; what has ended changes in notes and amounts alone"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "TripDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Delete a trip; one that has not ended is cancelled"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.patch("reportDriverStatus", "/:id/driver-status", {
      params,
      headers: ifMatch,
      payload: DriverStatusReport,
      success: tagged(TripBody),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.illegalTransition]
    }).annotateMerge(summary("Move a driver's part along; `driver_id` where several have one")),
    HttpApiEndpoint.post("assign", "/:id/drivers", {
      params,
      payload: DriverSet,
      success: data(AssignmentRecord, "AssignmentBody"),
      error: [wireErrors.notFound, wireErrors.confirmationRequired, wireErrors.illegalTransition]
    }).annotateMerge(summary("Give the trip this whole set of drivers; new ones' tokens are shown only now")),
    HttpApiEndpoint.get("timeline", "/:id/timeline", {
      params,
      query: paging,
      success: list(TimelineRecord, "TimelineBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("Every change of the trip, who made it and when, the oldest first")),
    HttpApiEndpoint.post("reopen", "/:id/reopen", {
      params,
      payload: TripReopening,
      success: ChangedTripBody,
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.confirmationRequired,
        wireErrors.illegalTransition
      ]
    }).annotateMerge(
      summary("Make a completed or cancelled trip confirmed again; its assignments stay ended")
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      payload: [TripOverrides, Schema.Null],
      success: ChangedTripBody.pipe(created),
      error: [wireErrors.notFound, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Book the same trip once more, with other fields where they are given"))
      .annotateMerge(optionalBody)
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/trips`)
  .annotateMerge(OpenApi.annotations({ title: "Trips" }))
