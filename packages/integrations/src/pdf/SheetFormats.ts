/** Formats amounts, numbers and days for a locale. */
import { type Currency, exponentOf, Money, type QuantityUnit } from "@livery/domain"

/** The scripts that the fonts have. Words, months and signs of a locale in another script could not be shown. */
const scripts = new Set(["Latn", "Grek", "Cyrl"])

/**
 * The locale in canonical form. A locale whose script the fonts lack becomes English in its region, and a malformed one
 * plain English.
 */
export const knownLocale = (locale: string): string => {
  try {
    const known = new Intl.Locale(locale)
    const { region, script } = known.maximize()
    return scripts.has(script ?? "") ? known.baseName : `en-${region ?? "US"}`
  } catch {
    return "en"
  }
}

const units: Readonly<Record<QuantityUnit, string | undefined>> = {
  piece: undefined,
  trip: undefined,
  hour: "hour",
  day: "day",
  kilometre: "kilometer",
  mile: "mile"
}

/** `format` takes a decimal text without rounding it to a double first. */
const exact = (format: Intl.NumberFormat, decimal: string) =>
  format.format(decimal as Intl.StringNumericLiteral)

/** The formats of one locale and currency. They are cached, because making them takes longer than using them. */
export interface SheetFormats {
  readonly money: (minor: number) => string
  /** A decimal text with its unit. */
  readonly quantity: (decimal: string, unit: QuantityUnit) => string
  /** A percentage, from a decimal text. */
  readonly rate: (decimal: string) => string
  /** From `YYYY-MM-DD`. */
  readonly day: (day: string) => string
  /** The same for a narrow column. */
  readonly shortDay: (day: string) => string
  readonly days: (from: string, to: string) => string
}

const makeFormats = (locale: string, currency: Currency): SheetFormats => {
  const exponent = exponentOf(currency)
  const money = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent
  })
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const percent = new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "percent",
    maximumFractionDigits: 6
  })
  const withUnit = new Map(
    Object.values(units).map((unit) => [
      unit,
      unit === undefined
        ? plain
        : new Intl.NumberFormat(locale, {
            style: "unit",
            unit,
            unitDisplay: "short",
            maximumFractionDigits: 6
          })
    ])
  )
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" })
  const shortDate = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" })
  const instant = (day: string) => new Date(`${day}T00:00:00Z`)
  return {
    money: (minor) => exact(money, Money.format({ minor, currency })),
    quantity: (decimal, unit) => exact(withUnit.get(units[unit]) ?? plain, decimal),
    rate: (decimal) => exact(percent, decimal),
    day: (day) => date.format(instant(day)),
    shortDay: (day) => shortDate.format(instant(day)),
    days: (from, to) =>
      from === to ? date.format(instant(from)) : date.formatRange(instant(from), instant(to))
  }
}

const cache = new Map<string, SheetFormats>()

/** How many pairs of a locale and a currency are cached. */
const maxCached = 200

/** The formats of a locale, which must be well-formed, and a currency. */
export const formatsOf = (locale: string, currency: Currency): SheetFormats => {
  const key = `${locale} ${currency}`
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= maxCached) cache.clear()
  const formats = makeFormats(locale, currency)
  cache.set(key, formats)
  return formats
}
