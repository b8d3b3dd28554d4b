/** The routes of drivers who have signed in (docs/api/driving.md). */
import { Context } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AssignmentReport,
  DriverProfileRecord,
  DriverTripFilter,
  DriverTripRecord,
  LocationBatchInput,
  LocationInput,
  TripId
} from "@livery/domain/records"
import { DriverAccess } from "../http/Access.ts"
import { basePath, paging, recordId, repeatedChange, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"
import {
  DriverOfficeBody,
  DriverTripBody,
  LocationBatchReceiptBody,
  LocationReceiptBody
} from "./DriverBodies.ts"

const id = recordId(TripId)

/** The routes under `/me/driver`: the driver's own trips and positions. For the access token of a driver's account. */
export const DriverAccountApi = HttpApiGroup.make("driverAccount")
  .add(
    HttpApiEndpoint.get("profile", "/", {
      success: tagged(data(DriverProfileRecord, "DriverProfileBody"))
    }).annotateMerge(summary("The driver's profile, with cars and the numbers of jobs")),
    HttpApiEndpoint.get("office", "/office", {
      success: DriverOfficeBody,
      error: wireErrors.notFound
    }).annotateMerge(
      summary("The business of the driver: its name, the phone number of its office, its look")
    ),
    HttpApiEndpoint.get("trips", "/trips", {
      query: {
        ...DriverTripFilter.fields,
        ...paging
      },
      success: list(DriverTripRecord, "DriverTripListBody")
    }).annotateMerge(
      summary("The driver's jobs, the soonest first; with `previous`, ended jobs, the latest first")
    ),
    HttpApiEndpoint.get("trip", "/trips/:id", {
      params: { id },
      success: tagged(DriverTripBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One job, by the trip's id")),
    HttpApiEndpoint.patch("report", "/trips/:id", {
      params: { id },
      headers: ifMatch,
      payload: AssignmentReport,
      success: tagged(DriverTripBody),
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.confirmationRequired,
        wireErrors.illegalTransition
      ]
    }).annotateMerge(
      Context.merge(repeatedChange, summary("Accept the own job, or report a status or a milestone of it"))
    ),
    HttpApiEndpoint.post("location", "/location", {
      payload: LocationInput,
      success: LocationReceiptBody
    }).annotateMerge(
      summary("Report the driver's position; recorded only if it was measured while `en_route`")
    ),
    HttpApiEndpoint.post("locations", "/locations", {
      payload: LocationBatchInput,
      success: LocationBatchReceiptBody
    }).annotateMerge(
      summary(
        "Report up to 500 positions of a phone that was offline, in any order; returns how many were recorded"
      )
    )
  )
  .middleware(DriverAccess)
  .prefix(`${basePath}/me/driver`)
  .annotateMerge(OpenApi.annotations({ title: "Signed-in drivers" }))
