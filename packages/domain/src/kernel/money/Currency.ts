/** ISO 4217: which currencies there are, and how many decimals each one's minor unit has. */
import { Schema, SchemaTransformation } from "effect"
import { check } from "../fields/FieldIssue.ts"

const withDecimals: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW " +
    "CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF " +
    "IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK " +
    "MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP " +
    "SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG " +
    "YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW"
}

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(withDecimals).flatMap(([exponent, codes]) =>
    codes.split(" ").map((code) => [code, Number(exponent)] as const)
  )
)

/** The most decimals that any currency has. */
export const maximumExponent = 4

/** A currency's ISO 4217 code, upper case; decoded from either case. */
export const Currency = Schema.String.check(
  check<string>("unknown_value", (code) => exponents.has(code.trim().toUpperCase()), {
    pattern: "^[A-Za-z]{3}$"
  })
).pipe(
  Schema.decodeTo(
    Schema.String.pipe(Schema.brand("Currency")),
    SchemaTransformation.transform<string, string>({
      decode: (code) => code.trim().toUpperCase(),
      encode: (code) => code
    })
  )
)
export type Currency = typeof Currency.Type

/** How many decimals the currency's minor unit has: 0 for JPY, 2 for USD, 3 for KWD. */
export const exponentOf = (currency: Currency): number => exponents.get(currency) ?? 2

/** The codes of every currency known here, in no particular order. */
export const currencies: ReadonlyArray<Currency> = [...exponents.keys()].map((code) => code as Currency)
