/** The booking page of a business, for its visitors (docs/api/sales.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  BookingPageRecord,
  DepartureDays,
  PlaceRecord,
  PlaceSearch,
  PublicBookingInput,
  ProductId,
  PublicBookingRecord,
  PublicDepartureRecord,
  PublicEstimateRecord,
  PublicEstimateRequest,
  PublicQuoteRequest,
  PublicTripInput,
  PublicTripRecord,
  RequestedQuoteRecord
} from "@livery/domain/records"
import { PublicAccess } from "../http/Access.ts"
import { basePath, callsOut, created, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { publicAddress } from "../http/Traits.ts"

const params = { vendor_slug: Schema.String }

/**
 * The routes under `/public/businesses`: the page on which customers see prices, request quotes and book. For anyone,
 * limited by address.
 */
export const BookingPagesApi = HttpApiGroup.make("bookingPages")
  .add(
    HttpApiEndpoint.get("read", "/:vendor_slug", {
      params,
      success: data(BookingPageRecord, "BookingPageBody"),
      error: wireErrors.notFound
    }).annotateMerge(
      summary("The business's profile and its products, whose prices are honoured for 15 minutes")
    ),
    HttpApiEndpoint.get("places", "/:vendor_slug/places", {
      params,
      query: PlaceSearch,
      success: data(Schema.Array(PlaceRecord), "PlacesBody"),
      error: wireErrors.notFound
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary(
          "The zones of the business's tariff with the text in their names, and the addresses that the geocoding service finds"
        )
      ),
    HttpApiEndpoint.get("departures", "/:vendor_slug/products/:id/departures", {
      params: { ...params, id: recordId(ProductId) },
      query: DepartureDays,
      success: data(Schema.Array(PublicDepartureRecord), "PublicDeparturesBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("The departures of a tour on up to 31 days, with the places that are left")),
    HttpApiEndpoint.post("estimate", "/:vendor_slug/estimate", {
      params,
      payload: PublicEstimateRequest,
      success: data(PublicEstimateRecord, "PublicEstimateBody"),
      error: wireErrors.notFound
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("The prices of a ride in each class, honoured for 15 minutes")),
    HttpApiEndpoint.post("requestQuote", "/:vendor_slug/quotes", {
      params,
      payload: PublicQuoteRequest,
      success: data(RequestedQuoteRecord, "RequestedQuoteBody").pipe(created),
      error: wireErrors.notFound
    }).annotateMerge(summary("Request a quote for a ride")),
    HttpApiEndpoint.post("bookProduct", "/:vendor_slug/bookings", {
      params,
      payload: PublicBookingInput,
      success: data(PublicBookingRecord, "PublicBookingBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("Book places of a product")),
    HttpApiEndpoint.post("bookTrip", "/:vendor_slug/trips", {
      params,
      payload: PublicTripInput,
      success: data(PublicTripRecord, "PublicTripBody").pipe(created),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("Book a ride at a displayed price"))
  )
  .middleware(PublicAccess)
  .prefix(`${basePath}/public/businesses`)
  .annotateMerge(OpenApi.annotations({ title: "Booking page" }))
  .annotateMerge(publicAddress("page"))
