/** The business's drivers (docs/api/fleet.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AvailabilityQuery,
  AvailabilityRecord,
  DeletionResult,
  DriverChanges,
  DriverId,
  DriverInput,
  DriverRecord,
  SendingResult
} from "@livery/domain"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, flag, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(DriverId)

const DriverBody = data(DriverRecord, "DriverBody")

export const DriversApi = HttpApiGroup.make("drivers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, active: Schema.optionalKey(flag) },
      success: list(DriverRecord, "DriverListBody")
    }).annotateMerge(
      summary("The business's drivers by name; optionally only the active or the inactive ones")
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: DriverInput,
      success: DriverBody.pipe(created),
      error: wireErrors.planLimitExceeded
    }).annotateMerge(
      summary("Add a driver; beyond the plan's limit, `confirm_seat` buys a seat if the plan sells seats")
    ),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id },
      success: tagged(DriverBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One driver")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: DriverChanges,
      success: tagged(DriverBody),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.planLimitExceeded]
    }).annotateMerge(summary("Change a driver; an inactive driver cannot be given further trips")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "DriverDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(
        summary("Delete a driver; if there are live assignments, `force` is required and cancels them")
      )
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("invite", "/:id/invite", {
      params: { id },
      success: data(SendingResult, "InvitationSentBody"),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.tooManyRequests]
    }).annotateMerge(summary("Mail the driver a code to create an account; earlier codes become invalid")),
    HttpApiEndpoint.get("availability", "/:id/availability", {
      params: { id },
      query: AvailabilityQuery.fields,
      success: data(AvailabilityRecord, "AvailabilityBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("When the driver is busy: on the given days, at most 31; today by default"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/drivers`)
  .annotateMerge(OpenApi.annotations({ title: "Drivers" }))
