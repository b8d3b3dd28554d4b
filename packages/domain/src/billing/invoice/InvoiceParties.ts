/** The parties of an invoice: what the business and its customer must state on paper (docs/api/invoices.md). */
import { Option, Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { check } from "../../kernel/fields/FieldIssue.ts"
import { blankIsNull } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { isCountry } from "./Countries.ts"

/** A text that is normalised before it is checked; a blank one decodes to `null`. */
const code = (
  pattern: string,
  normalise: (text: string) => string,
  isRight: (normal: string) => boolean = () => true
) => {
  const matches = new RegExp(pattern, "u")
  const isValid = (text: string) => matches.test(normalise(text.trim())) && isRight(normalise(text.trim()))
  return Value.checkedText(
    Schema.String.check(check<string>("invalid", (text) => text.trim() === "" || isValid(text))).pipe(
      Schema.decodeTo(Schema.NullOr(Schema.String), blankIsNull(normalise))
    ),
    { pattern }
  )
}

const compact = (text: string) => text.replaceAll(/[\s.-]/gu, "").toUpperCase()

/** A country, ISO 3166-1 alpha-2, in upper case. */
export const country = code("^[A-Z]{2}$", (text) => text.toUpperCase(), isCountry)

/**
 * A VAT identification number with its country's prefix: `DE123456789`. The Swiss one, `CHE123456789MWST`, is the
 * longest.
 */
export const vatNumber = code("^[A-Z]{2}[A-Z0-9+*]{2,14}$", compact)

/** The remainder of ISO 7064, MOD 97-10, is 1 for an account number without a typing error. */
const isChecked = (iban: string) => {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replaceAll(/[A-Z]/gu, (letter) =>
    String(letter.charCodeAt(0) - 55)
  )
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}

const iban = code("^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$", compact, isChecked)

const bic = code("^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$", compact)

const canonicalLocale = (text: string) =>
  Option.liftThrowable((tag: string) => Intl.getCanonicalLocales(tag)[0])(text)

const locale = code(
  "^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$",
  (text) => Option.getOrElse(canonicalLocale(text), () => undefined) ?? text,
  (text) => Option.isSome(canonicalLocale(text))
)

/**
 * The fields of a business's profile that its invoices show. `locale` (BCP 47) decides the language of an invoice and how
 * it writes dates and amounts. `tax_number` is that of the local tax office, `registration_number` that of the register of
 * companies; customers transfer money to `iban`.
 */
export const sellerFields = Field.ofNobody({
  country: Field.optional(country),
  locale: Field.optional(locale),
  vat_number: Field.optional(vatNumber),
  tax_number: Field.optional(Value.text(40)),
  registration_number: Field.optional(Value.text(80)),
  iban: Field.optional(iban),
  bic: Field.optional(bic)
})

/**
 * The fields of a customer that invoices show beside its name and address. `language` (BCP 47) is the language of the customer's
 * invoices; without one, it is the `locale` of the business. `buyer_reference` is the reference that the customer asks for, such
 * as a Leitweg-ID.
 */
export const buyerFields = {
  country: Field.says({ person: "customer" }, Field.optional(country)),
  vat_number: Field.says({ person: "customer" }, Field.optional(vatNumber)),
  language: Field.says({ person: "customer" }, Field.optional(locale)),
  buyer_reference: Field.says({ person: "customer" }, Field.optional(Value.text(100)))
}

/** The seller as an invoice shows it. */
export const InvoiceSeller = Schema.Struct({
  business_name: Schema.String,
  business_email: Schema.String,
  phone: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  website_url: Schema.NullOr(Schema.String),
  logo_url: Schema.NullOr(Schema.String),
  ...Field.storedOf(sellerFields).fields
})
export type InvoiceSeller = typeof InvoiceSeller.Type

/** The customer as an invoice shows it. */
export const InvoiceBuyer = Schema.Struct({
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  ...Field.storedOf(buyerFields).fields
})
export type InvoiceBuyer = typeof InvoiceBuyer.Type

/** The seller's fields of a new business. */
export const unspecifiedSeller: Schema.Schema.Type<ReturnType<typeof Field.storedOf<typeof sellerFields>>> = {
  country: null,
  locale: null,
  vat_number: null,
  tax_number: null,
  registration_number: null,
  iban: null,
  bic: null
}
