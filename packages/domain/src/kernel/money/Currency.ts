/** The currencies of ISO 4217 and the number of decimals of each one's minor unit. */
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

/** The largest number of decimals of any currency. */
export const maximumExponent = 4

/** The ISO 4217 code of a currency in upper case, decoded from either case. */
export const Currency = Schema.String.check(
  check<string>(
    "unknown_value",
    (code) => exponents.has(code.trim().toUpperCase()),
    { pattern: "^[A-Za-z]{3}$" },
    "ISO 4217 codes such as USD"
  )
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

/** The number of decimals of the currency's minor unit: 0 for JPY, 2 for USD, 3 for KWD. */
export const exponentOf = (currency: Currency): number => exponents.get(currency) ?? 2

/** The codes of all currencies, in no particular order. */
export const currencies: ReadonlyArray<Currency> = [...exponents.keys()].map((code) => code as Currency)
