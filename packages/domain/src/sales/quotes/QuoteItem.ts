/** The items of a quote, each with a description, a price and the trip that the quote is converted to. */
import { Option, Schema } from "effect"
import { FareInputs } from "../../fares/engine/FareInputs.ts"
import { FareRecord } from "../../fares/engine/Fare.ts"
import { recordOrNull } from "../../fares/rules/TariffFields.ts"
import * as Field from "../../kernel/fields/Field.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { text } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TariffId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { instantOf, rfc3339 } from "../../kernel/time/WallClock.ts"
import { minorPriceOf } from "../../trips/trip/Trip.ts"
import { TripInput } from "../../trips/trip/TripInput.ts"

/** The most items of a quote. */
export const maxQuoteItems = 50

/** An item in a request. Without an amount, it must be priced before the quote is sent. */
export const QuoteItemInput = Schema.Struct({
  description: text(500),
  trip: recordOrNull(TripInput),
  amount: orNull(Value.amount.required)
})
export type QuoteItemInput = typeof QuoteItemInput.Type

/** The items in a request. */
export const QuoteItemsInput = listOf(QuoteItemInput, { least: 1, most: maxQuoteItems })

/** The fare of an item, with all that is needed to compute it again. */
export const QuoteFare = Schema.Struct({
  tariff_id: Value.id(TariffId).wire,
  tariff_version: Schema.Int,
  engine_version: Schema.Int,
  inputs: FareInputs,
  fare: FareRecord
})
export type QuoteFare = typeof QuoteFare.Type

/**
 * The fields of a trip, as they were sent except for the time, which is written as an instant. They are decoded again when
 * the quote is converted.
 */
const TripFields = Schema.Record(Schema.String, Schema.Unknown)

/** The fields of an item. `fare` is null unless the fare engine computed the amount. */
export const quoteItemFields = {
  description: Field.says({ person: "customer" }, Field.assigned(Value.unboundedText)),
  trip: Field.says({ person: "customer" }, Field.assignedOrNull(Value.unchanged(TripFields))),
  amount: Field.says({ person: "nobody" }, Field.computed(Schema.NullOr(Value.amount.wire))),
  amount_minor: Field.internalOrNull(Value.minorAmount),
  fare: Field.says({ person: "customer" }, Field.assignedOrNull(Value.unchanged(QuoteFare)))
}

/** An item as stored. */
export const QuoteItem = Field.storedOf(quoteItemFields)
export type QuoteItem = typeof QuoteItem.Type

/** An item in a response. */
export const QuoteItemRecord = Field.recordOf(quoteItemFields)
export type QuoteItemRecord = typeof QuoteItemRecord.Type

/** The record of an item. */
export const quoteItemRecord = (
  { amount_minor, description, fare, trip }: QuoteItem,
  currency: Currency
): QuoteItemRecord => ({ description, trip, amount: Money.toMajorOrNull(amount_minor, currency), fare })

/** The sum of the amounts in major units; null if an item has no amount, because the price is not known then. */
export const totalOf = (items: ReadonlyArray<QuoteItem>, currency: Currency): number | null => {
  const minors = items.flatMap(({ amount_minor }) => (amount_minor === null ? [] : [amount_minor]))
  return minors.length < items.length
    ? null
    : Money.toMajor({ minor: minors.reduce((sum, minor) => sum + minor, 0), currency })
}

/**
 * An issue for each item if none of them has a trip: such an offer could be accepted, but its amounts would be billed
 * nowhere.
 */
export const issuesWithoutTrip = (items: ReadonlyArray<Pick<QuoteItem, "trip">>): ReadonlyArray<FieldIssue> =>
  items.some(({ trip }) => trip !== null)
    ? []
    : items.map((_, index) => ({ field: `items.${index}.trip`, issue: "required" }))

/** The issues of an item's trip, with its fields named by their paths in the quote. */
export const tripIssuesInQuote = (
  index: number,
  issues: ReadonlyArray<FieldIssue>
): ReadonlyArray<FieldIssue> =>
  issues.map((issue) => ({ ...issue, field: `items.${index}.trip.${issue.field}` }))

/** Items, and the fields that prevent storing them. */
export interface ReadItems {
  readonly items: ReadonlyArray<QuoteItem>
  readonly issues: ReadonlyArray<FieldIssue>
}

/** An issue of `field` for an amount that has more decimals than the currency or is too large. */
const issuesOfAmount = (
  amount: number | null,
  currency: Currency,
  field: string
): ReadonlyArray<FieldIssue> =>
  amount === null || Option.isSome(Money.fromMajor(amount, currency))
    ? []
    : [{ field, ...Money.issueOfRefused(amount, currency) }]

/** The given amounts in minor units; an issue of `field` for each that has more decimals than the currency or is too large. */
export const amountsOf = (
  amounts: ReadonlyArray<number | null>,
  currency: Currency,
  field: (index: number) => string
): { readonly minors: ReadonlyArray<number | null>; readonly issues: ReadonlyArray<FieldIssue> } => {
  return {
    minors: amounts.map((amount) => Option.getOrElse(minorPriceOf(amount, currency), () => null)),
    issues: amounts.flatMap((amount, index) => issuesOfAmount(amount, currency, field(index)))
  }
}

/** The trip with its time as an instant, so that it stays the same if the business changes its time zone later. */
const withInstant = (trip: TripInput, timezone: string): TripInput => ({
  ...trip,
  trip_date: rfc3339(instantOf(trip.trip_date, timezone))
})

/** The items of a request as they are stored, with local times in `timezone`. */
export const itemsOfInput = (
  sent: ReadonlyArray<QuoteItemInput>,
  currency: Currency,
  timezone: string
): ReadItems => {
  const { issues, minors } = amountsOf(
    sent.map(({ amount }) => amount),
    currency,
    (index) => `items.${index}.amount`
  )
  // The trip gets the amount of the item; its own one is checked all the same, as in `POST /trips`.
  const issuesOfTrips = sent.flatMap(({ trip }, index) =>
    trip === null
      ? []
      : (["total_amount", "tolls_amount"] as const).flatMap((name) =>
          issuesOfAmount(trip[name], trip.currency ?? currency, `items.${index}.trip.${name}`)
        )
  )
  return {
    issues: [...issues, ...issuesOfTrips],
    items: sent.map(({ description, trip }, index) => ({
      description,
      trip: trip === null ? null : withInstant(trip, timezone),
      amount_minor: minors[index] ?? null,
      fare: null
    }))
  }
}

/**
 * Items in another currency: the amounts keep their figures, 12.50 USD becomes 12.50 CHF. Fares are in the former
 * currency, so they are dropped.
 */
export const itemsInCurrency = (items: ReadonlyArray<QuoteItem>, from: Currency, to: Currency): ReadItems => {
  if (from === to) return { items, issues: [] }
  const majors = items.map(({ amount_minor }) => Money.toMajorOrNull(amount_minor, from))
  const { issues, minors } = amountsOf(majors, to, () => "currency")
  return {
    // The amounts were accepted; it is the currency that does not suit them.
    issues: issues.slice(0, 1).map(({ field }) => ({ field, issue: "invalid" })),
    items: items.map((item, index) => ({ ...item, amount_minor: minors[index] ?? null, fare: null }))
  }
}
