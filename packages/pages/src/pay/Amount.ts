/** Amounts as a payer types them. */
import { plainDigits } from "../i18n/Digits.ts"

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

const separatorOf = (locale: string, type: "decimal" | "group") =>
  new Intl.NumberFormat(locale).formatToParts(1_234_567.5).find((part) => part.type === type)?.value

/** The number of a text whose groups and decimals are separated by these signs; `NaN` if it is none. */
const numberBy = (text: string, group: string, decimal: string, digits: RegExp) => {
  const [whole = "", decimals, ...more] = text.split(decimal)
  const groups = group === "" ? [whole] : whole.split(group)
  const isGrouped = groups.length === 1 || /^-?\d{1,3}(?:,\d{3})+$/u.test(groups.join(","))
  if (!isGrouped || more.length > 0 || (decimals !== undefined && !digits.test(decimals))) return Number.NaN
  const joined = groups.join("")
  return /^-?\d+$/u.test(joined) ? Number(`${joined}.${decimals ?? ""}`) : Number.NaN
}

/**
 * The amount that a payer typed, by the separators of the reader's locale; `NaN` for a text that is no number, or that can be read
 * in two ways: `1.000` on an English page may be a German's thousand. Separators of another language count where they can only mean
 * one number: `200,50`.
 */
export const amountIn = (typed: string, currency: string, locale: string): number => {
  const decimal = separatorOf(locale, "decimal") === "," ? "," : "."
  const other = decimal === "," ? "." : ","
  const text = plainDigits(typed)
    .trim()
    .replaceAll("٫", decimal)
    .replaceAll(/(?<=\d)[\s'’٬](?=\d{3}(?!\d))/gu, "")
  const most = digitsOf(currency)
  const group = separatorOf(locale, "group") === other ? other : ""
  const own = numberBy(text, group, decimal, new RegExp(`^\\d{0,${most}}$`, "u"))
  const isForeign = Number.isNaN(own) && most > 0 && text.includes(other)
  return isForeign ? numberBy(text, decimal, other, /^\d{1,2}$/u) : own
}
