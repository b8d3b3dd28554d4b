/** The export as separated values, for people and spreadsheets. */
import type { Currency } from "../../kernel/money/Currency.ts"
import { dueMinorOf } from "../invoice/Invoice.ts"
import type { TaxOfRate } from "../invoice/InvoiceSums.ts"
import { type BookEntry, dayOfEntry, nameOfCustomer } from "../ledger/BookEntry.ts"
import type { BookFileTerms, BookFormat, BookKind, BookRow } from "./BookFormat.ts"
import { amountText, type Cell, decimalText, separatedRow, text, value } from "./Cells.ts"
import { byteOrderMark } from "./Encoding.ts"
import { taxesOfEntry } from "./TaxSums.ts"
import { movedMinorOf, postingsOf } from "../ledger/Posting.ts"

const customerColumns = ["customer_id", "customer_account", "customer", "country", "vat_number"]

const documentColumns = [
  "type",
  "number",
  "corrects",
  "day",
  "due_date",
  "service_from",
  "service_to",
  ...customerColumns,
  "currency",
  "net",
  "tax",
  "taxes",
  "total",
  "paid",
  "credited",
  "due",
  "status",
  "untaxed_as"
]

const columns: Readonly<Record<BookKind, ReadonlyArray<string>>> = {
  invoices: documentColumns,
  "credit-notes": documentColumns,
  payments: ["type", "day", "invoice", "method", "reference", ...customerColumns, "currency", "amount"],
  journal: [
    "type",
    "day",
    "document",
    "debit",
    "credit",
    "currency",
    "amount",
    "tax_rate",
    "tax",
    "taxes",
    "untaxed_as",
    ...customerColumns,
    "text"
  ]
}

const delimiters = { comma: ",", semicolon: ";", tab: "\t" } as const

const customerCells = ({ customer }: BookEntry): ReadonlyArray<Cell> => [
  value(customer.customer_id),
  text(customer.account_number),
  text(nameOfCustomer(customer)),
  value(customer.country),
  text(customer.vat_number)
]

/** The cells of an entry, with the amount that they state. */
interface Cells {
  readonly cells: ReadonlyArray<Cell>
  readonly minor: number
  readonly currency: Currency
}

/** The number of the document of an entry. */
const documentOf = (entry: BookEntry): string =>
  entry.type === "credit_note" ? entry.note.number : entry.invoice.number

/** Makes the functions that write the cells of an entry. */
const cellsOf = (timezone: string, decimal: "." | ",") => {
  const amount = (minor: number, currency: Currency) => value(amountText(minor, currency, decimal))

  /** Each tax with its name, if it has one, its rate and its amount: `GST 5%=5.00 | QST 9.975%=9.98`. */
  const taxes = (
    all: ReadonlyArray<Pick<TaxOfRate, "name" | "rate" | "tax_minor">>,
    sign: 1 | -1,
    currency: Currency
  ) =>
    text(
      all
        .map(({ name, rate, tax_minor }) =>
          [
            ...(name === undefined ? [] : [name]),
            `${decimalText(rate, decimal)}%=${amountText(tax_minor === 0 ? 0 : sign * tax_minor, currency, decimal)}`
          ].join(" ")
        )
        .join(" | ")
    )

  const document = (entry: BookEntry): ReadonlyArray<Cells> => {
    if (entry.type === "payment") return []
    const day = value(dayOfEntry(entry, timezone))
    if (entry.type === "credit_note") {
      const { currency, number, subtotal_minor, tax_minor, total_minor } = entry.note
      return [
        {
          minor: total_minor,
          currency,
          cells: [
            value("credit_note"),
            value(number),
            value(entry.invoice.number),
            day,
            ...[null, null, null].map(value),
            ...customerCells(entry),
            value(currency),
            amount(subtotal_minor, currency),
            amount(tax_minor, currency),
            taxes(taxesOfEntry(entry), 1, currency),
            amount(total_minor, currency),
            ...[null, null, null, null].map(value),
            value(entry.invoice.untaxed_as)
          ]
        }
      ]
    }
    const { invoice, type } = entry
    const { currency, total_minor } = invoice
    const sign = type === "void" ? -1 : 1
    const signed = (minor: number) => amount(minor === 0 ? 0 : sign * minor, currency)
    const payments = [invoice.paid_minor, invoice.credited_minor, dueMinorOf(invoice)].map((minor) =>
      type === "void" ? value(null) : amount(minor, currency)
    )
    return [
      {
        minor: sign * total_minor,
        currency,
        cells: [
          value(type),
          value(invoice.number),
          value(null),
          day,
          value(invoice.due_date),
          value(invoice.service_from),
          value(invoice.service_to),
          ...customerCells(entry),
          value(currency),
          signed(invoice.subtotal_minor),
          signed(invoice.tax_minor),
          taxes(taxesOfEntry(entry), sign, currency),
          signed(total_minor),
          ...payments,
          value(invoice.status),
          value(invoice.untaxed_as)
        ]
      }
    ]
  }

  const payment = (entry: BookEntry): ReadonlyArray<Cells> => {
    if (entry.type !== "payment") return []
    const { currency, kind, method, reference } = entry.payment
    const minor = movedMinorOf(entry.payment)
    return [
      {
        minor,
        currency,
        cells: [
          value(kind),
          value(dayOfEntry(entry, timezone)),
          value(entry.invoice.number),
          value(method),
          text(reference),
          ...customerCells(entry),
          value(currency),
          amount(minor, currency)
        ]
      }
    ]
  }

  const journal = (entry: BookEntry): ReadonlyArray<Cells> =>
    postingsOf(entry).map(({ amount_minor: minor, credit, currency, debit, tax }) => ({
      minor,
      currency,
      cells: [
        value(entry.type),
        value(dayOfEntry(entry, timezone)),
        value(documentOf(entry)),
        value(debit),
        value(credit),
        value(currency),
        amount(minor, currency),
        value(tax === null ? null : decimalText(tax.rate, decimal)),
        tax === null ? value(null) : amount(tax.tax_minor, currency),
        tax === null ? value(null) : taxes(tax.parts, 1, currency),
        value(tax?.rate === 0 ? tax.untaxed_as : null),
        ...customerCells(entry),
        text(entry.type === "payment" ? entry.payment.reference : null)
      ]
    }))

  return { invoices: document, "credit-notes": document, payments: payment, journal }
}

/** Numbers have a decimal comma if cells are separated by semicolons, as a German spreadsheet expects, unless `decimal` is sent. */
export const csvFormat = ({ days, kind, query }: BookFileTerms): BookFormat => {
  const { decimal, delimiter = "comma", encoding = "utf-8-bom" } = query
  const separator = delimiters[delimiter]
  const point = (decimal ?? (delimiter === "semicolon" ? "comma" : "point")) === "comma" ? "," : "."
  const write = cellsOf(days.timezone, point)[kind]
  return {
    contentType: `text/csv; charset=${encoding === "windows-1252" ? "windows-1252" : "utf-8"}`,
    extension: "csv",
    prefix: "",
    encoding,
    head: byteOrderMark(encoding) + separatedRow(columns[kind].map(value), separator),
    rowsOf: (entry) =>
      write(entry).map(({ cells, currency, minor }): BookRow => ({
        text: separatedRow(cells, separator),
        amount: { minor, currency }
      }))
  }
}
