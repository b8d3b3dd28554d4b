/** Tariffs and fares (docs/api/fares.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  DeletionResult,
  EstimateRecord,
  EstimateRequest,
  ListedTariffRecord,
  ListedTariffVersionRecord,
  PriceListTerms,
  check,
  TariffChanges,
  TariffId,
  TariffInput,
  TariffRecord,
  TariffVersionNumber,
  TripFareRecord,
  TripId,
  TripPricing
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, callsOut, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(TariffId)

const tripId = recordId(TripId)

/** A CSV text as a file of a form, for the documentation. The handler reads the request itself. */
const PriceListFile = Schema.String.check(check<string>("invalid", () => true, { format: "binary" }))

const TariffBody = data(TariffRecord, "TariffBody")

/**
 * The routes for prices: tariffs, in the area `tariffs`; estimates and the fares of trips, in the area `sales`. For API
 * keys and members with a right in the area.
 */
export const FaresApi = HttpApiGroup.make("fares")
  .add(
    HttpApiEndpoint.get("list", "/tariffs", {
      query: paging,
      success: list(ListedTariffRecord, "TariffListBody")
    }).annotateMerge(summary("The business's tariffs by id, without their prices")),
    HttpApiEndpoint.post("create", "/tariffs", {
      payload: TariffInput,
      success: TariffBody.pipe(created)
    }).annotateMerge(summary("Add a tariff; it is checked as a whole")),
    HttpApiEndpoint.get("read", "/tariffs/:id", {
      params: { id },
      success: tagged(TariffBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One tariff with its prices, in its latest version")),
    HttpApiEndpoint.patch("update", "/tariffs/:id", {
      params: { id },
      headers: ifMatch,
      payload: TariffChanges,
      success: tagged(TariffBody),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Change fields of a tariff, which creates its next version")),
    HttpApiEndpoint.delete("remove", "/tariffs/:id", {
      params: { id },
      headers: ifMatch,
      success: tagged(data(DeletionResult, "TariffDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Delete a tariff; fares that were computed with it keep their version")),
    HttpApiEndpoint.get("versions", "/tariffs/:id/versions", {
      params: { id },
      query: paging,
      success: list(ListedTariffVersionRecord, "TariffVersionListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("The versions of a tariff, the latest first, without their prices")),
    HttpApiEndpoint.get("readVersion", "/tariffs/:id/versions/:version", {
      params: { id, version: recordId(TariffVersionNumber) },
      success: tagged(TariffBody),
      error: wireErrors.notFound
    }).annotateMerge(
      summary("A tariff as it was in a version; also a deleted one, because fares refer to it")
    ),
    HttpApiEndpoint.post("importPrices", "/tariffs/:id/import", {
      params: { id },
      payload: Schema.Struct({ file: PriceListFile, ...PriceListTerms.fields }).pipe(
        HttpApiSchema.asMultipart()
      ),
      success: TariffBody,
      error: [wireErrors.notFound, wireErrors.malformed]
    }).annotateMerge(
      summary(
        "Take over the fixed prices of a CSV price list as the next version; nothing if any line is wrong"
      )
    ),
    HttpApiEndpoint.post("estimate", "/fares/estimate", {
      payload: EstimateRequest,
      success: data(EstimateRecord, "FareEstimateBody")
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("The fares of a trip in every vehicle class, line by line"))
      // Members who write quotes need prices, although they may not change tariffs.
      .annotateMerge(inArea("sales")),
    HttpApiEndpoint.get("ofTrip", "/trips/:id/fare", {
      params: { id: tripId },
      success: tagged(data(TripFareRecord, "TripFareBody")),
      error: wireErrors.notFound
    })
      .annotateMerge(
        summary(
          "The fare of a trip when it was booked, and its final fare with waiting or a no-show, line by line"
        )
      )
      .annotateMerge(inArea("sales")),
    HttpApiEndpoint.post("priceTrip", "/trips/:id/fare", {
      params: { id: tripId },
      payload: TripPricing,
      success: data(TripFareRecord, "TripPricedBody"),
      error: [wireErrors.notFound, wireErrors.conflict]
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("Price an open trip by a tariff; the final fare is computed when the trip ends"))
      .annotateMerge(inArea("sales"))
  )
  .middleware(BusinessAccess)
  .prefix(basePath)
  .annotateMerge(inArea("tariffs"))
  .annotateMerge(OpenApi.annotations({ title: "Fares" }))
