/**
 * Exact fractions of a minor unit, for prices by distance and time. Parts are added exactly, and the sum is rounded
 * once, halves away from zero, as `Money.multiply` does.
 */

/** A number of minor units, `numerator / denominator`; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Zero. */
export const zero: Fraction = { numerator: 0n, denominator: 1n }

/** An amount in minor units times `numerator / denominator`, both non-negative integers. */
export const fraction = (minor: number, numerator = 1, denominator = 1): Fraction => ({
  numerator: BigInt(minor) * BigInt(numerator),
  denominator: BigInt(denominator)
})

/** The exact sum. */
export const plus = (a: Fraction, b: Fraction): Fraction =>
  a.denominator === b.denominator
    ? { numerator: a.numerator + b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator
      }

/**
 * The limit of base lines and percentages in minor units. It exceeds the largest amount of `Money`, so a fare that reaches
 * it is refused as too large. An amount times a count needs no limit: the limits of both keep it an exact integer.
 */
const largestLine = 10_000_000_000_000

/** The nearest integer of minor units, halves away from zero, limited to {@link largestLine}. */
export const rounded = ({ denominator, numerator }: Fraction): number => {
  const size = numerator < 0n ? -numerator : numerator
  const units = (2n * size + denominator) / (2n * denominator)
  const bounded = units > BigInt(largestLine) ? largestLine : Number(units)
  return numerator < 0n && bounded !== 0 ? -bounded : bounded
}

/** Converts a percentage, which has at most four decimals, to a whole number. */
const percentScale = 10_000

/** A percentage of an amount in minor units, rounded half away from zero. */
export const percentOf = (minor: number, percent: number): number => {
  const scaled = Math.round(Math.abs(percent) * percentScale)
  const part = rounded(fraction(Math.abs(minor), scaled, 100 * percentScale))
  return part !== 0 && minor < 0 !== percent < 0 ? -part : part
}

/** The share of a tax of `percent` in an amount that contains taxes of `totalPercent` in total. */
export const containedPercent = (minor: number, percent: number, totalPercent: number): number =>
  rounded(
    fraction(
      minor,
      Math.round(percent * percentScale),
      100 * percentScale + Math.round(totalPercent * percentScale)
    )
  )
