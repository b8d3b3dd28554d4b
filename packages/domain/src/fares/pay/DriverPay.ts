/**
 * A driver's pay for a trip: the sum of shares of certain fare lines, hours, a flat amount, and the difference to a
 * minimum, in that order. A scheme uses any combination of them.
 */
import { Result, Schema } from "effect"
import { Currency } from "../../kernel/money/Currency.ts"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { text } from "../../kernel/fields/Text.ts"
import * as Money from "../../kernel/money/Money.ts"
import type { Fare } from "../engine/Fare.ts"
import { FareStep } from "../rules/FareStep.ts"
import { containedPercent, fraction, percentOf, rounded } from "../compiled/Fraction.ts"
import { Amount, ChargedMinutes, listOf, Minutes, Percent, RuleId, orDefault } from "../rules/TariffFields.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"

const Share = Schema.Struct({
  id: orNull(RuleId),
  steps: listOf(oneOf(FareStep), 17),
  percent: Percent
})

/**
 * How a driver is paid, amounts in major units. `shares`: a percentage of the lines of some steps; if the prices contain a
 * tax, `tax_percent` is deducted first. A share without an `id` is named after its position, as `share:1`. `per_hour`: for
 * each started `increment_minutes` of work, at least `minimum_minutes`. `flat`: an amount per trip. `minimum`: the lowest
 * pay of a trip.
 */
export const PayScheme = Schema.Struct({
  name: text(200),
  currency: Currency,
  shares: listOf(Share, 20),
  tax_percent: orDefault(Percent, 0),
  per_hour: orNull(Amount),
  increment_minutes: orDefault(ChargedMinutes, 1),
  minimum_minutes: orDefault(Minutes, 0),
  flat: orNull(Amount),
  minimum: orNull(Amount)
})
export type PayScheme = typeof PayScheme.Type

/** The kinds of lines of a driver's pay. */
export type PayStep = "share" | "hours" | "flat" | "minimum"

/**
 * A line of a driver's pay, in minor units. `of_minor` is the base of a share's percentage, or the minimum; else null.
 */
export interface PayLine {
  readonly step: PayStep
  /** The id of the share; for all other lines, the name of the step. */
  readonly rule: string
  readonly inputs: Readonly<Record<string, number>>
  readonly of_minor: number | null
  readonly minor: number
}

/** A driver's pay for a trip: the lines sum to the total. */
export interface DriverPay {
  readonly lines: ReadonlyArray<PayLine>
  readonly total_minor: number
}

/**
 * A driver's part in a trip: the minutes of work, the number of drivers who split the shares, and this driver's place
 * among them, from 0.
 */
export interface DriverWork {
  readonly minutes: number
  readonly driver: number
  readonly drivers: number
}

/** A compiled scheme of pay. */
export interface CompiledPayScheme {
  readonly pay: (fare: Fare, work: DriverWork) => DriverPay
}

/** The id of a share in statements. A derived one contains a colon, so that it never equals one that was sent. */
const ruleOf = ({ id }: typeof Share.Type, index: number) => id ?? `share:${index + 1}`

const shareOf = (
  share: typeof Share.Type,
  rule: string,
  fare: Fare,
  taxPercent: number,
  work: DriverWork,
  currency: Currency
) => {
  const steps = new Set(share.steps)
  const gross = fare.lines.reduce((sum, { minor, step }) => (steps.has(step) ? sum + minor : sum), 0)
  const taxed = Math.max(0, gross)
  const net = taxed - containedPercent(taxed, taxPercent, taxPercent)
  const parts = Money.allocate(
    { minor: percentOf(net, share.percent), currency },
    Array.from({ length: work.drivers }, () => 1)
  )
  return {
    step: "share",
    rule,
    inputs: { percent: share.percent },
    of_minor: net,
    minor: parts[work.driver]?.minor ?? 0
  } as const
}

const hoursOf = (scheme: PayScheme, hour: number, { minutes }: DriverWork): PayLine => {
  const paid =
    Math.ceil(Math.max(minutes, scheme.minimum_minutes) / scheme.increment_minutes) * scheme.increment_minutes
  return {
    step: "hours",
    rule: "hours",
    inputs: { minutes: paid },
    of_minor: null,
    minor: rounded(fraction(hour, paid, 60))
  }
}

/**
 * Compiles a scheme. Fails with every amount that has more decimals than the currency, shares without steps, and
 * duplicate ids. A scheme that pays nothing, because it has neither shares nor an amount, lacks `shares`.
 */
export const compilePayScheme = (scheme: PayScheme): Result.Result<CompiledPayScheme, InvalidInput> => {
  const issues: Array<FieldIssue> = []
  const minorOf = (field: "per_hour" | "flat" | "minimum"): number | null => {
    const amount = scheme[field]
    if (amount === null) return null
    const money = Money.fromMajor(amount, scheme.currency)
    if (money._tag === "Some") return money.value.minor
    issues.push({ field, issue: "invalid" })
    return null
  }
  const amounts = [scheme.per_hour, scheme.flat, scheme.minimum]
  if (scheme.shares.length === 0 && amounts.every((amount) => amount === null))
    issues.push({ field: "shares", issue: "required" })
  const [hour, flat, minimum] = [minorOf("per_hour"), minorOf("flat"), minorOf("minimum")]
  scheme.shares.forEach(({ id, steps }, index) => {
    if (steps.length === 0) issues.push({ field: `shares.${index}.steps`, issue: "required" })
    if (id !== null && scheme.shares.findIndex((other) => other.id === id) < index)
      issues.push({ field: `shares.${index}.id`, issue: "invalid" })
  })
  if (issues.length > 0) return Result.fail(new InvalidInput({ issues }))

  return Result.succeed({
    pay: (fare, work) => {
      const lines: Array<PayLine> = scheme.shares.map((share, index) =>
        shareOf(share, ruleOf(share, index), fare, scheme.tax_percent, work, scheme.currency)
      )
      if (hour !== null) lines.push(hoursOf(scheme, hour, work))
      if (flat !== null) lines.push({ step: "flat", rule: "flat", inputs: {}, of_minor: null, minor: flat })
      const earned = lines.reduce((sum, { minor }) => sum + minor, 0)
      if (minimum !== null && minimum > earned)
        lines.push({
          step: "minimum",
          rule: "minimum",
          inputs: {},
          of_minor: minimum,
          minor: minimum - earned
        })
      return { lines, total_minor: Math.max(earned, minimum ?? 0) }
    }
  })
}
