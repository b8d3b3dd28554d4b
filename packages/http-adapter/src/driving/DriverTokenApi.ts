/** The routes of drivers without an account, for one assignment (docs/api/driving.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AssignmentReport, LocationInput } from "@livery/domain"
import { DriverTokenAccess } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"
import { DriverTripBody, LocationReceiptBody } from "./DriverBodies.ts"

export const DriverTokenApi = HttpApiGroup.make("driverToken")
  .add(
    HttpApiEndpoint.get("trip", "/trip", {
      success: tagged(DriverTripBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("The assigned trip")),
    HttpApiEndpoint.post("location", "/location", {
      payload: LocationInput,
      success: LocationReceiptBody
    }).annotateMerge(
      summary("Report the driver's position; recorded only if it was measured while `en_route`")
    ),
    HttpApiEndpoint.post("status", "/status", {
      payload: AssignmentReport,
      success: tagged(DriverTripBody),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.illegalTransition]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Report a status or a milestone; the token expires when the assignment ends",
        description:
          "The token is dead once its assignment has ended. Who repeats the report that ended it is answered 401, also " +
          "under its `Idempotency-Key`, and has nothing more to report."
      })
    )
  )
  .middleware(DriverTokenAccess)
  .prefix(`${basePath}/driver`)
  .annotateMerge(OpenApi.annotations({ title: "Drivers without an account" }))
