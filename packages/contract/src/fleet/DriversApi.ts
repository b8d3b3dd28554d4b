/** The business's drivers (docs/api/fleet.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  bulkOf,
  AbsenceFilter,
  AbsenceInput,
  AbsenceRecord,
  AbsenceRemoval,
  AbsencesQuery,
  AddedAbsences,
  AvailabilityQuery,
  AvailabilityRecord,
  DeletionResult,
  DriverChanges,
  DriverId,
  DriverInput,
  DriverRecord,
  FreeDriverRecord,
  FreeDriversQuery,
  SendingResult
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, callsOut, created, flag, paging, recordId, summary } from "../http/Contract.ts"
import { bulkResults } from "../http/Bulk.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { providerErrors } from "../http/PaymentErrors.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(DriverId)

const DriverBody = data(DriverRecord, "DriverBody")

/**
 * The routes under `/drivers`: drivers, their invitations and absences, and which are free. For API keys and members
 * with a right in the area `operations`.
 */
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
      error: [wireErrors.planLimitExceeded, ...providerErrors]
    })
      .annotateMerge(
        summary("Add a driver; beyond the plan's limit, `confirm_seat` buys a seat if the plan sells seats")
      )
      .annotateMerge(callsOut),
    HttpApiEndpoint.post("createMany", "/bulk", {
      payload: bulkOf(DriverInput),
      success: bulkResults(DriverRecord, "DriversMadeBody")
    })
      .annotateMerge(
        summary(
          "Add up to 500 drivers, each by itself or all or nothing; the response has one result for each, in order"
        )
      )
      .annotateMerge(callsOut),
    HttpApiEndpoint.get("free", "/free", {
      query: { ...paging, ...FreeDriversQuery.fields },
      success: list(FreeDriverRecord, "FreeDriverListBody")
    }).annotateMerge(
      summary(
        "The active drivers who have neither a trip nor an absence at a time, with their jobs before and after it"
      )
    ),
    HttpApiEndpoint.get("allAbsences", "/absences", {
      query: { ...paging, ...AbsencesQuery.fields },
      success: list(AbsenceRecord, "AllAbsencesBody")
    }).annotateMerge(summary("The absences of all drivers in a time of at most 31 days, the earliest first")),
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
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.confirmationRequired,
        wireErrors.planLimitExceeded,
        ...providerErrors
      ]
    }).annotateMerge(
      summary(
        "Change a driver; an inactive driver cannot be given further trips, and `force` confirms that open ones are kept"
      )
    ),
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
    }).annotateMerge(
      summary("The times at which a driver is busy or absent, on up to 31 days; today by default")
    ),
    HttpApiEndpoint.get("absences", "/:id/absences", {
      params: { id },
      query: { ...paging, ...AbsenceFilter.fields },
      success: list(AbsenceRecord, "AbsenceListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("A driver's absences, the earliest first")),
    HttpApiEndpoint.post("addAbsence", "/:id/absences", {
      params: { id },
      payload: AbsenceInput,
      success: data(AddedAbsences, "AbsencesAddedBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.confirmationRequired]
    }).annotateMerge(
      summary(
        "Add an absence of a driver, optionally repeated by weekday; the warnings name the driver's trips at that time"
      )
    ),
    HttpApiEndpoint.delete("removeAbsences", "/:id/absences", {
      params: { id },
      payload: AbsenceRemoval,
      success: data(DeletionResult, "AbsencesDeletedBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("Remove absences of a driver, all of them or none"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/drivers`)
  .annotateMerge(OpenApi.annotations({ title: "Drivers" }))
