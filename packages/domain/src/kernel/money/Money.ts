/**
 * Money: a whole number of a currency's minor units. Amounts are read and written as decimal text, so that no
 * calculation uses fractions of a cent; each function that rounds says how.
 */
import { Option, Schema, type SchemaAST } from "effect"
import { between, check, type FieldIssue, moreThanZero } from "../fields/FieldIssue.ts"
import { type Currency, exponentOf, maximumExponent } from "./Currency.ts"

/** An amount: `minor` whole minor units (cents for USD, yen for JPY, fils for KWD) of `currency`. */
export interface Money {
  readonly minor: number
  readonly currency: Currency
}

/** The largest amount, in minor units. Sums of thousands of such amounts are still exact integers. */
export const maximumMinor = 1_000_000_000_000

/** The decimal digits of a JSON number; `undefined` if it is so large or small that it prints with an exponent. */
const decimal = (amount: number) => {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(String(amount))
  return match === null
    ? undefined
    : { sign: match[1] ?? "", whole: match[2] ?? "", fraction: match[3] ?? "" }
}

/** The largest amount in major units that a request may carry. Its currency may allow less: {@link fromMajor} checks that. */
export const maximumMajor = maximumMinor / 100

/** An amount in major units that meets a check of its bounds. Other than that, it is a {@link MajorAmount}. */
export const amountWithin = (bounds: SchemaAST.Filter<number>) =>
  Schema.Finite.check(
    bounds,
    check<number>("invalid", (amount) => {
      if (Math.abs(amount) > maximumMinor) return true
      const digits = decimal(amount)
      return digits !== undefined && digits.fraction.length <= maximumExponent
    })
  )

/**
 * An amount in major units as JSON carries it (`129.5`): finite, not negative, with at most as many decimals as the
 * currency with the most has. {@link fromMajor} checks the decimals of its own currency.
 */
export const MajorAmount = amountWithin(between(0, maximumMajor))

/** A {@link MajorAmount} that is not zero. */
export const PositiveAmount = amountWithin(moreThanZero(maximumMajor))

/** Whether a sum of money is an amount that a request may carry: a {@link MajorAmount} of at most {@link maximumMinor}. */
export const isAmount = ({ minor, currency }: Money): boolean =>
  minor <= maximumMinor && Schema.is(MajorAmount)(toMajor({ minor, currency }))

/** Whether an amount has at most as many decimals as the currency. */
const hasDecimalsOf = (currency: Currency, amount: number) => {
  const digits = decimal(amount)
  return digits !== undefined && digits.fraction.length <= exponentOf(currency)
}

/** Money from major units; `None` if the amount has more decimals than the currency or exceeds {@link maximumMinor}. */
export const fromMajor = (amount: number, currency: Currency): Option.Option<Money> => {
  const digits = decimal(amount)
  const exponent = exponentOf(currency)
  if (digits === undefined || digits.fraction.length > exponent) return Option.none()
  const minor = Number(`${digits.sign}${digits.whole}${digits.fraction.padEnd(exponent, "0")}`)
  return Math.abs(minor) <= maximumMinor ? Option.some({ minor, currency }) : Option.none()
}

/** The decimal text of an amount in major units: `"129.50"`, `"1200"` for JPY. */
export const format = ({ minor, currency }: Money): string => {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0")
  const whole = digits.slice(0, digits.length - exponent)
  const sign = minor < 0 ? "-" : ""
  return exponent === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-exponent)}`
}

/** The amount in major units as a JSON number: the double nearest to its decimal text, which prints as that text. */
export const toMajor = (money: Money): number => Number(format(money))

/** A number of minor units of a currency in major units; null stays null. */
export const toMajorOrNull = (minor: number | null, currency: Currency): number | null =>
  minor === null ? null : toMajor({ minor, currency })

/** The largest amount of a currency, for messages: `10000000000.00 USD`. */
export const largestText = (currency: Currency): string =>
  `${format({ minor: maximumMinor, currency })} ${currency}`

/**
 * The issue of an amount that {@link fromMajor} refuses: `out_of_range` with the largest amount if it exceeds that, `invalid` if
 * it has more decimals than the currency.
 */
export const issueOfRefused = (amount: number, currency: Currency): Pick<FieldIssue, "issue" | "accepted"> =>
  hasDecimalsOf(currency, amount)
    ? { issue: "out_of_range", accepted: `at most ${largestText(currency)}` }
    : { issue: "invalid" }

/** An amount of zero in a currency. */
export const zero = (currency: Currency): Money => ({ minor: 0, currency })

const same = (left: Money, right: Money) => {
  if (left.currency !== right.currency)
    throw new TypeError(`${left.currency} and ${right.currency} cannot be added: convert one first`)
}

/** The sum of two amounts in one currency. It throws for two currencies, which is a fault of the program. */
export const add = (left: Money, right: Money): Money => {
  same(left, right)
  return { minor: left.minor + right.minor, currency: left.currency }
}

/** The difference of two amounts in one currency. It throws as {@link add} does. */
export const subtract = (left: Money, right: Money): Money => {
  same(left, right)
  return { minor: left.minor - right.minor, currency: left.currency }
}

/**
 * The amount times `numerator / denominator` (whole numbers), rounded to the minor unit, halves away from zero, as
 * invoices are. A tax of 7.7 % is `multiply(net, 77, 1000)`. It throws if the product is not an exact integer any more,
 * which is a fault of the program.
 */
export const multiply = ({ minor, currency }: Money, numerator: number, denominator = 1): Money => {
  const product = BigInt(minor) * BigInt(numerator)
  const by = BigInt(denominator)
  const positive = product < 0n === by < 0n
  const [dividend, divisor] = [product < 0n ? -product : product, by < 0n ? -by : by]
  const rounded = (2n * dividend + divisor) / (2n * divisor)
  if (rounded > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`${minor} times ${numerator} / ${denominator} is beyond exact amounts`)
  return { minor: Number(positive ? rounded : -rounded), currency }
}

/**
 * Splits an amount by weights (whole, not negative, not all zero) into parts whose sum is exactly the amount. Each part
 * is its exact share rounded down; the remaining minor units go to the first parts that were rounded, one each.
 */
export const allocate = (money: Money, weights: ReadonlyArray<number>): ReadonlyArray<Money> => {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  const sign = money.minor < 0 ? -1n : 1n
  const amount = BigInt(money.minor) * sign
  const shares = weights.map((weight) => (amount * BigInt(weight)) / total)
  let rest = amount - shares.reduce((sum, share) => sum + share, 0n)
  return shares.map((share, index) => {
    const roundedDown = share * total !== amount * BigInt(weights[index] ?? 0)
    const extra = rest > 0n && roundedDown ? 1n : 0n
    rest -= extra
    return { minor: Number(sign * (share + extra)), currency: money.currency }
  })
}
