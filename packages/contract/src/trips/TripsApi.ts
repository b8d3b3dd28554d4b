/** Trips (docs/api/trips.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  bulkOf,
  AssignmentRecord,
  TripRecordWithWarnings,
  DeletionResult,
  DriverSet,
  DriverStatusReport,
  PageNumber,
  RepeatedTrip,
  TimelineRecord,
  TripChanges,
  TripFilter,
  TripId,
  TripInput,
  TripOverrides,
  TripRecord,
  TripReopening,
  TripRepetition
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, flag, paging, recordId, summary, wholeNumber } from "../http/Contract.ts"
import { bulkResults } from "../http/Bulk.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"
import { ChangedTripBody, TripBody } from "./TripBodies.ts"
import { tripCriteriaQuery } from "./TripCriteriaQuery.ts"

const params = { id: recordId(TripId) }

/**
 * The routes under `/trips`: trips, their drivers and their timeline. For API keys and members with a right in the area
 * `operations`.
 */
export const TripsApi = HttpApiGroup.make("trips")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...TripFilter.fields,
        ...tripCriteriaQuery,
        invoiced: Schema.optionalKey(flag),
        page: Schema.optionalKey(wholeNumber(PageNumber)),
        per_page: Schema.optionalKey(
          Schema.String.annotate({ description: "Accepted without effect: a page has 20 trips." })
        ),
        cursor: Schema.optionalKey(
          Schema.String.annotate({
            description: "The `next_cursor` of the previous page, in place of `page`; send the same filters."
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
    HttpApiEndpoint.post("createMany", "/bulk", {
      payload: bulkOf(TripInput),
      success: bulkResults(TripRecordWithWarnings, "TripsMadeBody")
    }).annotateMerge(
      summary(
        "Book up to 500 trips, each by itself or all or nothing; the response has one result for each, in order"
      )
    ),
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
        wireErrors.illegalTransition,
        wireErrors.usageLimitReached
      ]
    }).annotateMerge(
      summary(
        "Change, confirm, complete or cancel a trip; of an ended trip, only notes, references and amounts can change"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "TripDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Delete a trip; a trip that has not ended is cancelled first"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.patch("reportDriverStatus", "/:id/driver-status", {
      params,
      headers: ifMatch,
      payload: DriverStatusReport,
      success: tagged(TripBody),
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.confirmationRequired,
        wireErrors.illegalTransition
      ]
    }).annotateMerge(
      summary(
        "Set the status of a driver's assignment; `driver_id` is required if the trip has several drivers"
      )
    ),
    HttpApiEndpoint.post("assign", "/:id/drivers", {
      params,
      payload: DriverSet,
      success: data(AssignmentRecord, "AssignmentBody"),
      error: [wireErrors.notFound, wireErrors.confirmationRequired, wireErrors.illegalTransition]
    }).annotateMerge(
      summary("Replace the drivers of a trip; only this response has the tokens of new assignments")
    ),
    HttpApiEndpoint.get("timeline", "/:id/timeline", {
      params,
      query: paging,
      success: list(TimelineRecord, "TimelineBody"),
      error: wireErrors.notFound
    }).annotateMerge(
      summary("The history of a trip: each change with its author and time, the oldest first")
    ),
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
      summary("Reopen a completed or cancelled trip as confirmed; its assignments stay ended")
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      payload: [TripOverrides, Schema.Null],
      success: ChangedTripBody.pipe(created),
      error: [wireErrors.notFound, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Book a copy of a trip; fields in the body replace the copied ones"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("repeat", "/:id/repeat", {
      params,
      payload: TripRepetition,
      success: data(RepeatedTrip, "RepeatedTripBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.confirmationRequired]
    }).annotateMerge(
      summary(
        "Book copies of a trip on the days of a calendar rule, at the same time on the clock of the pickup, as a group; all or none"
      )
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/trips`)
  .annotateMerge(OpenApi.annotations({ title: "Trips" }))
