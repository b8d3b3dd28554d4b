/**
 * The amounts that credit notes credit of an invoice. The tax of a note is the tax on all that was credited so far, less the tax
 * of the earlier notes. The notes of a fully credited invoice therefore add up to its total and to each of its taxes, in any
 * number. Prices that contain taxes are credited with them.
 */
import * as Money from "../../kernel/money/Money.ts"
import { rateOfAll } from "../../kernel/money/Taxes.ts"
import type { CreditNote } from "./CreditNote.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { InvoiceLine, LineInput } from "../invoice/InvoiceLine.ts"
import {
  grouped,
  groupOf,
  type InvoiceSums,
  measureOf,
  netOf,
  settled,
  sumsOf,
  type TaxOfRate,
  taxesOf,
  taxesOfLine
} from "../invoice/InvoiceSums.ts"

type Lines = ReadonlyArray<InvoiceLine>
type EarlierNotes = ReadonlyArray<Pick<CreditNote, "lines">>
type CreditedInvoice = Pick<Invoice, "currency" | "lines" | "number">

const linesOfNotes = (notes: EarlierNotes): Lines => notes.flatMap(({ lines }) => lines)

/** The line of a credit note that credits a line of an invoice in full. */
export const creditLineOf = (line: InvoiceLine): InvoiceLine => ({
  ...line,
  quantity: -line.quantity,
  net_minor: -line.net_minor
})

/** The lines of a new credit note with their net amounts. */
export const settledCredit = ({ currency }: CreditedInvoice, earlier: EarlierNotes, lines: Lines): Lines =>
  settled(lines, currency, linesOfNotes(earlier))

/**
 * The requested items with the taxes of the lines that they credit: of those with the same rate, or of all lines if the item
 * names no rate and all have the same taxes.
 */
export const creditItems = (
  { lines }: Pick<Invoice, "lines">,
  items: ReadonlyArray<LineInput>
): ReadonlyArray<LineInput> => {
  const groups = grouped(lines).flatMap(([first]) => (first === undefined ? [] : [first]))
  return items.map((item) => {
    const { tax_included, tax_rate, taxes } = item
    const rate = taxes === null ? tax_rate : rateOfAll(taxes)
    const [line, ...others] = groups.filter(
      (group) =>
        (rate === null || group.tax_rate === rate) &&
        (taxes === null ||
          taxes.every(({ name }, place) => name === null || name === group.taxes?.[place]?.name)) &&
        (tax_included === null || tax_included === (group.tax_included === true))
    )
    if (line === undefined || (rate === null && others.length > 0)) return item
    return { ...item, taxes: taxesOfLine(line), tax_included: line.tax_included === true }
  })
}

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

/**
 * The places of the requested lines that would add an amount with some taxes instead of crediting one. A deduction is credited
 * by a negative quantity too, but only with taxes with which the invoice deducts.
 */
export const addingLines = ({ lines }: Pick<Invoice, "lines">, requested: Lines): ReadonlyArray<number> => {
  const netOfGroup = (all: Lines, group: string) =>
    sum(all.flatMap((line) => (groupOf(line) === group ? [line.net_minor] : [])))
  return requested.flatMap((line, index) => {
    const group = groupOf(line)
    return line.net_minor < 0 && netOfGroup(requested, group) < 0 && netOfGroup(lines, group) >= 0
      ? [index]
      : []
  })
}

/**
 * The amounts of each group of lines, in minor units: the amount that the invoice charged, and its uncredited rest. They are
 * with tax if the prices of the group contain it. `line` is one of the group.
 */
const amountsOfGroups = ({ currency, lines }: CreditedInvoice, credited: Lines) => {
  const charged = new Set<InvoiceLine>(lines)
  const amountOf = (all: Lines) => sum(all.map((line) => measureOf(line, currency)))
  return grouped([...lines, ...credited]).flatMap((group) => {
    const [line] = group
    return line === undefined
      ? []
      : [{ line, left: amountOf(group), charged: amountOf(group.filter((each) => charged.has(each))) }]
  })
}

