/** Numbers as a person types them. */
import { plainDigits } from "./Digits.ts"

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
 * The number that a person typed, by the separators of the locale and with at most `most` decimals; `NaN` for a text that is no
 * number, or that can be read in two ways: `1.000` on an English page may be a German's thousand. Separators of another language
 * count where they can only mean one number: `200,50`.
 */
export const numberIn = (typed: string, locale: string, most = 6): number => {
  const decimal = separatorOf(locale, "decimal") === "," ? "," : "."
  const other = decimal === "," ? "." : ","
  const text = plainDigits(typed)
    .trim()
    .replaceAll("٫", decimal)
    .replaceAll(/(?<=\d)[\s'’٬](?=\d{3}(?!\d))/gu, "")
  const group = separatorOf(locale, "group") === other ? other : ""
  const own = numberBy(text, group, decimal, new RegExp(`^\\d{0,${most}}$`, "u"))
  const isForeign = Number.isNaN(own) && most > 0 && text.includes(other)
  return isForeign ? numberBy(text, decimal, other, /^\d{1,2}$/u) : own
}
