/** A quote: an offer to a customer, which becomes trips (docs/api/sales.md). */
import { type DateTime, Schema } from "effect"
import { TripId } from "../../kernel/Ids.ts"
import { described, orNull, yesOrNo } from "../../kernel/fields/Optional.ts"
import { type Brand, BrandRecord, brandRecord } from "../../business/Brand.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { optionalText, text } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { BusinessId, CustomerId, QuoteId, TariffId } from "../../kernel/Ids.ts"
import { instantOf, rfc3339, rfc3339OrNull, wallClock } from "../../kernel/time/WallClock.ts"
import {
  maxQuoteItems,
  QuoteItem,
  quoteItemFields,
  QuoteItemRecord,
  quoteItemRecord,
  QuoteItemsInput,
  totalOf
} from "./QuoteItem.ts"
import { namedByCustomerLater } from "../../trips/trip/NamedByCustomer.ts"
import { isOpenQuote, quoteMachine, QuoteStatus } from "./QuoteStatus.ts"

/**
 * The fields of a quote.
 *
 * - `version` counts the offers: it rises with each price and each other change of the offer.
 * - `valid_until`: a quote that is not accepted by then expires; null: it does not expire.
 * - `accepted_by` and `accepted_address` are the name and the IP address that were recorded with the acceptance.
 * - `total_amount` is null until every item has an amount.
 * - `token_hash` is the SHA-256 of the token of the customer's link; null if there is no link.
 */
