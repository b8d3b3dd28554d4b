/**
 * The sums of an invoice (EN 16931). Its lines fall into groups: lines with the same taxes, whose prices contain them or do not.
 *
 * - Prices without tax: the net amount of each line is rounded, and each tax is rounded on the sum of the lines that it applies
 *   to.
 * - Prices with tax: the sum of the prices of a group is what the customer pays. Its tax is rounded, the rest is its net amount,
 *   and the net amounts of the lines add up to that by the largest remainder.
 *
 * All rounding is to the minor unit, halves away from zero.
 */
import { Schema } from "effect"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { containedTax, netShares, type Tax, taxesAt, taxOn } from "../../kernel/money/Taxes.ts"

/** The fields of a line that its sums depend on. */
export interface TaxedLine {
  readonly quantity: number
  readonly unit_price_minor: number
  /** The sum of the rates of its taxes. */
  readonly tax_rate: number
  /** Absent for a single tax without a name, and for none. */
  readonly taxes?: ReadonlyArray<Tax>
  /** Whether the price contains the taxes; absent if it does not. */
  readonly tax_included?: boolean
  readonly net_minor: number
}

/** Quantities have at most three decimals, so that a thousandth of them is a whole number. */
const thousandths = (value: number) => Math.round(value * 1000)

/** The price times the quantity, in minor units. */
export const netOf = (unitPriceMinor: number, quantity: number, currency: Currency): number =>
  Money.multiply({ minor: unitPriceMinor, currency }, thousandths(quantity), 1000).minor

/** The taxes of a line. */
export const taxesOfLine = ({ tax_rate, taxes }: Pick<TaxedLine, "tax_rate" | "taxes">): ReadonlyArray<Tax> =>
  taxes ?? taxesAt(tax_rate)

/** The amount of a line whose price contains its taxes, with them; null for any other line. */
export const grossOf = (line: TaxedLine, currency: Currency): number | null =>
  line.tax_included === true ? netOf(line.unit_price_minor, line.quantity, currency) : null

/** The amount of a line as its price counts it: with the taxes if the price contains them, else without. */
export const measureOf = (line: TaxedLine, currency: Currency): number =>
  grossOf(line, currency) ?? line.net_minor

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

/** A text that is the same for lines of one group. */
export const groupOf = (line: Pick<TaxedLine, "tax_included" | "tax_rate" | "taxes">): string =>
  JSON.stringify([line.tax_included === true, taxesOfLine(line).map(({ name, rate }) => [name, rate])])

/** The lines of each group, in the order in which the groups first occur. */
export const grouped = <L extends TaxedLine>(lines: ReadonlyArray<L>): ReadonlyArray<ReadonlyArray<L>> => [
  ...Map.groupBy(lines, groupOf).values()
]

