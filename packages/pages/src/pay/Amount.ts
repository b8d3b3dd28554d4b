/** Amounts as a payer types them. */
import { numberIn } from "../i18n/Numbers.ts"

/** The number of decimal digits of a currency: 2 for euros, 0 for yen. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2

/** An amount as the reader would type it: without groups, and with the digits of the currency. */
export const amountText = (amount: number, currency: string, locale: string): string => {
  const digits = digitsOf(currency)
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  }).format(amount)
}

/** The amount that a payer typed, with at most the decimals of the currency; `NaN` as in {@link numberIn}. */
export const amountIn = (typed: string, currency: string, locale: string): number =>
  numberIn(typed, locale, digitsOf(currency))
