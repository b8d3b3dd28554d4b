/** Templates of trips (docs/api/trips.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  DeletionResult,
  TripOverrides,
  TripTemplateChanges,
  TripTemplateId,
  TripTemplateInput,
  TripTemplateRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"
import { ChangedTripBody } from "./TripBodies.ts"

const params = { id: recordId(TripTemplateId) }

const TripTemplateBody = data(TripTemplateRecord, "TripTemplateBody")

/**
 * The routes under `/trip-templates`: templates of trips, and bookings from them. For API keys and members with a right in the
 * area `operations`.
 */
export const TripTemplatesApi = HttpApiGroup.make("tripTemplates")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: paging,
      success: list(TripTemplateRecord, "TripTemplateListBody")
    }).annotateMerge(summary("The business's templates of trips by name")),
    HttpApiEndpoint.post("create", "/", {
      payload: TripTemplateInput,
      success: TripTemplateBody.pipe(created),
      error: wireErrors.conflict
    }).annotateMerge(summary("Make a template of trips from fields, or from a trip; at most 200")),
    HttpApiEndpoint.get("read", "/:id", {
      params,
      success: tagged(TripTemplateBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One template of trips")),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      headers: ifMatch,
      payload: TripTemplateChanges,
      success: tagged(TripTemplateBody),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Rename a template of trips, or replace its fields; its trips do not change")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      headers: ifMatch,
      success: tagged(data(DeletionResult, "TripTemplateDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Delete a template of trips; its trips do not change")),
    HttpApiEndpoint.post("book", "/:id/trips", {
      params,
      payload: TripOverrides,
      success: ChangedTripBody.pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    }).annotateMerge(
      summary("Book a trip with the fields of a template; fields in the body replace those of the template")
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/trip-templates`)
  .annotateMerge(OpenApi.annotations({ title: "Templates of trips" }))
