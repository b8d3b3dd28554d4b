/**
 * The taxes of a price. All of them apply to the same amount: no tax is charged on another one. The arithmetic is exact, and
 * each function that rounds says how.
 */
import { Schema } from "effect"
import { decimals } from "../fields/Decimals.ts"
import { check, moreThanZero } from "../fields/FieldIssue.ts"
import * as Field from "../fields/Field.ts"
import * as Value from "../fields/Value.ts"

/** The most taxes of one price. */
export const maxTaxes = 5

/** A rate in percent has at most four decimals. */
const rateDecimals = 4

const rateScale = 10 ** rateDecimals

const rateValue = Value.unchanged(Schema.Finite.check(moreThanZero(100), decimals(rateDecimals)))

/** A tax: its rate in percent, and the name that documents show, such as `GST`. */
const taxFields = Field.ofNobody({
  name: Field.optional(Value.text(60)),
  rate: Field.required({ ...rateValue, stored: Schema.Finite })
})

/** A tax as stored. */
export const Tax = Field.storedOf(taxFields)
export type Tax = typeof Tax.Type

const TaxInput = Field.inputOf(taxFields)

const rateInUnits = (rate: number) => Math.round(rate * rateScale)

/** The sum of the rates in percent. */
export const rateOfAll = (taxes: ReadonlyArray<Pick<Tax, "rate">>): number =>
  taxes.reduce((sum, { rate }) => sum + rateInUnits(rate), 0) / rateScale

const list = Value.listOf(TaxInput, Tax, maxTaxes)

const written: typeof list.required = list.required.pipe(
  Schema.check(
    check<ReadonlyArray<Tax>>("out_of_range", (taxes) => rateOfAll(taxes) <= 100, {}, "rates of 100 in all")
  )
) as typeof list.required

/** A list of taxes; an empty one says that there is no tax. */
export const taxList = { ...list, required: written, optional: written }

/**
 * The fields by which something that has a price says how it is taxed. Null leaves the decision to what is more general.
 * With `tax_included`, the price contains its taxes.
 */
export const taxTermsFields = Field.ofNobody({
  taxes: Field.optional(taxList),
  tax_included: Field.optional(Value.boolean)
})

/** The values of these fields. */
export interface TaxTerms {
  readonly taxes: ReadonlyArray<Tax> | null
  readonly tax_included: boolean | null
}

/** The terms of a price that says nothing about its taxes. */
export const unspecifiedTaxTerms: TaxTerms = { taxes: null, tax_included: null }

/** The taxes of a single rate without a name; none for a rate of zero. */
export const taxesAt = (rate: number): ReadonlyArray<Tax> => (rate === 0 ? [] : [{ name: null, rate }])

const hundred = BigInt(100 * rateScale)

/** The nearest whole number to a fraction with a positive denominator, halves away from zero. */
const nearest = (numerator: bigint, denominator: bigint): number => {
  const size = numerator < 0n ? -numerator : numerator
  const units = Number((2n * size + denominator) / (2n * denominator))
  return numerator < 0n && units !== 0 ? -units : units
}

/** The tax of a rate on an amount without tax, in minor units, rounded with halves away from zero. */
export const taxOn = (netMinor: number, rate: number): number =>
  nearest(BigInt(netMinor) * BigInt(rateInUnits(rate)), hundred)

/**
 * Divides a whole number among exact shares, `numerators` over one denominator, whose sum is less than one for each share away
 * from it. Each share is rounded down, and the largest remainders are rounded up: no part is a whole unit from its share.
 */
const byLargestRemainder = (
  total: number,
  numerators: ReadonlyArray<bigint>,
  denominator: bigint
): ReadonlyArray<number> => {
  const floors = numerators.map((numerator) => {
    const quotient = numerator / denominator
    return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
  })
  const left = total - Number(floors.reduce((sum, floor) => sum + floor, 0n))
  const each = Math.floor(left / numerators.length)
  const further = left - each * numerators.length
  const remainders = numerators.map((numerator, index) => numerator - (floors[index] ?? 0n) * denominator)
  const raised = new Set(
    [...numerators.keys()]
      .toSorted((one, other) => {
        const [left = 0n, right = 0n] = [remainders[one], remainders[other]]
        return left === right ? one - other : left > right ? -1 : 1
      })
      .slice(0, further)
  )
  return floors.map((floor, index) => Number(floor) + each + (raised.has(index) ? 1 : 0))
}

/** The parts of an amount that contains taxes, in minor units: the sum of `taxes` and `net` is the amount. */
export interface ContainedTax {
  readonly net_minor: number
  /** One for each tax, in their order. */
  readonly taxes: ReadonlyArray<number>
}

/**
 * The net amount and the taxes of an amount that contains them. The sum of the taxes is rounded, halves away from zero, and
 * divided among them by the largest remainder. If a net amount exists whose rounded tax adds up to the amount, it is this one;
 * else the tax is less than two minor units from the rounded one.
 */
export const containedTax = (grossMinor: number, taxes: ReadonlyArray<Tax>): ContainedTax => {
  const units = taxes.map(({ rate }) => BigInt(rateInUnits(rate)))
  const all = units.reduce((sum, unit) => sum + unit, 0n)
  if (all === 0n) return { net_minor: grossMinor, taxes: taxes.map(() => 0) }
  const sign = grossMinor < 0 ? -1 : 1
  const size = BigInt(Math.abs(grossMinor))
  const tax = nearest(size * all, hundred + all)
  const parts = byLargestRemainder(
    tax,
    units.map((unit) => size * unit),
    hundred + all
  )
  return {
    net_minor: grossMinor - sign * tax,
    taxes: parts.map((part) => (part === 0 ? 0 : sign * part))
  }
}

/**
 * The net amounts of amounts that contain the same taxes: they add up to `netMinor`, and each is less than two minor units
 * from its exact share. With the opposite sign of all amounts, the shares have the opposite sign too.
 */
export const netShares = (
  netMinor: number,
  grossMinors: ReadonlyArray<number>,
  taxes: ReadonlyArray<Tax>
): ReadonlyArray<number> => {
  const sign = grossMinors.reduce((sum, gross) => sum + gross, 0) < 0 ? -1 : 1
  const all = BigInt(rateInUnits(rateOfAll(taxes)))
  const shares = byLargestRemainder(
    sign * netMinor,
    grossMinors.map((gross) => BigInt(sign * gross) * hundred),
    hundred + all
  )
  return shares.map((share) => (share === 0 ? 0 : sign * share))
}
