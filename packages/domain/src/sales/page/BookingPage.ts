/** The content of a booking page, and the requests of its visitors (docs/api/sales.md). */
import { Schema } from "effect"
import { NoFareReason } from "../../fares/engine/Fare.ts"
import { FareRequest } from "../../fares/estimates/FareRequest.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { optionalText, text } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { ProductId } from "../../kernel/Ids.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { BookingPageSettings } from "../../settings/BookingPageSettings.ts"
import { type BusinessProfile, businessProfileFields } from "../../settings/BusinessProfile.ts"
import { tripFields } from "../../trips/trip/Trip.ts"
import { TripStatus } from "../../trips/trip/TripStatus.ts"
import { BookingStatus, bookingFields } from "../bookings/Booking.ts"
import { majorPriceOf, type Product, productFields } from "../products/Product.ts"

/** The hash of the invoice that the customer may pay at once; null if the business asks for no payment. */
const payment_hash = Schema.NullOr(Schema.String)

/** The token of a displayed price, and the time until which the price is honoured. */
const pricedFields = { price_token: Schema.String, price_valid_until: Value.instant.wire }

/** The fields of a product that the page shows, and `price_minor`, from which the price is computed. */
const shownProduct = Field.seenBy(productFields, "public")

/** A product on the page. */
export const PublicProductRecord = Schema.Struct({
  ...Field.recordOf(shownProduct).fields,
  ...pricedFields
})
export type PublicProductRecord = typeof PublicProductRecord.Type

const encodeProduct = Field.encoderOf<typeof shownProduct, undefined>(shownProduct, { price: majorPriceOf })

/** The part of a product that the page shows, without the token of its price. */
export const shownProductRecord = (
  product: Product
): Omit<PublicProductRecord, "price_token" | "price_valid_until"> => encodeProduct(product, undefined)

const shownProfile = Field.pick(businessProfileFields, [
  "business_name",
  "vendor_slug",
  "phone",
  "website_url",
  "logo_url",
  "accent_color",
  "timezone",
  "currency",
  "booking_confirmation_required"
])

const { asks_payment: _payment, embed_origins: _origins, ...shownTimes } = BookingPageSettings.fields

const bookingPageRecordStruct = Schema.Struct({
  ...Field.recordOf(shownProfile).fields,
  booking_page: Schema.toType(Schema.Struct(shownTimes)),
  finds_places: Schema.Boolean,
  products: Schema.Array(PublicProductRecord)
})
type BookingPageRecordStruct = typeof bookingPageRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface BookingPageRecordSchema extends BookingPageRecordStruct {}

/**
 * The profile of a business on its page, with its active products by name, at most 100. `finds_places`: whether addresses can be
 * looked up.
 */
export const BookingPageRecord: BookingPageRecordSchema = bookingPageRecordStruct
export type BookingPageRecord = typeof BookingPageRecord.Type

const encodeProfile = Field.encoderOf(shownProfile)

/** The part of a profile that the page shows. */
export const shownProfileRecord = (
  profile: BusinessProfile
): Omit<BookingPageRecord, "finds_places" | "products"> => {
  const { asks_payment: _payment, embed_origins: _origins, ...booking_page } = profile.booking_page
  return { ...encodeProfile(profile), booking_page }
}

const {
  distance_m: _distance,
  tolls_amount: _tolls,
  waiting_minutes: _waiting,
  ...rideFields
} = FareRequest.fields

const publicEstimateRequestStruct = Schema.Struct(rideFields)
type PublicEstimateRequestStruct = typeof publicEstimateRequestStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface PublicEstimateRequestSchema extends PublicEstimateRequestStruct {}

/**
 * The body of an estimate: a ride without its distance, tolls and waiting. The distance is measured, because a visitor could
 * lower the price by sending one; tolls and waiting are known to the business only.
 */
export const PublicEstimateRequest: PublicEstimateRequestSchema = publicEstimateRequestStruct
export type PublicEstimateRequest = typeof PublicEstimateRequest.Type

/** Why a class cannot be booked: it has no fare, the business prices the ride itself, or it is too late for the class. */
export const NotBookableReason = Schema.Literals([...NoFareReason.literals, "on_request", "too_late"])
export type NotBookableReason = typeof NotBookableReason.Type

