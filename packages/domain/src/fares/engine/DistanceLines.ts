/** Prices by distance: one line each for the base, every tier, and the minutes. */
import type { CompiledDistance, CompiledTier } from "../compiled/CompiledRates.ts"
import type { NoFareReason } from "./Fare.ts"
import { fraction } from "../compiled/Fraction.ts"
import { type BasePrice, linesOf, microsAMetre, type Part, type Ride } from "./Ride.ts"

const isWithin = ({ tiers }: CompiledDistance, distance: number) => {
  const end = tiers.at(-1)?.end ?? null
  return end === null || distance <= end
}

/** The number of periods of `per` that are charged for a distance; a started period counts as a whole one. */
const periods = (distance: number, per: number) => Math.ceil(distance / per)

const tierPart = ({ minor, per }: CompiledTier, distance: number, started: boolean): Part => ({
  inputs: {
    distance_m: distance / microsAMetre,
    ...(started ? { periods: periods(distance, per) } : {})
  },
  price: started ? fraction(minor, periods(distance, per)) : fraction(minor, distance, per)
})

const tierParts = ({ started, tiers, whole }: CompiledDistance, distance: number): ReadonlyArray<Part> => {
  if (whole) {
    const tier = tiers.find(({ end }) => end === null || distance <= end)
    return tier === undefined ? [] : [tierPart(tier, distance, started)]
  }
  return tiers
    .map((tier) => ({ tier, within: Math.min(distance, tier.end ?? distance) - tier.start }))
    .filter(({ within }) => within > 0)
    .map(({ tier, within }) => tierPart(tier, within, started))
}

const minuteParts = ({ minute }: CompiledDistance, minutes: number | null): ReadonlyArray<Part> =>
  minute === 0 || minutes === null ? [] : [{ inputs: { minutes }, price: fraction(minute, minutes) }]

/** The parts of a distance price: the base, the tiers and the minutes. */
export const distanceParts = (
  price: CompiledDistance,
  distance: number,
  minutes: number | null
): ReadonlyArray<Part> => [
  ...(price.base > 0 || price.tiers.length === 0 ? [{ inputs: {}, price: fraction(price.base) }] : []),
  ...tierParts(price, distance),
  ...minuteParts(price, minutes)
]

/** The lines of the first distance price that applies and covers the distance, or the reason why there is none. */
export const distanceLines = (
  prices: ReadonlyArray<CompiledDistance>,
  { context, inputs }: Ride
): BasePrice | NoFareReason => {
  const applying = prices.filter((price) => price.applies(context))
  if (applying.length === 0) return "no_price"
  if (inputs.distance_m === null) return "distance_unknown"
  const distance = inputs.distance_m * microsAMetre
  const price = applying.find((candidate) => isWithin(candidate, distance))
  if (price === undefined) return "no_price"
  if (price.minute > 0 && inputs.duration_minutes === null) return "duration_unknown"
  return {
    lines: linesOf(price, distanceParts(price, distance, inputs.duration_minutes)),
    includes: price.includes
  }
}
