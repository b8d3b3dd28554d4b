/** Pricing the items of a quote: by the fare engine, or with given amounts. */
import { Effect, Option, Result } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { fareOfClass, type NoFareCause, requireCurrency } from "../../fares/engine/ClassFare.ts"
import { FareEstimates, type PinnedTariff } from "../../fares/estimates/FareEstimates.ts"
import { noFareText } from "../../fares/trips/NoFareText.ts"
import { fareRequestOfTrip } from "../../fares/trips/TripFareRequest.ts"
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { CustomerId, type TariffId } from "../../kernel/Ids.ts"
import { minorPriceOf } from "../../trips/trip/Trip.ts"
import type { Quote, QuotePricing } from "./Quote.ts"
import { amountsOf, type QuoteItem } from "./QuoteItem.ts"

const refused = (issues: ReadonlyArray<FieldIssue>) => new InvalidInput({ issues })

const alternative = "send amounts"

/** An item whose trip has no fare. */
interface Unpriced {
  readonly index: number
  readonly cause: NoFareCause
}

/** The error about items without a fare. `classes` are those with a fare for the first of these items. */
const withoutFare = (
  vehicleClass: VehicleClass,
  unpriced: ReadonlyArray<Unpriced>,
  classes: ReadonlyArray<VehicleClass>
) => {
  const text = noFareText(
    vehicleClass,
    classes,
    unpriced.map(({ cause }) => cause)
  )
  return new InvalidInput({
    issues: unpriced.map(({ index }) => ({ field: `items.${index}.trip`, issue: "invalid" })),
    advice: `${text}, or ${alternative}`
  })
}

/** The customer of the trip of an item: its own, else that of the quote. */
const customerOf = ({ customer_id }: Quote, trip: Readonly<Record<string, unknown>>) =>
  typeof trip["customer_id"] === "number" ? CustomerId.make(trip["customer_id"]) : customer_id

const withAmounts = (quote: Quote, amounts: ReadonlyArray<number>) => {
  if (amounts.length !== quote.items.length)
    return Effect.fail(refused([{ field: "amounts", issue: "invalid" }]))
  const { issues, minors } = amountsOf(amounts, quote.currency, (index) => `amounts.${index}`)
  return issues.length > 0
    ? Effect.fail(refused(issues))
    : Effect.succeed(
        quote.items.map((item, index) => ({ ...item, amount_minor: minors[index] ?? null, fare: null }))
      )
}

/**
 * Makes the function that prices the items of a quote. `InvalidInput` unless the pricing has either a vehicle class or
 * amounts; for a tariff that is absent or in another currency than the quote; and for a trip that has no fare in that
 * class.
 */
export const makePriceItems = Effect.map(FareEstimates, (estimates) => {
  const byEngine = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    quote: Quote,
    vehicleClass: VehicleClass,
    tariffId: TariffId | null
  ) {
    const unpriced: Array<Unpriced> = []
    const items: Array<QuoteItem> = []
    let classes: ReadonlyArray<VehicleClass> = []
    // The tariff of the first item prices all others, in the versions that it has now, also if it changes meanwhile.
    let pinned: PinnedTariff | undefined
    for (const [index, item] of quote.items.entries()) {
      if (item.trip === null) {
        items.push(item)
        continue
      }
      const request = {
        tariff_id: tariffId,
        customer_id: customerOf(quote, item.trip),
        ...(yield* fareRequestOfTrip(item.trip))
      }
      pinned ??= yield* estimates.pinned(acting, request)
      const estimate = yield* estimates.estimate(acting, request, pinned)
      yield* requireCurrency(estimate, { name: "quote", currency: quote.currency, alternative })
      const found = fareOfClass(estimate, vehicleClass)
      if (Result.isFailure(found)) {
        if (unpriced.length === 0) classes = estimate.fares.map(({ vehicle_class }) => vehicle_class)
        unpriced.push({ index, cause: found.failure })
        continue
      }
      const { engine_version, inputs, tariff_id, tariff_version } = estimate
      const { success: fare } = found
      items.push({
        ...item,
        // The total of a fare is a whole number of minor units, so the conversion is exact.
        amount_minor: Option.getOrNull(minorPriceOf(fare.total_amount, quote.currency)),
        fare: { tariff_id, tariff_version, engine_version, inputs, fare }
      })
    }
    return unpriced.length > 0 ? yield* withoutFare(vehicleClass, unpriced, classes) : items
  })

  return (
    acting: ActingBusiness,
    quote: Quote,
    { amounts, tariff_id, vehicle_class }: QuotePricing
  ): Effect.Effect<ReadonlyArray<QuoteItem>, InvalidInput> => {
    if (vehicle_class !== null && amounts !== null)
      return Effect.fail(refused([{ field: "amounts", issue: "invalid" }]))
    if (amounts !== null) return withAmounts(quote, amounts)
    if (vehicle_class === null) return Effect.fail(refused([{ field: "vehicle_class", issue: "required" }]))
    return byEngine(acting, quote, vehicle_class, tariff_id)
  }
})
