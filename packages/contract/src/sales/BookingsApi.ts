/** Products and bookings (docs/api/sales.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  BookingCancellation,
  BookingChanges,
  BookingFilter,
  BookingId,
  BookingInput,
  BookingRecord,
  ConfirmedCustomerEmailInput,
  CustomerId,
  DeletionResult,
  DepartureDays,
  DepartureRecord,
  ProductChanges,
  ProductId,
  ProductInput,
  ProductRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { basePath, created, flag, paging, recordId, summary, wholeNumber } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const productId = recordId(ProductId)
const ProductBody = data(ProductRecord, "ProductBody")

/**
 * The routes under `/products`: the services that customers book. For API keys and members with a right in the area
 * `sales`.
 */
export const ProductsApi = HttpApiGroup.make("products")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, active: Schema.optionalKey(flag) },
      success: list(ProductRecord, "ProductListBody")
    }).annotateMerge(summary("The business's products by name")),
    HttpApiEndpoint.post("create", "/", {
      payload: ProductInput,
      success: ProductBody.pipe(created)
    }).annotateMerge(summary("Add a product")),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id: productId },
      success: tagged(ProductBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One product")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id: productId },
      headers: ifMatch,
      payload: ProductChanges,
      success: tagged(ProductBody),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Change a product; its bookings keep their price and their time")),
    HttpApiEndpoint.get("departures", "/:id/departures", {
      params: { id: productId },
      query: DepartureDays,
      success: data(Schema.Array(DepartureRecord), "DeparturesBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("The departures of a tour on up to 31 days, with their places and their trips")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id: productId },
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "ProductDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Delete a product; its bookings stay"))
      .annotateMerge(optionalBody)
  )
  .middleware(BusinessAccess)
  .prefix(`${basePath}/products`)
  .annotateMerge(inArea("sales"))
  .annotateMerge(OpenApi.annotations({ title: "Products" }))

const id = recordId(BookingId)
const BookingBody = data(BookingRecord, "BookingBody")

/**
 * The routes under `/bookings`, from the booking to its confirmation or cancellation. For API keys and members with a
 * right in the area `sales`.
 */
export const BookingsApi = HttpApiGroup.make("bookings")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...paging,
        ...BookingFilter.fields,
        product_id: Schema.optionalKey(wholeNumber(ProductId)),
        customer_id: Schema.optionalKey(wholeNumber(CustomerId))
      },
      success: list(BookingRecord, "BookingListBody")
    }).annotateMerge(summary("The business's bookings, the latest start first")),
    HttpApiEndpoint.post("create", "/", {
      payload: BookingInput,
      success: BookingBody.pipe(created),
      error: wireErrors.conflict
    }).annotateMerge(
      summary("Book places of a product; the booking is pending, and expires unless it is confirmed")
    ),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id },
      success: tagged(BookingBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One booking")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: BookingChanges,
      success: tagged(BookingBody),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.illegalTransition]
    }).annotateMerge(summary("Change a booking, or complete a confirmed one")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "BookingDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Delete a booking; an open one is cancelled first"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("confirm", "/:id/confirm", {
      params: { id },
      payload: [ConfirmedCustomerEmailInput, Schema.Null],
      success: BookingBody,
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.illegalTransition,
        wireErrors.confirmationRequired,
        wireErrors.usageLimitReached
      ]
    })
      .annotateMerge(summary("Confirm a pending booking; if the product is a transport, this books the trip"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("cancel", "/:id/cancel", {
      params: { id },
      payload: [BookingCancellation, Schema.Null],
      success: BookingBody,
      error: [
        wireErrors.notFound,
        wireErrors.illegalTransition,
        wireErrors.confirmationRequired,
        wireErrors.usageLimitReached
      ]
    })
      .annotateMerge(summary("Cancel a booking and its trip, and free its places"))
      .annotateMerge(optionalBody)
  )
  .middleware(BusinessAccess)
  .prefix(`${basePath}/bookings`)
  .annotateMerge(inArea("sales"))
  .annotateMerge(OpenApi.annotations({ title: "Bookings" }))
