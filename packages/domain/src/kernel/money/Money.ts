/**
 * Money: a whole number of a currency's minor units. Nothing here computes with fractions of a cent: amounts
 * come in and go out as decimal text, and every rounding is named.
 */
import { Option, Schema } from "effect"
import { check } from "../fields/FieldIssue.ts"
import { type Currency, exponentOf, maximumExponent } from "./Currency.ts"

/** An amount: `minor` whole minor units (cents for USD, yen for JPY, fils for KWD) of `currency`. */
export interface Money {
  readonly minor: number
  readonly currency: Currency
}

/** Beyond this many minor units an amount is refused: sums of thousands of them stay exact integers. */
export const maximumMinor = 1_000_000_000_000

/** The decimal digits of a JSON number, without an exponent, or `undefined` if it has more than can matter. */
const decimal = (amount: number) => {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(String(amount))
  return match === null
    ? undefined
    : { sign: match[1] ?? "", whole: match[2] ?? "", fraction: match[3] ?? "" }
}

/**
 * An amount in major units as JSON carries it (`129.5`): finite, not negative, no more decimals than any
 * currency has. Whether its own currency has that many is known only with the currency: see {@link fromMajor}.
 */
export const MajorAmount = Schema.Finite.check(
  check<number>("out_of_range", (amount) => amount >= 0 && amount <= maximumMinor / 100, { minimum: 0 }),
  check<number>("invalid", (amount) => {
    if (Math.abs(amount) > maximumMinor) return true
    const digits = decimal(amount)
    return digits !== undefined && digits.fraction.length <= maximumExponent
  })
)

/** Money from major units; `None` if the amount has more decimals than the currency or is beyond bounds. */
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

/** The amount in major units as a JSON number: the double nearest to the decimal text, which prints as it. */
export const toMajor = (money: Money): number => Number(format(money))

/** No money, in that currency. */
export const zero = (currency: Currency): Money => ({ minor: 0, currency })

const same = (left: Money, right: Money) => {
  if (left.currency !== right.currency)
    throw new TypeError(`${left.currency} and ${right.currency} do not add up: convert first`)
}

/** The sum. Both amounts must be of one currency: anything else is a fault of the program, and throws. */
export const add = (left: Money, right: Money): Money => {
  same(left, right)
  return { minor: left.minor + right.minor, currency: left.currency }
}

/** The difference, of one currency. */
export const subtract = (left: Money, right: Money): Money => {
  same(left, right)
  return { minor: left.minor - right.minor, currency: left.currency }
}

/**
 * The amount times `numerator / denominator` (whole numbers), rounded half away from zero to the minor unit,
 * as invoices are. A tax of 7.7 % is `multiply(net, 77, 1000)`. A product that is no longer an exact integer is a
 * fault of the program, and throws.
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
 * Splits an amount by weights (whole, not negative, not all zero) into parts that sum to it exactly and differ from
 * their exact share by less than a minor unit: what does not divide goes, a minor unit each, to the first parts
 * that were rounded down.
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
