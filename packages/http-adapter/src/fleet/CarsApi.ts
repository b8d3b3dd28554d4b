/** The fleet's cars (docs/api/fleet.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CarChanges, CarId, CarInput, CarRecord, DeletionResult } from "@livery/domain"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, flag, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(CarId)

const CarBody = data(CarRecord, "CarBody")

export const CarsApi = HttpApiGroup.make("cars")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, active: Schema.optionalKey(flag) },
      success: list(CarRecord, "CarListBody")
    }).annotateMerge(summary("The business's cars by name; all, or those in use or not")),
    HttpApiEndpoint.post("create", "/", {
      payload: CarInput,
      success: CarBody.pipe(created),
      error: wireErrors.usageLimitReached
    }).annotateMerge(summary("Add a car; active ones count against the plan")),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id },
      success: tagged(CarBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One car")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: CarChanges,
      success: tagged(CarBody),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.usageLimitReached]
    }).annotateMerge(summary("Change a car; one that is not active can be given to no further trip")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "CarDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Delete a car; open trips lose it, if that is forced"))
      .annotateMerge(optionalBody)
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/cars`)
  .annotateMerge(OpenApi.annotations({ title: "Cars" }))
