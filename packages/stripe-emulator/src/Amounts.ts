/** Which amounts Stripe charges, by currency (its page "Supported currencies"). */
import { invalidParameter, refusedRequest } from "./StripeFailure.ts"

const known = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()))

/** The smallest charges in the currency's API unit; others need the equivalent of 50 US cents, which is not checked. */
const minimums: Readonly<Record<string, number>> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000
}

/** Currencies with three decimals, of which the last must be zero. */
const threeDecimals = new Set(["bhd", "jod", "kwd", "omr", "tnd"])

/** Currencies without a minor unit whose amounts the API takes in hundredths. */
const wholeHundreds = new Set(["isk", "ugx"])

/** Stripe's largest amount in any currency, in its API unit: eight digits. */
const maximum = 99_999_999

/** The currency in lower case, as Stripe returns it. Throws if there is no such currency. */
export const checkedCurrency = (currency: string): string => {
  const code = currency.toLowerCase()
  if (!known.has(code)) throw invalidParameter("currency", `Invalid currency: ${code}.`)
  return code
}

/** The amount. Throws if Stripe would not charge it. */
export const checkedAmount = (amount: number, currency: string): number => {
  const refuse = (message: string, code: string) => refusedRequest(message, { param: "amount", code })
  if (amount > maximum) throw refuse("Amount must be no more than 999,999.99.", "amount_too_large")
  if (amount < (minimums[currency] ?? 1))
    throw refuse("Amount must convert to at least 50 cents.", "amount_too_small")
  if (threeDecimals.has(currency) && amount % 10 !== 0)
    throw refuse(
      `Invalid amount. The last digit must be zero in ${currency.toUpperCase()}.`,
      "invalid_charge_amount"
    )
  if (wholeHundreds.has(currency) && amount % 100 !== 0)
    throw refuse(
      `Invalid amount. Amounts in ${currency.toUpperCase()} must be evenly divisible by 100.`,
      "invalid_charge_amount_no_decimal_compatible"
    )
  return amount
}
