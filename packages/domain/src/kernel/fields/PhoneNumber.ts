/**
 * The canonical form of telephone numbers, by which two spellings of a number are the same. Numbers are stored and shown as
 * they were typed. `libphonenumber-js` has the numbering plans (docs/engineering/0028-telephone-numbers.md).
 */
import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min"

/** The length from which a text is no telephone number. */
const maxTypedLength = 60

/** No number that a person is reached at has fewer digits. */
const minDigits = 3

/** The first of the ten digits of a script to which a digit belongs. Scripts have their digits in one run, in order. */
const zeroOf = (digit: number): number => {
  let zero = digit
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return zero
}

/** A text with the digits of all scripts as 0 to 9, and full-width signs as the usual ones. */
export const withAsciiDigits = (text: string): string =>
  /^[ -~]*$/u.test(text)
    ? text
    : text.normalize("NFKC").replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => {
        const code = digit.codePointAt(0) ?? 0
        return String((code - zeroOf(code)) % 10)
      })

/** A shorter number has no extension. */
const minWithExtension = 7

/** A text without the extension of its number, in any language: `ext. 12`, `x12`, `;ext=12`, `Durchwahl 5`. */
export const withoutExtension = (text: string): string => {
  const [, number] = /^(.*?\d)[^\d\p{L}]*[\p{L}#]\D*\d{1,7}\D*$/u.exec(text) ?? []
  return number !== undefined && number.replaceAll(/\D/gu, "").length >= minWithExtension ? number : text
}

/** A telephone number: its canonical form, and its parts if it belongs to a numbering plan. */
export interface PhoneNumber {
  readonly canonical: string
  readonly plan?: { readonly callingCode: string; readonly national: string }
}

/**
 * The telephone number in a text: in the form of E.164 without its extension, `+442079460018`. A number without a calling code
 * belongs to `country` (ISO 3166-1 alpha-2). A text that belongs to no numbering plan has its digits as the canonical form.
 * Undefined if the text is no telephone number.
 */
export const phoneNumberOf = (typed: string, country: string | null): PhoneNumber | undefined => {
  if (typed.length > maxTypedLength) return undefined
  const text = withoutExtension(withAsciiDigits(typed).trim())
  const digits = text.replaceAll(/\D/gu, "")
  if (digits.length < minDigits) return undefined
  const international = text.replace(/^(\D*)00(?=[\s(]*[1-9])/u, "$1+")
  const region = country !== null && isSupportedCountry(country) ? country : undefined
  // The last spelling is that of a calling code without its plus.
  const number = [text, international, `+${digits}`]
    .map((spelling) => parsePhoneNumberFromString(spelling, region))
    .find((parsed) => parsed?.isPossible())
  if (number === undefined) return { canonical: digits }
  return {
    canonical: number.number,
    plan: {
      callingCode: number.countryCallingCode,
      national: number.nationalNumber
    }
  }
}

/** The canonical form of the telephone number in a text; undefined if the text is no telephone number. */
export const canonicalPhone = (typed: string, country: string | null): string | undefined =>
  phoneNumberOf(typed, country)?.canonical

/** The zones of a country. Engines without this list know none. */
const zonesOf = (country: string): ReadonlyArray<string> => {
  const locale: object = new Intl.Locale(`und-${country}`)
  const zones: unknown =
    "getTimeZones" in locale && typeof locale.getTimeZones === "function" && locale.getTimeZones()
  return Array.isArray(zones) ? zones : []
}

let countriesOfZones: ReadonlyMap<string, ReadonlyArray<string>> | undefined

/** The countries of each time zone. Engines take a millisecond for the zones of a country, so they are asked once. */
const countriesByZone = () => {
  if (countriesOfZones !== undefined) return countriesOfZones
  const countries = new Map<string, Array<string>>()
  for (const country of getCountries())
    for (const zone of zonesOf(country)) countries.set(zone, [...(countries.get(zone) ?? []), country])
  return (countriesOfZones = countries)
}

/** The only country that has a time zone; null if there is none or are several. */
export const countryOfZone = (timezone: string): string | null => {
  const [country = null, ...others] = countriesByZone().get(timezone) ?? []
  return others.length === 0 ? country : null
}

/** The country of a business, by which numbers without a calling code are read: its own, or the only one in its time zone. */
export const countryOf = (business: { readonly country: string | null; readonly timezone: string }) =>
  business.country ?? countryOfZone(business.timezone)
