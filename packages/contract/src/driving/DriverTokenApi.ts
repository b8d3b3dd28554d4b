/** The routes of drivers without an account, for one assignment (docs/api/driving.md). */
import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AssignmentReport, LocationBatchInput, LocationInput, LocationReceipt } from "@livery/domain/records"
import { DriverTokenAccess } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"
import { provenBy } from "../http/Traits.ts"
import {
  DriverOfficeBody,
  DriverTripBody,
  LocationBatchReceiptBody,
  LocationReceiptBody
} from "./DriverBodies.ts"

/**
 * The response to an app that reports in the background, as OwnTracks wants it: a list without entries. These apps have forms
 * of their own, which the handler reads (docs/pages.md), so the routes are not among the operations of OpenAPI.
 */
const tracker = { success: Schema.Tuple([]) }
const ofTrackers = Context.make(OpenApi.Exclude, true)

const isReceipt = Schema.is(LocationReceipt)

/** The routes under `/driver`: one trip, its status and the driver's position. For the token of an assignment. */
export const DriverTokenApi = HttpApiGroup.make("driverToken")
  .add(
    HttpApiEndpoint.get("trip", "/trip", {
      success: tagged(DriverTripBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("The assigned trip")),
    HttpApiEndpoint.get("office", "/office", {
      success: DriverOfficeBody,
      error: wireErrors.notFound
    }).annotateMerge(summary("The business of the trip: its name, the phone number of its office, its look")),
    HttpApiEndpoint.post("locations", "/locations", {
      payload: LocationBatchInput,
      success: LocationBatchReceiptBody
    }).annotateMerge(
      summary(
        "Report up to 500 positions of a phone that was offline, in any order; returns how many were recorded"
      )
    ),
    HttpApiEndpoint.post("track", "/track", tracker).annotateMerge(ofTrackers),
    HttpApiEndpoint.get("trackByQuery", "/track", tracker).annotateMerge(ofTrackers),
    HttpApiEndpoint.post("location", "/location", {
      payload: LocationInput,
      success: LocationReceiptBody
    })
      .annotateMerge(
        summary("Report the driver's position; recorded only if it was measured while `en_route`")
      )
      // A position is stored only while the token is valid.
      .annotateMerge(provenBy((receipt) => isReceipt(receipt) && receipt.recorded)),
    HttpApiEndpoint.post("status", "/status", {
      payload: AssignmentReport,
      success: tagged(DriverTripBody),
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.confirmationRequired,
        wireErrors.illegalTransition
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary:
          "Accept the job, or report a status or a milestone; the token expires when the assignment ends",
        description:
          "The token expires when its assignment ends. Repeating the report that ended the assignment returns 401, also " +
          "under the same `Idempotency-Key`; it need not be repeated."
      })
    )
  )
  .middleware(DriverTokenAccess)
  .prefix(`${basePath}/driver`)
  .annotateMerge(OpenApi.annotations({ title: "Drivers without an account" }))