/**
 * The lines that credit all that is left of an invoice: its lines if it has no credit note yet, else one line for
 * each group of lines.
 */
export const restLines = (invoice: CreditedInvoice, earlier: EarlierNotes): Lines => {
  if (earlier.length === 0) return settledCredit(invoice, [], invoice.lines.map(creditLineOf))
  const rest = amountsOfGroups(invoice, linesOfNotes(earlier))
    .filter(({ left }) => left !== 0)
    .map(({ left, line: { tax_included, tax_rate, taxes } }) => {
      const quantity = left > 0 ? -1 : 1
      const unit_price_minor = Math.abs(left)
      return {
        description: `Rest of ${invoice.number}`,
        quantity,
        unit_price_minor,
        tax_rate,
        ...(taxes === undefined ? {} : { taxes }),
        ...(tax_included === undefined ? {} : { tax_included }),
        net_minor: netOf(unit_price_minor, quantity, invoice.currency),
        trip_id: null
      }
    })
  return settledCredit(invoice, earlier, rest)
}

/** A sentence about the amounts of an invoice that can still be credited. */
export const creditableText = (invoice: CreditedInvoice, earlier: EarlierNotes): string => {
  const { currency, lines, number } = invoice
  const credited = linesOfNotes(earlier)
  const textOf = (minor: number) => `${Money.format({ minor, currency })} ${currency}`
  const groups = amountsOfGroups(invoice, credited)
    .filter(({ left }) => left > 0)
    .map(({ left, line: { tax_included, tax_rate } }) => {
      const tax = tax_included === true ? "with tax" : "without tax"
      return `${textOf(left)} ${tax} at ${tax_rate} %`
    })
  const total = sumsOf(lines, currency).total_minor + sumsOf(credited, currency).total_minor
  return `Of invoice ${number}, ${[...groups, `${textOf(total)} in all`].join(", ")} can be credited`
}

/**
 * Whether settled lines credit with no taxes more than the invoice charges with them, add nothing to it, and leave a total that
 * is not negative: a deduction at one rate lowers the amount that can be credited at the others.
 */
export const isCovered = (invoice: CreditedInvoice, earlier: EarlierNotes, lines: Lines): boolean => {
  const credited = [...linesOfNotes(earlier), ...lines]
  const { currency } = invoice
  return (
    sumsOf(invoice.lines, currency).total_minor + sumsOf(credited, currency).total_minor >= 0 &&
    amountsOfGroups(invoice, credited).every(({ charged, left }) =>
      charged < 0 ? left <= 0 && left >= charged : left >= 0 && left <= charged
    )
  )
}

/** The taxes and the sums of a note with these settled lines, all of them negative or zero, in minor units. */
export const creditSums = (
  { currency }: CreditedInvoice,
  earlier: EarlierNotes,
  lines: Lines
): InvoiceSums & { readonly taxes: ReadonlyArray<TaxOfRate> } => {
  const before = linesOfNotes(earlier)
  const [taxesBefore, taxesAfter] = [taxesOf(before, currency), taxesOf([...before, ...lines], currency)]
  const taxes = taxesOf(lines, currency).map((tax): TaxOfRate => {
    const isSame = ({ name, rate }: TaxOfRate) => name === tax.name && rate === tax.rate
    const [was, is] = [taxesBefore.find(isSame), taxesAfter.find(isSame)]
    return {
      ...tax,
      taxable_minor: (is?.taxable_minor ?? 0) - (was?.taxable_minor ?? 0),
      tax_minor: (is?.tax_minor ?? 0) - (was?.tax_minor ?? 0)
    }
  })
  const subtotal_minor = sum(lines.map(({ net_minor }) => net_minor))
  const tax_minor = sum(taxes.map((tax) => tax.tax_minor))
  return { taxes, subtotal_minor, tax_minor, total_minor: subtotal_minor + tax_minor }
}
