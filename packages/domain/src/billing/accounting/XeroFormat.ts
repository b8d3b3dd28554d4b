/** Sales invoices for Xero: one row for each line. A credit note and a voided invoice have negative quantities. */
import type { Currency } from "../../kernel/money/Currency.ts"
import type { InvoiceLine } from "../invoice/InvoiceLine.ts"
import { taxesByRate, taxesOf, type TaxOfLines } from "../invoice/InvoiceSums.ts"
import type { UntaxedAs } from "../invoice/Untaxed.ts"
import { accountPlanOf } from "./AccountPlan.ts"
import { type BookEntry, dayOfEntry, nameOfCustomer } from "../ledger/BookEntry.ts"
import type { BookFileTerms, BookFormat } from "./BookFormat.ts"
import { amountText, inOneRow, separatedRow, text, value } from "./Cells.ts"
import { byteOrderMark } from "./Encoding.ts"

const columns = [
  "*ContactName",
  "EmailAddress",
  "POAddressLine1",
  "POCountry",
  "*InvoiceNumber",
  "Reference",
  "*InvoiceDate",
  "*DueDate",
  "*Description",
  "*Quantity",
  "*UnitAmount",
  "*AccountCode",
  "*TaxType",
  "TaxAmount",
  "Currency"
]

/** The sums of a document by which Xero's import is to arrive at the same total. */
interface Document {
  readonly number: string
  readonly reference: string
  readonly due: string
  readonly lines: ReadonlyArray<InvoiceLine>
  readonly taxes: ReadonlyArray<TaxOfLines>
  readonly currency: Currency
  readonly untaxed_as: UntaxedAs
}

const reversed = (line: InvoiceLine): InvoiceLine => ({
  ...line,
  quantity: -line.quantity,
  net_minor: -line.net_minor
})

const documentOf = (entry: BookEntry, day: string): Document | undefined => {
  if (entry.type === "payment") return undefined
  if (entry.type === "credit_note") {
    const { currency, lines, number, taxes } = entry.note
    const { number: reference, untaxed_as } = entry.invoice
    return { number, reference, due: day, lines, taxes: taxesByRate(lines, taxes), currency, untaxed_as }
  }
  const { currency, due_date, number, untaxed_as } = entry.invoice
  const isVoid = entry.type === "void"
  const lines = isVoid ? entry.invoice.lines.map(reversed) : entry.invoice.lines
  return {
    number: isVoid ? `${number}-VOID` : number,
    reference: isVoid ? number : "",
    due: due_date !== null && due_date > day ? due_date : day,
    lines,
    taxes: taxesByRate(lines, taxesOf(lines, currency)),
    currency,
    untaxed_as
  }
}

/** The line with its whole amount without tax as its price, if its price contains the tax: Xero reads prices without tax. */
const withoutTax = (line: InvoiceLine): InvoiceLine =>
  line.tax_included === true
    ? { ...line, quantity: Math.sign(line.quantity), unit_price_minor: Math.abs(line.net_minor) }
    : line

/** The tax of each line: what the rate's tax leaves to it after the lines before, by their share of the amount. */
const taxOfLines = (lines: ReadonlyArray<InvoiceLine>, taxes: ReadonlyArray<TaxOfLines>) => {
  const given = new Map<number, { net: number; tax: number }>()
  return lines.map(({ net_minor, tax_rate }) => {
    const tax = taxes.find(({ rate }) => rate === tax_rate)
    const before = given.get(tax_rate) ?? { net: 0, tax: 0 }
    const net = before.net + net_minor
    const upTo =
      tax === undefined || tax.taxable_minor === 0 ? 0 : Math.round((tax.tax_minor * net) / tax.taxable_minor)
    given.set(tax_rate, { net, tax: upTo })
    return upTo - before.tax
  })
}

export const xeroFormat = ({ accounting, country, days }: BookFileTerms): BookFormat => {
  const plan = accountPlanOf(accounting, "xero")
  const date = (day: string) => {
    const [year = "", month = "", dayOfMonth = ""] = day.split("-")
    return country === "US" ? `${month}/${dayOfMonth}/${year}` : `${dayOfMonth}/${month}/${year}`
  }
  return {
    contentType: "text/csv; charset=utf-8",
    extension: "csv",
    prefix: "",
    encoding: "utf-8-bom",
    head: byteOrderMark("utf-8-bom") + separatedRow(columns.map(value), ","),
    rowsOf: (entry) => {
      const day = dayOfEntry(entry, days.timezone)
      const document = documentOf(entry, day)
      if (document === undefined) return []
      const { currency, due, lines, number, reference, taxes, untaxed_as } = document
      const { customer } = entry
      const tax = taxOfLines(lines, taxes)
      return lines
        .map(withoutTax)
        .map(({ description, net_minor, quantity, tax_rate, unit_price_minor }, at) => {
          const { account, taxKey } = plan.revenueOf(tax_rate, untaxed_as)
          const taxMinor = tax[at] ?? 0
          return {
            amount: { minor: net_minor + taxMinor, currency },
            text: separatedRow(
              [
                text(nameOfCustomer(customer) || number),
                text(customer.email),
                text(customer.address === null ? null : inOneRow(customer.address, 500)),
                value(customer.country),
                value(number),
                value(reference),
                value(date(day)),
                value(date(due)),
                text(description),
                value(quantity),
                value(amountText(unit_price_minor, currency)),
                text(account),
                text(taxKey ?? `Tax on Sales (${tax_rate}%)`),
                value(amountText(taxMinor, currency)),
                value(currency)
              ],
              ","
            )
          }
        })
    }
  }
}