export const quoteFields = {
  quote_id: Field.assigned(Value.id(QuoteId)),
  business_id: Field.internal(Value.id(BusinessId)),
  reference: Field.says({ person: "nobody" }, Field.assigned(Value.unboundedText)),
  status: Field.assigned(Value.oneOf(QuoteStatus)),
  allowed_transitions: Field.says({ person: "nobody" }, Field.computed(Schema.Array(QuoteStatus))),
  version: Field.assigned(Value.unchanged(Schema.Int)),
  customer_id: Field.optional(Value.id(CustomerId)),
  customer_name: Field.says(
    { person: "customer" },
    {
      ...Field.optional(Value.text(200)),
      input: orNull(Value.text(200).optional.pipe(described("Required unless `customer_id` is sent.")))
    }
  ),
  customer_email: Field.says({ person: "customer" }, Field.optional(Value.emailAddress)),
  customer_phone: Field.says({ person: "customer" }, Field.optional(Value.text(40))),
  currency: Field.says({ person: "nobody" }, Field.determined(Value.currency)),
  valid_until: Field.optional(Value.instant),
  items: Field.says(
    { person: "nobody" },
    {
      input: QuoteItemsInput,
      change: Schema.optionalKey(QuoteItemsInput),
      stored: Schema.Array(QuoteItem),
      itemFields: quoteItemFields
    }
  ),
  total_amount: Field.says({ person: "nobody" }, Field.computed(Schema.NullOr(Value.amount.wire))),
  notes: Field.says({ person: "customer" }, Field.optional(Value.text(5000))),
  trip_ids: Field.says(
    { person: "nobody" },
    { stored: Schema.Array(TripId), wire: Schema.Array(Value.id(TripId).wire) }
  ),
  sent_at: Field.assignedOrNull(Value.instant),
  accepted_at: Field.assignedOrNull(Value.instant),
  accepted_by: Field.says({ person: "customer" }, Field.assignedOrNull(Value.unboundedText)),
  accepted_address: Field.says({ person: "customer" }, Field.assignedOrNull(Value.unboundedText)),
  rejected_at: Field.assignedOrNull(Value.instant),
  reject_reason: Field.says({ person: "customer" }, Field.assignedOrNull(Value.unboundedText)),
  converted_at: Field.assignedOrNull(Value.instant),
  token_hash: Field.says({ person: "nobody" }, Field.internalOrNull(Value.unboundedText)),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** The body of `POST /quotes`. */
export const QuoteInput = Field.inputOf(quoteFields).check(namedByCustomerLater)
export type QuoteInput = typeof QuoteInput.Type

/** The body of `PATCH /quotes/{id}`: at least one field. `items` replaces all items. */
export const QuoteChanges = Field.changesOf(quoteFields)
export type QuoteChanges = typeof QuoteChanges.Type

/** A quote as stored. */
export const Quote = Field.storedOf(quoteFields)
export type Quote = typeof Quote.Type

/** A quote in responses and events. */
export const QuoteRecord = Schema.Struct({
  ...Field.recordOf(quoteFields).fields,
  items: Schema.Array(QuoteItemRecord)
})
export type QuoteRecord = typeof QuoteRecord.Type

const recordWithoutItems = Field.encoderOf<typeof quoteFields, undefined>(quoteFields, {
  allowed_transitions: ({ status }) => quoteMachine.next(status, "operator"),
  total_amount: ({ currency, items }) => totalOf(items, currency)
})

/** The record of a quote. */
export const quoteRecord = (quote: Quote): QuoteRecord => ({
  ...recordWithoutItems(quote, undefined),
  items: quote.items.map((item) => quoteItemRecord(item, quote.currency))
})

/** The quote as it is at `now`: expired, if it is open and its `valid_until` has passed. */
export const quoteAt = (quote: Quote, now: DateTime.Utc): Quote =>
  isOpenQuote(quote.status) &&
  quote.valid_until !== null &&
  quote.valid_until.epochMilliseconds <= now.epochMilliseconds
    ? { ...quote, status: "expired" }
    : quote

/**
 * The body of `POST /quotes/{id}/price`. `vehicle_class`: the fare engine prices every item that has a trip, by the
 * tariff with `tariff_id`. `amounts`: one amount for each item instead, in their order.
 */
export const QuotePricing = Schema.Struct({
  vehicle_class: orNull(oneOf(VehicleClass)),
  tariff_id: orNull(TariffId),
  amounts: orNull(listOf(Value.amount.required, { most: maxQuoteItems }))
})
export type QuotePricing = typeof QuotePricing.Type

/** The body of `POST /quotes/{id}/accept`: the name of the person who accepted. */
export const QuoteAcceptance = Schema.Struct({ name: optionalText(200), email: yesOrNo(true) })
export type QuoteAcceptance = typeof QuoteAcceptance.Type

/** The body of a customer's acceptance: the customer must give a name. */
export const CustomerAcceptance = Schema.Struct({ name: text(200) })
export type CustomerAcceptance = typeof CustomerAcceptance.Type

/** The body of a rejection. */
export const QuoteRejection = Schema.Struct({ reason: optionalText(500) })
export type QuoteRejection = typeof QuoteRejection.Type

const PublicQuoteItem = Schema.Struct({
  description: Schema.String,
  amount: Schema.NullOr(Value.amount.wire),
  trip_date: Schema.NullOr(Value.instant.wire),
  pickup_local: Schema.NullOr(Value.localTime.wire),
  pickup_timezone: Schema.NullOr(Schema.String),
  pickup_address: Schema.NullOr(Schema.String),
  dropoff_address: Schema.NullOr(Schema.String)
})

/** A quote for the holder of its link: no ids, no contact data, no notes of the business. */
export const PublicQuoteRecord = Schema.Struct({
  reference: Schema.String,
  status: QuoteStatus,
  allowed_transitions: Schema.Array(QuoteStatus),
  business_name: Schema.String,
  business: BrandRecord,
  timezone: Schema.String,
  customer_name: Schema.NullOr(Schema.String),
  currency: Value.currency.wire,
  items: Schema.Array(PublicQuoteItem),
  total_amount: Schema.NullOr(Value.amount.wire),
  valid_until: Schema.NullOr(Value.instant.wire),
  valid_until_local: Schema.NullOr(Schema.String),
  accepted_at: Schema.NullOr(Value.instant.wire)
})
export type PublicQuoteRecord = typeof PublicQuoteRecord.Type

const textOrNull = (value: unknown) => (typeof value === "string" ? value : null)

/**
 * The time of a pickup, which may have been sent without an offset, on the clock of its place: `timezone` is the business's.
 */
const pickupOf = (trip: Readonly<Record<string, unknown>> | null, timezone: string) => {
  const sent = trip?.["trip_date"]
  if (typeof sent !== "string") return { trip_date: null, pickup_local: null, pickup_timezone: null }
  const at = instantOf(sent, timezone)
  const pickup_timezone = textOrNull(trip?.["pickup_timezone"]) ?? timezone
  return { trip_date: rfc3339(at), pickup_local: wallClock(at, pickup_timezone), pickup_timezone }
}

/** The public record of a quote. `valid_until_local` is on the clock of the business. */
export const publicQuoteRecord = (
  quote: Quote,
  business: { readonly business_name: string; readonly timezone: string; readonly brand: Brand }
): PublicQuoteRecord => {
  const { items, total_amount } = quoteRecord(quote)
  return {
    reference: quote.reference,
    status: quote.status,
    allowed_transitions: quoteMachine.next(quote.status, "customer"),
    business_name: business.business_name,
    business: brandRecord(business.brand),
    timezone: business.timezone,
    customer_name: quote.customer_name,
    currency: quote.currency,
    items: items.map(({ amount, description, trip }) => ({
      description,
      amount,
      ...pickupOf(trip, business.timezone),
      pickup_address: textOrNull(trip?.["pickup_address"]),
      dropoff_address: textOrNull(trip?.["dropoff_address"])
    })),
    total_amount,
    valid_until: rfc3339OrNull(quote.valid_until),
    valid_until_local: quote.valid_until === null ? null : wallClock(quote.valid_until, business.timezone),
    accepted_at: rfc3339OrNull(quote.accepted_at)
  }
}
