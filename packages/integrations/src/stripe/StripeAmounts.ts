/**
 * Amounts in the unit of Stripe's API. It is the currency's minor unit, except in three currencies (Stripe's page
 * "Supported currencies"): ISK and UGX have no minor unit, and the API counts hundredths of them; MGA has one, and the
 * API counts whole units.
 */
import { type Currency, currencies, exponentOf, Money } from "@livery/domain"

const apiExponents: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

/** Decimals of the API's unit beyond those of the minor unit. */
const extraDecimals = (currency: Currency) =>
  (apiExponents[currency] ?? exponentOf(currency)) - exponentOf(currency)

/** `value` times ten to the power of `exponent`; undefined if that is not a whole number. */
const scaled = (value: number, exponent: number): number | undefined => {
  const result = exponent >= 0 ? value * 10 ** exponent : value / 10 ** -exponent
  return Number.isSafeInteger(result) ? result : undefined
}

/** The amount in the API's unit; undefined if that unit is too coarse for it. */
export const toApiAmount = ({ currency, minor }: Money.Money): number | undefined =>
  scaled(minor, extraDecimals(currency))

/**
 * The smallest step of the amounts that Stripe charges in a currency, in minor units: the API's unit, and 10 for currencies with
 * three decimals.
 */
const minorStepOf = (currency: Currency): number =>
  exponentOf(currency) >= 3 ? 10 : 10 ** Math.max(0, -extraDecimals(currency))

/** That step in major units. */
export const stepOf = (currency: Currency): number =>
  Money.toMajor({ minor: minorStepOf(currency), currency })

/** The part of an amount below the smallest step, in minor units: 0 if Stripe charges the amount. */
export const remainderOf = ({ currency, minor }: Money.Money): number => minor % minorStepOf(currency)

const known = new Map(currencies.map((currency) => [currency.toLowerCase(), currency]))

/** Money from an amount of the API; undefined for a currency that is not known, or a fraction of its minor unit. */
export const fromApiAmount = (amount: number, currency: string): Money.Money | undefined => {
  const code = known.get(currency.toLowerCase())
  const minor = code === undefined ? undefined : scaled(amount, -extraDecimals(code))
  return code === undefined || minor === undefined ? undefined : { minor, currency: code }
}
