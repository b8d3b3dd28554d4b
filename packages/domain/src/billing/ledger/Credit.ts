/**
 * The amounts that credit notes credit of an invoice. The tax of a note at a rate is the tax on all that was
 * credited so far at that rate, less the tax of the earlier notes. The notes of a fully credited invoice therefore
 * add up to its total, in any number.
 */
import * as Money from "../../kernel/money/Money.ts"
import type { CreditNote } from "./CreditNote.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import {
  type InvoiceLine,
  type InvoiceSums,
  netOf,
  sumsOf,
  type TaxOfRate,
  taxesOf
} from "../invoice/InvoiceLine.ts"

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

/**
 * The places of the requested lines that would add an amount at a rate instead of crediting one. A deduction is credited
 * by a negative quantity too, but only at a rate at which the invoice deducts.
 */
export const addingLines = ({ lines }: Pick<Invoice, "lines">, requested: Lines): ReadonlyArray<number> => {
  const netAt = (all: Lines, rate: number) =>
    all.reduce((net, { net_minor, tax_rate }) => (tax_rate === rate ? net + net_minor : net), 0)
  return requested.flatMap(({ net_minor, tax_rate }, index) =>
    net_minor < 0 && netAt(requested, tax_rate) < 0 && netAt(lines, tax_rate) >= 0 ? [index] : []
  )
}

/** The amounts without tax at each rate, in minor units: the amount that the invoice charged, and its uncredited rest. */
const amountsByRate = ({ currency, lines }: CreditedInvoice, credited: Lines) =>
  taxesOf([...lines, ...credited], currency).map(({ rate, taxable_minor }) => {
    const [charged] = taxesOf(
      lines.filter(({ tax_rate }) => tax_rate === rate),
      currency
    )
    return { rate, left: taxable_minor, charged: charged?.taxable_minor ?? 0 }
  })

/**
 * The lines that credit all that is left of an invoice: its lines if it has no credit note yet, else one line for
 * each rate.
 */
export const restLines = (invoice: CreditedInvoice, earlier: EarlierNotes): Lines => {
  if (earlier.length === 0) return invoice.lines.map(creditLineOf)
  return amountsByRate(invoice, linesOfNotes(earlier))
    .filter(({ left }) => left !== 0)
    .map(({ left, rate }) => {
      const quantity = left > 0 ? -1 : 1
      const unit_price_minor = Math.abs(left)
      return {
        description: `Rest of ${invoice.number}`,
        quantity,
        unit_price_minor,
        tax_rate: rate,
        net_minor: netOf(unit_price_minor, quantity, invoice.currency),
        trip_id: null
      }
    })
}

/** A sentence about the amounts of an invoice that can still be credited. */
export const creditableText = (invoice: CreditedInvoice, earlier: EarlierNotes): string => {
  const { currency, lines, number } = invoice
  const credited = linesOfNotes(earlier)
  const textOf = (minor: number) => `${Money.format({ minor, currency })} ${currency}`
  const rates = amountsByRate(invoice, credited)
    .filter(({ left }) => left > 0)
    .map(({ left, rate }) => `${textOf(left)} without tax at ${rate} %`)
  const total = sumsOf(lines, currency).total_minor + sumsOf(credited, currency).total_minor
  return `Of invoice ${number}, ${[...rates, `${textOf(total)} in all`].join(", ")} can be credited`
}

/**
 * Whether lines credit at no rate more than the invoice charges there, add nothing to it, and leave a total that is not
 * negative: a deduction at one rate lowers the amount that can be credited at the others.
 */
export const isCovered = (invoice: CreditedInvoice, earlier: EarlierNotes, lines: Lines): boolean => {
  const credited = [...linesOfNotes(earlier), ...lines]
  const { currency } = invoice
  return (
    sumsOf(invoice.lines, currency).total_minor + sumsOf(credited, currency).total_minor >= 0 &&
    amountsByRate(invoice, credited).every(({ charged, left }) =>
      charged < 0 ? left <= 0 && left >= charged : left >= 0 && left <= charged
    )
  )
}

/** The taxes and the sums of a note with these lines, all of them negative or zero, in minor units. */
export const creditSums = (
  { currency }: CreditedInvoice,
  earlier: EarlierNotes,
  lines: Lines
): InvoiceSums & { readonly taxes: ReadonlyArray<TaxOfRate> } => {
  const before = linesOfNotes(earlier)
  const taxes = taxesOf(lines, currency).map(({ rate, taxable_minor }): TaxOfRate => {
    const taxOf = (all: Lines) =>
      taxesOf(
        all.filter(({ tax_rate }) => tax_rate === rate),
        currency
      )[0]?.tax_minor ?? 0
    return { rate, taxable_minor, tax_minor: taxOf([...before, ...lines]) - taxOf(before) }
  })
  const subtotal_minor = taxes.reduce((sum, tax) => sum + tax.taxable_minor, 0)
  const tax_minor = taxes.reduce((sum, tax) => sum + tax.tax_minor, 0)
  return { taxes, subtotal_minor, tax_minor, total_minor: subtotal_minor + tax_minor }
}
