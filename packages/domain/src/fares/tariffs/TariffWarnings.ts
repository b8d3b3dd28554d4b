/**
 * Warnings about a valid tariff: rules under which a longer ride can cost less than a shorter one. Under a tariff
 * without warnings, more distance or more time between the same places never costs less.
 */
import { Schema } from "effect"
import type { CompiledModifiers } from "../compiled/CompiledModifiers.ts"
import type { CompiledBase, CompiledClass, CompiledDistance } from "../compiled/CompiledRates.ts"
import type { CompiledTariff } from "../compiled/CompiledTariff.ts"
import { distanceParts } from "../engine/DistanceLines.ts"
import { plus, rounded, zero } from "../compiled/Fraction.ts"

/**
 * - `longer_can_be_cheaper`: the price drops beyond the end of a tier or of a distance price;
 * - `includes_differ`: distance or time decides between two prices that include different steps;
 * - `discounts_combine`: two percentages are deducted from the same price, and their roundings can deduct a minor unit
 *   too much.
 */
export const TariffWarningKind = Schema.Literals([
  "longer_can_be_cheaper",
  "includes_differ",
  "discounts_combine"
])
export type TariffWarningKind = typeof TariffWarningKind.Type

/** A warning about a rule, by its id. */
export interface TariffWarning {
  readonly rule: string
  readonly warning: TariffWarningKind
}

const priceAt = (price: CompiledDistance, distance: number) =>
  rounded(distanceParts(price, distance, 0).reduce((sum, part) => plus(sum, part.price), zero))

/** Whether the price drops beyond a distance: one micrometre further is in the next tier. */
const dropsAt = (before: CompiledDistance, after: CompiledDistance, distance: number) =>
  priceAt(after, distance + 1) < priceAt(before, distance)

const endOf = ({ tiers }: CompiledDistance) => tiers.at(-1)?.end ?? null

const hasSameIncludes = (a: CompiledBase, b: CompiledBase) =>
  a.includes.size === b.includes.size && [...a.includes].every((step) => b.includes.has(step))

const distanceWarnings = (prices: ReadonlyArray<CompiledDistance>): ReadonlyArray<TariffWarning> =>
  prices.flatMap((price, index) => {
    const tierDrops = price.tiers.some(
      ({ end }, tier) => tier < price.tiers.length - 1 && dropsAt(price, price, end ?? 0)
    )
    const end = endOf(price)
    // Beyond the end of this price, any later one that covers longer distances may apply.
    const next =
      end === null ? [] : prices.slice(index + 1).filter((later) => (endOf(later) ?? Infinity) > end)
    const drops = next.filter((later) => later.minute < price.minute || dropsAt(price, later, end ?? 0))
    const differing = next.filter((later) => !hasSameIncludes(price, later))
    return [
      ...(tierDrops ? [{ rule: price.id, warning: "longer_can_be_cheaper" } as const] : []),
      ...drops.map(({ id }) => ({ rule: id, warning: "longer_can_be_cheaper" }) as const),
      ...differing.map(({ id }) => ({ rule: id, warning: "includes_differ" }) as const)
    ]
  })

const timeWarnings = ({ days, hours }: CompiledClass): ReadonlyArray<TariffWarning> =>
  days
    .filter((day) => hours.some((hour) => !hasSameIncludes(day, hour)))
    .map(({ id }) => ({ rule: id, warning: "includes_differ" }))

const discountWarnings = ({ dates, night }: CompiledModifiers): ReadonlyArray<TariffWarning> => {
  const takesOff = ({ charge }: CompiledModifiers["night"][number]) =>
    "percent" in charge && charge.percent < 0
  return night.some(takesOff)
    ? dates.filter(takesOff).map(({ id }) => ({ rule: id, warning: "discounts_combine" }))
    : []
}

/** The warnings about a tariff, without duplicates. */
export const tariffWarnings = ({ classes, modifiers }: CompiledTariff): ReadonlyArray<TariffWarning> => {
  const all = [
    ...classes.flatMap((prices) => [...distanceWarnings(prices.distance), ...timeWarnings(prices)]),
    ...discountWarnings(modifiers)
  ]
  return [...new Map(all.map((each) => [`${each.rule} ${each.warning}`, each] as const)).values()]
}
