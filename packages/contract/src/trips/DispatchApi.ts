/** The dispatch board (docs/api/trips.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AssignmentBatch,
  AssignmentRecord,
  BoardFilter,
  BoardJobRecord,
  TripRecordWithWarnings,
  GroupChange
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, paging, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tripCriteriaQuery } from "./TripCriteriaQuery.ts"

/**
 * The routes under `/dispatch`: the dispatch board, and changes of many trips at once. For API keys and members with a
 * right in the area `operations`.
 */
export const DispatchApi = HttpApiGroup.make("dispatch")
  .add(
    HttpApiEndpoint.get("board", "/trips", {
      query: {
        ...BoardFilter.fields,
        ...tripCriteriaQuery,
        ...paging
      },
      success: list(BoardJobRecord, "BoardBody")
    }).annotateMerge(
      summary(
        "The jobs of a day in the business's time zone (default: today) or between two instants, the soonest first, with " +
          "drivers, cars and warnings; cancelled jobs only with `status=cancelled`"
      )
    ),
    HttpApiEndpoint.post("assign", "/assignments", {
      payload: AssignmentBatch,
      success: data(Schema.Array(AssignmentRecord), "AssignmentsBody"),
      error: wireErrors.confirmationRequired
    }).annotateMerge(
      summary(
        "Change the drivers and cars of up to 200 trips, all or none; clashes are checked on the result, so drivers " +
          "can exchange trips"
      )
    ),
    HttpApiEndpoint.post("changeGroup", "/groups", {
      payload: GroupChange,
      success: data(Schema.Array(TripRecordWithWarnings), "GroupBody"),
      error: wireErrors.confirmationRequired
    }).annotateMerge(summary("Cancel or move all trips of a group that have not ended, all or none"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/dispatch`)
  .annotateMerge(OpenApi.annotations({ title: "Dispatch" }))
