/** The fleet's cars (docs/api/fleet.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { bulkOf, CarChanges, CarId, CarInput, CarRecord, DeletionResult } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, flag, paging, recordId, summary } from "../http/Contract.ts"
import { bulkResults } from "../http/Bulk.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(CarId)

const CarBody = data(CarRecord, "CarBody")

/** The routes under `/cars`. For API keys and members with a right in the area `operations`. */
export const CarsApi = HttpApiGroup.make("cars")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, active: Schema.optionalKey(flag) },
      success: list(CarRecord, "CarListBody")
    }).annotateMerge(summary("The business's cars by name; optionally only the active or the inactive ones")),
    HttpApiEndpoint.post("create", "/", {
      payload: CarInput,
      success: CarBody.pipe(created),
      error: wireErrors.usageLimitReached
    }).annotateMerge(summary("Add a car; active cars count against the plan's limit")),
    HttpApiEndpoint.post("createMany", "/bulk", {
      payload: bulkOf(CarInput),
      success: bulkResults(CarRecord, "CarsMadeBody")
    }).annotateMerge(
      summary(
        "Add up to 500 cars, each by itself or all or nothing; the response has one result for each, in order"
      )
    ),
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
    }).annotateMerge(summary("Change a car; an inactive car cannot be given to further trips")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "CarDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(
        summary("Delete a car; if it has open trips, `force` is required and removes it from them")
      )
      .annotateMerge(optionalBody)
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("operations"))
  .prefix(`${basePath}/cars`)
  .annotateMerge(OpenApi.annotations({ title: "Cars" }))
