/**
 * The lines of an invoice and its sums. Two roundings, both to the minor unit with halves away from zero: each line's
 * amount without tax, and the tax of each rate, on the sum of the lines at that rate (EN 16931, BR-S-09).
 */
import { Option, Schema } from "effect"
import { decimals } from "../../kernel/fields/Decimals.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { between, check, type FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"

/** The most lines that a request sends. */
export const maxItems = 100

const quantityValue = Value.unchanged(
  Schema.Finite.check(
    between(-1_000_000, 1_000_000),
    decimals(3),
    check<number>("out_of_range", (value) => value !== 0, {}, "any but 0")
  )
)

/** A tax rate in percent: `7.7`. */
export const taxRate = Value.unchanged(Schema.Finite.check(between(0, 100), decimals(3)))

/**
 * The fields of a line. A negative `quantity` makes a deduction. `trip_id` is the trip that the line charges; `amount` is
 * without tax.
 */
const lineFields = {
  description: Field.required(Value.text(500)),
  quantity: Field.withDefault(quantityValue, 1),
  unit_price: { input: Value.amount.required, wire: Value.amount.wire },
  unit_price_minor: Field.internal(Value.minorAmount),
  tax_rate: Field.withDefault(taxRate, 0),
  amount: Field.computed(Schema.Finite),
  net_minor: Field.internal(Value.minorAmount),
  trip_id: Field.optional(Value.id(TripId))
}

const LineInput = Field.inputOf(lineFields)
type LineInput = typeof LineInput.Type

/** A line as stored. */
export const InvoiceLine = Field.storedOf(lineFields)
export type InvoiceLine = typeof InvoiceLine.Type

/** The lines of an invoice. */
export const lineList = Value.listOf(LineInput, InvoiceLine, maxItems)

/** The lines of a request, of which there must be one. */
export const LineInputs = listOf(LineInput, { least: 1, most: maxItems })

/** A line in a response. */
export const InvoiceLineRecord = Field.recordOf(lineFields)
export type InvoiceLineRecord = typeof InvoiceLineRecord.Type

/** The record of a line whose amounts are in a currency. */
export const invoiceLineRecord = Field.encoderOf<typeof lineFields, Currency>(lineFields, {
  unit_price: ({ unit_price_minor }, currency) => Money.toMajor({ minor: unit_price_minor, currency }),
  amount: ({ net_minor }, currency) => Money.toMajor({ minor: net_minor, currency })
})

/** Quantities and rates have at most three decimals, so that a thousandth of them is a whole number. */
const thousandths = (value: number) => Math.round(value * 1000)

/** The amount of a line without tax, in minor units. */
export const netOf = (unitPriceMinor: number, quantity: number, currency: Currency): number =>
  Money.multiply({ minor: unitPriceMinor, currency }, thousandths(quantity), 1000).minor

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

/** The tax of the lines of one rate, in minor units. */
export const TaxOfRate = Schema.Struct({
  rate: Schema.Finite,
  taxable_minor: Schema.Int,
  tax_minor: Schema.Int
})
export type TaxOfRate = typeof TaxOfRate.Type

/** The sums of an invoice, in minor units. */
export interface InvoiceSums {
  readonly subtotal_minor: number
  readonly tax_minor: number
  readonly total_minor: number
}

/** The tax of each rate, in the order in which the lines first have it. */
export const taxesOf = (lines: ReadonlyArray<InvoiceLine>, currency: Currency): ReadonlyArray<TaxOfRate> =>
  [...new Set(lines.map(({ tax_rate }) => tax_rate))].map((rate) => {
    const taxable_minor = sum(lines.filter((line) => line.tax_rate === rate).map((line) => line.net_minor))
    const { minor } = Money.multiply({ minor: taxable_minor, currency }, thousandths(rate), 100_000)
    return { rate, taxable_minor, tax_minor: minor }
  })

/** The sums of lines. */
export const sumsOf = (lines: ReadonlyArray<InvoiceLine>, currency: Currency): InvoiceSums => {
  const subtotal_minor = sum(lines.map(({ net_minor }) => net_minor))
  const tax_minor = sum(taxesOf(lines, currency).map((tax) => tax.tax_minor))
  return { subtotal_minor, tax_minor, total_minor: subtotal_minor + tax_minor }
}

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

/** The line of an input; an issue if its price has more decimals than the currency or its amount is too large. */
const lineOf = (input: LineInput, index: number, currency: Currency): InvoiceLine | FieldIssue => {
  const { description, quantity, tax_rate, trip_id } = input
  const price = Money.fromMajor(input.unit_price, currency)
  if (Option.isNone(price))
    return { field: `items.${index}.unit_price`, ...Money.issueOfRefused(input.unit_price, currency) }
  const unit_price_minor = price.value.minor
  if (unit_price_minor * Math.abs(quantity) > Money.maximumMinor)
    return {
      field: `items.${index}`,
      issue: "out_of_range",
      accepted: `an amount of at most ${Money.largestText(currency)}`
    }
  const net_minor = netOf(unit_price_minor, quantity, currency)
  return { description, quantity, unit_price_minor, tax_rate, net_minor, trip_id }
}

const isIssue = (line: InvoiceLine | FieldIssue): line is FieldIssue => "issue" in line

/** The lines of a request in a currency, and the issues that prevent storing them. */
export const linesOf = (inputs: ReadonlyArray<LineInput>, currency: Currency) => {
  const results = inputs.map((input, index) => lineOf(input, index, currency))
  const issues = results.filter(isIssue)
  const lines = results.filter((line): line is InvoiceLine => !isIssue(line))
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
