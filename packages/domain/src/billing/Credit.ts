/**
 * What credit notes take back of an invoice. The tax of a note at a rate is the tax of all that was taken back so far at
 * that rate, less the tax of the earlier notes. The notes of an invoice that is taken back in full then add up to its
 * total, however often it was divided.
 */
import type { CreditNote } from "./CreditNote.ts"
import type { Invoice } from "./Invoice.ts"
import { type InvoiceLine, type InvoiceSums, netOf, type TaxOfRate, taxesOf } from "./InvoiceLine.ts"

type Lines = ReadonlyArray<InvoiceLine>
type Earlier = ReadonlyArray<Pick<CreditNote, "lines">>
type Credited = Pick<Invoice, "currency" | "lines" | "number">

const linesOf = (notes: Earlier): Lines => notes.flatMap(({ lines }) => lines)

/** The line that takes a line back. */
export const creditOf = (line: InvoiceLine): InvoiceLine => ({
  ...line,
  quantity: -line.quantity,
  net_minor: -line.net_minor
})

/** What is left of an invoice at each rate, without tax, in minor units. */
const leftOf = ({ currency, lines }: Credited, credited: Lines) =>
  taxesOf([...lines, ...credited], currency).map(({ rate, taxable_minor }) => {
    const [charged] = taxesOf(
      lines.filter(({ tax_rate }) => tax_rate === rate),
      currency
    )
    return { rate, left: taxable_minor, charged: charged?.taxable_minor ?? 0 }
  })

/** The lines that take back all that is left of an invoice: each of its lines, or the rest at each rate. */
export const restOf = (invoice: Credited, earlier: Earlier): Lines => {
  if (earlier.length === 0) return invoice.lines.map(creditOf)
  return leftOf(invoice, linesOf(earlier))
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

/** Whether lines take back something, and at no rate more than the invoice charges there. */
export const isCovered = (invoice: Credited, earlier: Earlier, lines: Lines): boolean =>
  leftOf(invoice, [...linesOf(earlier), ...lines]).every(({ charged, left }) =>
    charged < 0 ? left <= 0 && left >= charged : left >= 0 && left <= charged
  )

/** The taxes and the sums of a note with these lines, all of them negative or zero, in minor units. */
export const creditSums = (
  { currency }: Credited,
  earlier: Earlier,
  lines: Lines
): InvoiceSums & { readonly taxes: ReadonlyArray<TaxOfRate> } => {
  const before = linesOf(earlier)
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