/** A tax of lines, in minor units. `name` is absent for a tax without a name. */
export const TaxOfRate = Schema.Struct({
  rate: Schema.Finite,
  name: Schema.optionalKey(Schema.String),
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

/** The sum of the prices of a group whose prices contain their taxes, divided. */
const contained = (group: ReadonlyArray<TaxedLine>, currency: Currency) => {
  const [first] = group
  const taxes = first === undefined ? [] : taxesOfLine(first)
  const gross_minor = sum(group.map((line) => measureOf(line, currency)))
  return { taxes, parts: containedTax(gross_minor, taxes) }
}

/** A tax by which no tax is charged: the lines without taxes have it. */
const noTax: Tax = { name: null, rate: 0 }

/** Each tax, in the order in which the lines first have it. Lines without taxes have an entry at a rate of zero. */
export const taxesOf = (lines: ReadonlyArray<TaxedLine>, currency: Currency): ReadonlyArray<TaxOfRate> => {
  const entries = new Map<string, { tax: Tax; net: number; taxable: number; contained: number }>()
  const add = (tax: Tax, change: { net?: number; taxable?: number; contained?: number }) => {
    const key = JSON.stringify([tax.name, tax.rate])
    const entry = entries.get(key) ?? { tax, net: 0, taxable: 0, contained: 0 }
    entries.set(key, {
      tax,
      net: entry.net + (change.net ?? 0),
      taxable: entry.taxable + (change.taxable ?? 0),
      contained: entry.contained + (change.contained ?? 0)
    })
  }
  for (const group of grouped(lines)) {
    const [first] = group
    if (first?.tax_included === true) {
      const { parts, taxes } = contained(group, currency)
      for (const [index, tax] of taxes.entries())
        add(tax, { taxable: parts.net_minor, contained: parts.taxes[index] ?? 0 })
      continue
    }
    const taxes = first === undefined ? [] : taxesOfLine(first)
    const net = sum(group.map(({ net_minor }) => net_minor))
    for (const tax of taxes.length === 0 ? [noTax] : taxes) add(tax, { net, taxable: net })
  }
  return [...entries.values()].map(({ contained: included, net, tax: { name, rate }, taxable }) => ({
    rate,
    ...(name === null ? {} : { name }),
    taxable_minor: taxable,
    tax_minor: included + taxOn(net, rate)
  }))
}

/**
 * The lines with the net amounts of those whose prices contain taxes. `earlier` are lines of which these are a continuation, as
 * of the earlier credit notes of an invoice: the net amounts of both add up as if all were on one document.
 */
export const settled = <L extends TaxedLine>(
  lines: ReadonlyArray<L>,
  currency: Currency,
  earlier: ReadonlyArray<TaxedLine> = []
): ReadonlyArray<L> => {
  if (!lines.some(({ tax_included }) => tax_included === true)) return lines
  const nets = lines.map(({ net_minor }) => net_minor)
  for (const places of Map.groupBy(lines.keys(), (place) => groupOf(lines[place] as L)).values()) {
    const group = places.map((place) => lines[place] as L)
    const [first] = group
    if (first?.tax_included !== true) continue
    const before = earlier.filter((line) => groupOf(line) === groupOf(first))
    const netOfAll = (all: ReadonlyArray<TaxedLine>) => contained(all, currency).parts.net_minor
    const net = netOfAll([...before, ...group]) - netOfAll(before)
    const grosses = group.map((line) => measureOf(line, currency))
    const shares = netShares(net, grosses, taxesOfLine(first))
    for (const [index, place] of places.entries()) nets[place] = shares[index] ?? 0
  }
  return lines.map((line, place) => {
    const net_minor = nets[place] ?? line.net_minor
    return net_minor === line.net_minor ? line : { ...line, net_minor }
  })
}

/** The taxes of lines with the same sum of rates. `parts` are its taxes apart; there is one entry if there is one tax. */
export interface TaxOfLines {
  readonly rate: number
  readonly taxable_minor: number
  readonly tax_minor: number
  readonly parts: ReadonlyArray<Pick<TaxOfRate, "name" | "rate" | "tax_minor">>
}

/**
 * The taxes of settled lines by the sum of their rates, for books, where each line has one rate. `taxes` are the taxes of the
 * document. The amount of a tax that lines of several sums have is divided by their amounts.
 */
export const taxesByRate = (
  lines: ReadonlyArray<TaxedLine>,
  taxes: ReadonlyArray<TaxOfRate>
): ReadonlyArray<TaxOfLines> => {
  const parts = taxes.map((tax) => {
    const taxed = lines.filter((line) =>
      (taxesOfLine(line).length === 0 ? [noTax] : taxesOfLine(line)).some(
        ({ name, rate }) => rate === tax.rate && (name ?? undefined) === tax.name
      )
    )
    const byRate = new Map<number, number>()
    let given = 0
    let net = 0
    for (const [place, line] of taxed.entries()) {
      net += line.net_minor
      const isLast = place === taxed.length - 1
      const upTo =
        isLast || tax.taxable_minor === 0
          ? tax.tax_minor
          : Math.round((tax.tax_minor * net) / tax.taxable_minor)
      byRate.set(line.tax_rate, (byRate.get(line.tax_rate) ?? 0) + upTo - given)
      given = upTo
    }
    return { tax, byRate }
  })
  return [...new Set(lines.map(({ tax_rate }) => tax_rate))].map((rate) => {
    const own = parts.flatMap(({ byRate, tax: { taxable_minor: _taxable, ...tax } }) => {
      const tax_minor = byRate.get(rate)
      return tax_minor === undefined ? [] : [{ ...tax, tax_minor }]
    })
    return {
      rate,
      taxable_minor: sum(lines.flatMap((line) => (line.tax_rate === rate ? [line.net_minor] : []))),
      tax_minor: sum(own.map(({ tax_minor }) => tax_minor)),
      parts: own
    }
  })
}

/** The sums of settled lines. */
export const sumsOf = (lines: ReadonlyArray<TaxedLine>, currency: Currency): InvoiceSums => {
  const subtotal_minor = sum(lines.map(({ net_minor }) => net_minor))
  const tax_minor = sum(taxesOf(lines, currency).map((tax) => tax.tax_minor))
  return { subtotal_minor, tax_minor, total_minor: subtotal_minor + tax_minor }
}
