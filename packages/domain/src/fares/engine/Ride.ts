/** The data that the parts of the engine share while they price a trip in one class. */
import type { FareLine } from "./Fare.ts"
import type { FareInputs } from "./FareInputs.ts"
import type { FareStep } from "../rules/FareStep.ts"
import { type Fraction, zero, plus, rounded } from "../compiled/Fraction.ts"
import type { RuleContext } from "../compiled/TariffReader.ts"
import type { ZoneIndex } from "../compiled/ZoneIndex.ts"

/** The base lines, and the steps that their rules include. */
export interface BasePrice {
  readonly lines: ReadonlyArray<FareLine>
  readonly includes: ReadonlySet<FareStep>
}

/** The zones of the pickup and of the dropoff. Each map gives a zone's rank by its position; lower is more specific. */
export interface RouteZones {
  readonly pickup: ReadonlyMap<number, number>
  readonly dropoff: ReadonlyMap<number, number>
}

/** The data that pricing a class needs besides its prices. */
export interface Ride {
  readonly inputs: FareInputs
  readonly context: RuleContext
  readonly zones: ZoneIndex
  readonly route: RouteZones
  /** Micrometres in the tariff's unit of distance. */
  readonly unit: number
}

/** A part of a price, not rounded. */
export interface Part {
  readonly inputs: FareLine["inputs"]
  readonly price: Fraction
}

/**
 * Makes a base line for each part of a price. The parts are added exactly, so that the sum of the lines is rounded only
 * once.
 */
export const linesOf = (
  { id, name }: { readonly id: string; readonly name: string | null },
  parts: ReadonlyArray<Part>
): ReadonlyArray<FareLine> => {
  let sum = zero
  let before = 0
  return parts.map(({ inputs, price }) => {
    sum = plus(sum, price)
    const upTo = rounded(sum)
    const minor = upTo - before
    before = upTo
    return { step: "base", rule: id, name, inputs, of_minor: null, minor }
  })
}

/**
 * Micrometres in a metre. The engine computes with whole micrometres, because a thousandth of a mile is a whole number
 * of them.
 */
export const microsAMetre = 1_000_000
