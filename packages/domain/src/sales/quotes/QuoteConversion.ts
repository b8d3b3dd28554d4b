/** Booking the trips of an accepted quote. */
import { Effect, Option, Schema } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { CustomerRepository } from "../../customers/CustomerRepository.ts"
import { TripFares } from "../../fares/trips/TripFares.ts"
import { type ConfirmationRequired, type Conflict, InvalidInput, refuseIssues } from "../../kernel/Errors.ts"
import { firstCharacters } from "../../kernel/fields/Text.ts"
import { TariffId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { maxInternalNotes } from "../../trips/trip/TripDetails.ts"
import { Trips } from "../../trips/Trips.ts"
import { TripInput } from "../../trips/trip/TripInput.ts"
import type { Quote } from "./Quote.ts"
import { issuesWithoutTrip, type QuoteItem, tripIssuesInQuote } from "./QuoteItem.ts"

/**
 * The trip was checked when the quote was stored. Decoding it again gives fields that were added to trips since
 * then their defaults.
 */
const tripInputOf = (trip: Readonly<Record<string, unknown>>) =>
  Effect.orDie(Schema.decodeUnknownEffect(TripInput)(trip))

/** The items without a trip that are charged with an item that has one: those after it, and for the first one those before. */
const extrasOf = (items: ReadonlyArray<QuoteItem>, index: number): ReadonlyArray<QuoteItem> => {
  const hasTrip = ({ trip }: QuoteItem) => trip !== null
  const from = items.findIndex(hasTrip) === index ? 0 : index
  const next = items.findIndex((item, place) => place > index && hasTrip(item))
  return items.slice(from, next === -1 ? items.length : next).filter((item) => !hasTrip(item))
}

/** The sum of the amounts of extras in minor units. */
const sumOf = (extras: ReadonlyArray<QuoteItem>) =>
  extras.reduce((sum, { amount_minor }) => sum + (amount_minor ?? 0), 0)

/** The internal notes of a trip with a line for each extra, cut to the length of such notes. */
const notesWith = (
  notes: string | null,
  extras: ReadonlyArray<QuoteItem>,
  { currency, reference }: Pick<Quote, "currency" | "reference">
) => {
  if (extras.length === 0) return notes
  const lines = extras.map(({ amount_minor, description }) => {
    const price =
      amount_minor === null ? "" : `: ${Money.format({ minor: amount_minor, currency })} ${currency}`
    return `${description}${price} (quote ${reference})`
  })
  const text = [...(notes === null ? [] : [notes]), ...lines].join("\n")
  return firstCharacters(text, maxInternalNotes)
}

/** The fare that a trip keeps: the item's, with the amount of the items that were added to the trip as an extra. */
const fareWithExtras = (
  { tariff_id, tariff_version, ...quoted }: NonNullable<QuoteItem["fare"]>,
  extraMinor: number,
  currency: Currency
) => ({
  tariff_id: TariffId.make(tariff_id),
  tariff_version,
  currency,
  quoted:
    extraMinor === 0 ? quoted : { ...quoted, extra_amount: Money.toMajor({ minor: extraMinor, currency }) }
})

/**
 * Makes the function that books the trips of a quote's items and returns their ids.
 *
 * - A trip has the currency of the quote and the amount of its item.
 * - The amount of an item without a trip is added to the trip of the item before it, or to the first trip if none is
 *   before it. The internal notes of that trip name the item.
 * - A trip keeps the fare that the fare engine computed for its item, and is charged by it when it ends.
 * - A trip without a customer of its own gets the quote's customer, unless that customer was deleted.
 *
 * `InvalidInput` names each item if none has a trip. If a trip cannot be booked, it names the fields of that trip by
 * their paths in the quote. `ConfirmationRequired` and `Conflict` are those of booking a trip.
 */
export const makeBookTrips = Effect.gen(function* () {
  const trips = yield* Trips
  const fares = yield* TripFares
  const customers = yield* CustomerRepository

  return Effect.fnUntraced(function* (
    acting: ActingBusiness,
    quote: Quote,
    force: boolean
  ): Effect.fn.Return<ReadonlyArray<TripId>, InvalidInput | ConfirmationRequired | Conflict> {
    const customer =
      quote.customer_id === null
        ? Option.none()
        : yield* customers.find(acting.business_id, quote.customer_id)
    const { currency, items } = quote
    yield* refuseIssues(issuesWithoutTrip(items))
    const tripIds: Array<TripId> = []
    for (const [index, { amount_minor, fare, trip }] of items.entries()) {
      if (trip === null) continue
      const extras = extrasOf(items, index)
      const extraMinor = sumOf(extras)
      const input = yield* tripInputOf(trip)
      const totalMinor = amount_minor === null ? null : amount_minor + extraMinor
      const booking = trips.create(acting, {
        ...input,
        customer_id: input.customer_id ?? Option.getOrNull(customer)?.customer_id ?? null,
        vehicle_class: input.vehicle_class ?? fare?.fare.vehicle_class ?? null,
        internal_notes: notesWith(input.internal_notes, extras, quote),
        total_amount: Money.toMajorOrNull(totalMinor, currency),
        currency,
        force
      })
      const booked = yield* Effect.catchTag(booking, "InvalidInput", ({ issues }) =>
        Effect.fail(new InvalidInput({ issues: tripIssuesInQuote(index, issues) }))
      )
      const tripId = TripId.make(booked.trip_id)
      if (fare !== null)
        yield* fares.attach({
          business_id: acting.business_id,
          trip_id: tripId,
          ...fareWithExtras(fare, extraMinor, currency)
        })
      tripIds.push(tripId)
    }
    return tripIds
  })
})
