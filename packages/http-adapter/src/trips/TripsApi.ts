/** Trips (specification, Trips). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PageNumber, TripFilter, TripId, TripInput, TripRecord } from "@livery/domain"
import { BusinessAccess } from "../http/Access.ts"
import { basePath, created, summary, wholeNumber } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"

const TripBody = data(TripRecord, "TripBody")

export const TripsApi = HttpApiGroup.make("trips")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...TripFilter.fields, page: Schema.optionalKey(wholeNumber(PageNumber)) },
      success: list(TripRecord, "TripListBody")
    }).annotateMerge(summary("The business's trips, 20 to a page")),
    HttpApiEndpoint.post("create", "/", {
      payload: TripInput,
      success: TripBody.pipe(created)
    }).annotateMerge(summary("Book a trip")),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id: wholeNumber(TripId) },
      success: tagged(TripBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One trip"))
  )
  .middleware(BusinessAccess)
  .prefix(`${basePath}/trips`)
  .annotateMerge(OpenApi.annotations({ title: "Trips" }))