const publicEstimateRecordStruct = Schema.Struct({
  currency: Value.currency.wire,
  fares: Schema.Array(
    Schema.Struct({
      vehicle_class: VehicleClass,
      total_amount: Value.amount.wire,
      tax_amount: Value.amount.wire,
      ...pricedFields
    })
  ),
  unavailable: Schema.Array(Schema.Struct({ vehicle_class: VehicleClass, reason: NotBookableReason }))
})
type PublicEstimateRecordStruct = typeof publicEstimateRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface PublicEstimateRecordSchema extends PublicEstimateRecordStruct {}

/** The bookable classes with their prices, and the other ones. */
export const PublicEstimateRecord: PublicEstimateRecordSchema = publicEstimateRecordStruct
export type PublicEstimateRecord = typeof PublicEstimateRecord.Type

/** The token of a displayed price. */
const token = text(20_000)

/** The fields of a trip that visitors may write. */
const publicTripFields = Field.seenBy(tripFields, "public")

const contactFields = {
  customer_name: text(200),
  customer_email: orNull(Value.emailAddress.optional),
  customer_phone: optionalText(40)
}

const publicTripInputStruct = Schema.Struct({
  price_token: token,
  trip_date: orNull(Value.instant.optional),
  ...contactFields,
  ...Field.inputOf(
    Field.pick(publicTripFields, [
      "pickup_address",
      "dropoff_address",
      "flight_number",
      "terminal",
      "pickup_sign",
      "notes",
      "special_requirements"
    ])
  ).fields
})
type PublicTripInputStruct = typeof publicTripInputStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface PublicTripInputSchema extends PublicTripInputStruct {}

/**
 * The body that books a ride at a displayed price. The token holds the ride: its time, places, class and passengers. A
 * `trip_date` beside it must be the same instant.
 */
export const PublicTripInput: PublicTripInputSchema = publicTripInputStruct
export type PublicTripInput = typeof PublicTripInput.Type

/** A booked ride, for the customer, who follows it by its `tracking_token`. */
export const PublicTripRecord = Schema.Struct({
  reference: Schema.String,
  status: TripStatus,
  trip_date: Value.instant.wire,
  pickup_at: Value.localTime.wire,
  pickup_address: Schema.String,
  dropoff_address: Schema.String,
  vehicle_class: Schema.NullOr(VehicleClass),
  total_amount: Schema.NullOr(Value.amount.wire),
  currency: Value.currency.wire,
  tracking_token: Schema.String,
  payment_hash
})
export type PublicTripRecord = typeof PublicTripRecord.Type

const publicQuoteRequestStruct = Schema.Struct({
  ...Field.inputOf(publicTripFields).fields,
  ...contactFields,
  customer_email: Value.emailAddress.required
})
type PublicQuoteRequestStruct = typeof publicQuoteRequestStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface PublicQuoteRequestSchema extends PublicQuoteRequestStruct {}

/** The body that requests a quote: a ride and how to reach the customer. */
export const PublicQuoteRequest: PublicQuoteRequestSchema = publicQuoteRequestStruct
export type PublicQuoteRequest = typeof PublicQuoteRequest.Type

/** A requested quote: the business answers by email. */
export const RequestedQuoteRecord = Schema.Struct({
  reference: Schema.String,
  requested: Schema.Literal(true)
})
export type RequestedQuoteRecord = typeof RequestedQuoteRecord.Type

const publicBookingInputStruct = Schema.Struct({
  product_id: ProductId,
  price_token: orNull(token),
  ...Field.inputOf(
    Field.pick(bookingFields, [
      "starts_at",
      "participants_count",
      "pickup_address",
      "dropoff_address",
      "notes"
    ])
  ).fields,
  ...contactFields
})
type PublicBookingInputStruct = typeof publicBookingInputStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface PublicBookingInputSchema extends PublicBookingInputStruct {}

/** The body that books places of a product; at the displayed price with its token, else at the current one. */
export const PublicBookingInput: PublicBookingInputSchema = publicBookingInputStruct
export type PublicBookingInput = typeof PublicBookingInput.Type

/** A booking, for the customer. */
export const PublicBookingRecord = Schema.Struct({
  reference: Schema.String,
  status: BookingStatus,
  ...Field.recordOf(
    Field.pick(bookingFields, [
      "starts_at",
      "ends_at",
      "participants_count",
      "total_amount",
      "currency",
      "expires_at"
    ])
  ).fields,
  payment_hash
})
export type PublicBookingRecord = typeof PublicBookingRecord.Type
