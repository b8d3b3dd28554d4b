/**
 * The taxes of new lines. The first that says something decides (docs/api/invoices.md): the line, the request, the customer who
 * pays no tax, the trip or the product, the fare of the trip, the business.
 */
import { Schema } from "effect"
import * as Field from "../../kernel/fields/Field.ts"
import { between, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { decimals } from "../../kernel/fields/Decimals.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { rateOfAll, type Tax, taxesAt, taxList, type TaxTerms } from "../../kernel/money/Taxes.ts"
import type { TaxedLine } from "./InvoiceSums.ts"

/** A tax rate in percent: `7.7`. */
export const taxRate = Value.unchanged(Schema.Finite.check(between(0, 100), decimals(4)))

/**
 * The fields by which a request says how lines are taxed: `tax_rate` for a single tax, `taxes` for several or for taxes with
 * names; `tax_included` says whether the prices contain them.
 */
export const taxInput = {
  tax_rate: orNull(taxRate.optional),
  taxes: orNull(taxList.optional),
  tax_included: orNull(Schema.Boolean)
}

/** The values of these fields. */
export interface SentTaxes extends TaxTerms {
  readonly tax_rate: number | null
}

/** An issue of a request that sends both a rate and taxes, if the taxes have another rate in all. */
export const sentTaxIssues = ({ tax_rate, taxes }: SentTaxes, path = ""): ReadonlyArray<FieldIssue> =>
  tax_rate === null || taxes === null || rateOfAll(taxes) === tax_rate
    ? []
    : [
        {
          field: `${path}tax_rate`,
          issue: "invalid",
          accepted: `${rateOfAll(taxes)}, the sum of the rates in taxes`
        }
      ]

const termsOfSent = ({ tax_included, tax_rate, taxes }: SentTaxes): TaxTerms => ({
  taxes: taxes ?? (tax_rate === null ? null : taxesAt(tax_rate)),
  tax_included
})

/** The settings of a business for the taxes of its new lines. */
export const businessTaxFields = Field.ofNobody({
  default_taxes: Field.emptyByDefault(taxList, []),
  prices_include_tax: Field.withDefault(Value.boolean, false)
})

/** The values of these fields. */
export interface BusinessTaxes {
  readonly default_taxes: ReadonlyArray<Tax>
  readonly prices_include_tax: boolean
}

/** The settings of a new business: no tax. */
export const unspecifiedBusinessTaxes: BusinessTaxes = { default_taxes: [], prices_include_tax: false }

/** What decides the taxes of the lines of an invoice, beside the lines themselves. */
export interface LineTerms {
  /** What the request says of all its lines. */
  readonly sent: SentTaxes
  /** Whether the customer pays no tax. */
  readonly isUntaxed: boolean
  readonly business: BusinessTaxes
}

/** A request that says nothing about taxes. */
export const nothingSent: SentTaxes = { tax_rate: null, taxes: null, tax_included: null }

/** For lines that say how they are taxed: a line that does not carries no tax. */
export const untaxedTerms: LineTerms = {
  sent: nothingSent,
  isUntaxed: false,
  business: unspecifiedBusinessTaxes
}

/** The fields of a line with these taxes. */
export const taxedAs = (
  taxes: ReadonlyArray<Tax>,
  tax_included: boolean
): Pick<TaxedLine, "tax_included" | "tax_rate" | "taxes"> => ({
  tax_rate: rateOfAll(taxes),
  ...(taxes.length > 1 || taxes.some(({ name }) => name !== null) ? { taxes } : {}),
  ...(tax_included && taxes.length > 0 ? { tax_included } : {})
})

/**
 * The tax fields of a new line. `line` is what the request says of it, `own` what is known of the trip or the product that it
 * charges.
 */
export const taxFieldsOf = (line: SentTaxes, own: TaxTerms, { business, isUntaxed, sent }: LineTerms) => {
  const [ofLine, ofRequest] = [termsOfSent(line), termsOfSent(sent)]
  return taxedAs(
    ofLine.taxes ?? ofRequest.taxes ?? (isUntaxed ? [] : (own.taxes ?? business.default_taxes)),
    ofLine.tax_included ?? ofRequest.tax_included ?? own.tax_included ?? business.prices_include_tax
  )
}
