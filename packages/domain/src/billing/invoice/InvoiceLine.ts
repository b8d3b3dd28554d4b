/** The lines of an invoice: how requests write them, how they are stored, and how responses return them. */
import { Option, Schema } from "effect"
import { decimals } from "../../kernel/fields/Decimals.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { between, check, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { Tax, type TaxTerms, unspecifiedTaxTerms } from "../../kernel/money/Taxes.ts"
import { grossOf, netOf, settled, sumsOf, taxesOfLine } from "./InvoiceSums.ts"
import { type LineTerms, sentTaxIssues, taxFieldsOf, taxInput, taxRate, untaxedTerms } from "./LineTaxes.ts"

/** The most lines that a request sends. */
export const maxItems = 100

const quantityValue = Value.unchanged(
  Schema.Finite.check(
    between(-1_000_000, 1_000_000),
    decimals(3),
    check<number>("out_of_range", (value) => value !== 0, {}, "any but 0")
  )
)

/**
 * The fields of a line. A negative `quantity` makes a deduction. `trip_id` is the trip that the line charges. `amount` is
 * without tax; `gross_amount` is the amount with tax, null unless the price contains the tax. `tax_rate` is the sum of the
 * rates of `taxes`. Stored lines have `taxes` only if there are several or if they have names.
 */
const lineFields = {
  description: Field.required(Value.text(500)),
  quantity: Field.withDefault(quantityValue, 1),
  unit_price: { input: Value.amount.required, wire: Value.amount.wire },
  unit_price_minor: Field.internal(Value.minorAmount),
  tax_rate: { ...Field.determined(taxRate), input: taxInput.tax_rate },
  taxes: {
    input: taxInput.taxes,
    stored: Schema.optionalKey(Schema.Array(Tax)),
    wire: Schema.Array(Tax)
  },
  tax_included: {
    input: taxInput.tax_included,
    stored: Schema.optionalKey(Schema.Boolean),
    wire: Schema.Boolean
  },
  amount: Field.computed(Schema.Finite),
  gross_amount: Field.computed(Schema.NullOr(Schema.Finite)),
  net_minor: Field.internal(Value.minorAmount),
  trip_id: Field.optional(Value.id(TripId))
}

const LineInput = Field.inputOf(lineFields)
export type LineInput = typeof LineInput.Type

/** A line as stored. */
export const InvoiceLine = Field.storedOf(lineFields)
export type InvoiceLine = typeof InvoiceLine.Type

/** The lines of an invoice. */
export const lineList = Value.listOf(LineInput, InvoiceLine, maxItems)

/** The lines of a request, of which there must be one. */
export const LineInputs = listOf(LineInput, { least: 1, most: maxItems })

const invoiceLineRecordStruct = Field.recordOf(lineFields)
type InvoiceLineRecordStruct = typeof invoiceLineRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface InvoiceLineRecordSchema extends InvoiceLineRecordStruct {}

/** A line in a response. */
export const InvoiceLineRecord: InvoiceLineRecordSchema = invoiceLineRecordStruct
export type InvoiceLineRecord = typeof InvoiceLineRecord.Type

/** The record of a line whose amounts are in a currency. */
export const invoiceLineRecord = Field.encoderOf<typeof lineFields, Currency>(lineFields, {
  unit_price: ({ unit_price_minor }, currency) => Money.toMajor({ minor: unit_price_minor, currency }),
  taxes: taxesOfLine,
  tax_included: ({ tax_included }) => tax_included === true,
  amount: ({ net_minor }, currency) => Money.toMajor({ minor: net_minor, currency }),
  gross_amount: (line, currency) => Money.toMajorOrNull(grossOf(line, currency), currency)
})

/**
 * An issue if the sums of lines are not between zero and the largest amount. `field` is the field of the request from
 * which the lines come.
 */
export const sumIssues = (
  lines: ReadonlyArray<InvoiceLine>,
  currency: Currency,
  field: "items" | "trip_ids"
): ReadonlyArray<FieldIssue> => {
  const { subtotal_minor, total_minor } = sumsOf(lines, currency)
  return total_minor >= 0 && subtotal_minor >= 0 && total_minor <= Money.maximumMinor
    ? []
    : [
        {
          field,
          issue: "out_of_range",
          accepted: `a subtotal and a total of 0 to ${Money.largestText(currency)}`
        }
      ]
}

/** The line of an input; issues if its price has more decimals than the currency, if its amount is too large, or of its taxes. */
const lineOf = (
  input: LineInput,
  index: number,
  currency: Currency,
  own: TaxTerms,
  terms: LineTerms
): InvoiceLine | ReadonlyArray<FieldIssue> => {
  const { description, quantity, trip_id } = input
  const taxIssues = sentTaxIssues(input, `items.${index}.`)
  const price = Money.fromMajor(input.unit_price, currency)
  if (Option.isNone(price))
    return [
      { field: `items.${index}.unit_price`, ...Money.issueOfRefused(input.unit_price, currency) },
      ...taxIssues
    ]
  const unit_price_minor = price.value.minor
  if (unit_price_minor * Math.abs(quantity) > Money.maximumMinor)
    return [
      {
        field: `items.${index}`,
        issue: "out_of_range",
        accepted: `an amount of at most ${Money.largestText(currency)}`
      },
      ...taxIssues
    ]
  if (taxIssues.length > 0) return taxIssues
  const net_minor = netOf(unit_price_minor, quantity, currency)
  return { description, quantity, unit_price_minor, ...taxFieldsOf(input, own, terms), net_minor, trip_id }
}

const isLine = (line: InvoiceLine | ReadonlyArray<FieldIssue>): line is InvoiceLine => "net_minor" in line

/**
 * The lines of a request in a currency, and the issues that prevent storing them. `terms` decide the taxes of lines that do not
 * say how they are taxed, `own` are those of the product that they charge.
 */
export const linesOf = (
  inputs: ReadonlyArray<LineInput>,
  currency: Currency,
  terms: LineTerms = untaxedTerms,
  own: TaxTerms = unspecifiedTaxTerms
) => {
  const results = inputs.map((input, index) => lineOf(input, index, currency, own, terms))
  const issues = results.flatMap((result) => (isLine(result) ? [] : result))
  const lines = settled(results.filter(isLine), currency)
  return { lines, issues: issues.length > 0 ? issues : sumIssues(lines, currency, "items") }
}

/** The lines, of which the only one that names no trip names this one. If several name none, they stay as they are. */
export const namingTrip = (lines: ReadonlyArray<InvoiceLine>, tripId: TripId): ReadonlyArray<InvoiceLine> =>
  lines.filter(({ trip_id }) => trip_id === null).length === 1
    ? lines.map((line) => (line.trip_id === null ? { ...line, trip_id: tripId } : line))
    : lines

/** The trips that lines name, each once, in order of id. */
export const tripsNamedBy = (lines: ReadonlyArray<InvoiceLine>): ReadonlyArray<TripId> =>
  [...new Set(lines.flatMap(({ trip_id }) => (trip_id === null ? [] : [trip_id])))].toSorted(
    (one, other) => one - other
  )

/** An issue for each line that charges a trip that is not on the invoice. */
export const unknownTrips = (
  lines: ReadonlyArray<InvoiceLine>,
  tripIds: ReadonlyArray<TripId>
): ReadonlyArray<FieldIssue> =>
  lines.flatMap(({ trip_id }, index) =>
    trip_id === null || tripIds.includes(trip_id)
      ? []
      : [{ field: `items.${index}.trip_id`, issue: "not_found" }]
  )
