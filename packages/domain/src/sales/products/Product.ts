/** A product: what a business offers for booking at a price (docs/api/sales.md). */
import { Schema } from "effect"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import * as Field from "../../kernel/fields/Field.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { BusinessId, ProductId } from "../../kernel/Ids.ts"
import * as Money from "../../kernel/money/Money.ts"
import { taxTermsFields } from "../../kernel/money/Taxes.ts"
import type { TripType } from "../../trips/trip/TripStatus.ts"
import { maxDurationMinutes } from "../../trips/trip/TripWindow.ts"
import { scheduleField, scheduleIssues } from "./Departures.ts"

/** The kinds of products. */
export const ProductKind = Schema.Literals(["transfer", "tour", "hourly", "other"])
export type ProductKind = typeof ProductKind.Type

/** The type of the trip that a booking of each kind becomes; null: it becomes none. */
export const tripTypeOf: Readonly<Record<ProductKind, TripType | null>> = {
  transfer: "transfer",
  tour: "event",
  hourly: "hourly",
  other: null
}

/** Whether bookings of the product become trips. */
export const isTransport = ({ kind }: Pick<Product, "kind">): boolean => tripTypeOf[kind] !== null

/** The kinds whose price is for each participant. The price of the others is for the whole booking. */
const pricedByParticipant: ReadonlySet<ProductKind> = new Set(["tour", "other"])

const toVisitors = <F extends Field.Field>(field: F) => Field.says({ readers: ["public"] }, field)

/**
 * The fields of a product. `capacity` is the number of participants at any one time, null for no limit. The addresses
 * are those of the trip of a booking that has none of its own. `departures` is the schedule of a tour, with seats in place of
 * the capacity.
 */
export const productFields = Field.ofNobody({
  product_id: toVisitors(Field.assigned(Value.id(ProductId))),
  business_id: Field.internal(Value.id(BusinessId)),
  name: toVisitors(Field.required(Value.text(200))),
  description: toVisitors(Field.optional(Value.text(5000))),
  kind: toVisitors(Field.withDefault(Value.oneOf(ProductKind), "transfer" as const)),
  price: toVisitors({
    input: Value.amount.required,
    change: Schema.optionalKey(Value.amount.required),
    ...Field.computed(Value.amount.wire)
  }),
  price_minor: toVisitors(Field.internal(Value.minorAmount)),
  currency: toVisitors(Field.determined(Value.currency)),
  duration_minutes: toVisitors(Field.withDefault(Value.wholeNumber(1, maxDurationMinutes), 60)),
  capacity: Field.optional(Value.wholeNumber(1, 10_000)),
  ...taxTermsFields,
  departures: toVisitors(scheduleField),
  pickup_address: toVisitors(Field.optional(Value.text(500))),
  dropoff_address: toVisitors(Field.optional(Value.text(500))),
  active: Field.withDefault(Value.boolean, true),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
})

/** The body of `POST /products`. */
export const ProductInput = Field.inputOf(productFields)
export type ProductInput = typeof ProductInput.Type

/** The body of `PATCH /products/{id}`. */
export const ProductChanges = Field.changesOf(productFields)
export type ProductChanges = typeof ProductChanges.Type

/** A product as stored. */
export const Product = Field.storedOf(productFields)
export type Product = typeof Product.Type

/** A product in responses. */
export const ProductRecord = Field.recordOf(productFields)
export type ProductRecord = typeof ProductRecord.Type

/** The price of a product in major units. */
export const majorPriceOf = ({ currency, price_minor }: Pick<Product, "currency" | "price_minor">): number =>
  Money.toMajor({ minor: price_minor, currency })

const encode = Field.encoderOf<typeof productFields, undefined>(productFields, { price: majorPriceOf })

/** The record of a product. */
export const productRecord = (product: Product): ProductRecord => encode(product, undefined)

/** The issues of a product with departures: only a tour has them, and their trips start and end where the product does. */
export const departureIssues = ({
  departures,
  dropoff_address,
  kind,
  pickup_address
}: Pick<
  Product,
  "departures" | "dropoff_address" | "kind" | "pickup_address"
>): ReadonlyArray<FieldIssue> => {
  if (departures.length === 0) return []
  if (kind !== "tour") return [{ field: "departures", issue: "invalid" }]
  const missing = Object.entries({ pickup_address, dropoff_address }).filter(
    ([, address]) => address === null
  )
  return [...missing.map(([field]) => ({ field, issue: "required" as const })), ...scheduleIssues(departures)]
}

/** The price of a product at some time, in minor units. */
export type ProductPrice = Pick<Product, "kind" | "price_minor" | "currency">

/**
 * The price of a booking and of each participant, in minor units of the currency; the latter is null if the price is for
 * the whole booking.
 */
export const bookingPrice = ({ currency, kind, price_minor }: ProductPrice, participants: number) =>
  pricedByParticipant.has(kind)
    ? { currency, participant_minor: price_minor, total_minor: price_minor * participants }
    : { currency, participant_minor: null, total_minor: price_minor }
