/** A batch of postings in DATEV's format: EXTF, header 700, category 21 (`Buchungsstapel`), version 13. */
import { accountPlanOf } from "./AccountPlan.ts"
import { type BookEntry, dayOfEntry, nameOfCustomer } from "../ledger/BookEntry.ts"
import type { BookFileTerms, BookFormat } from "./BookFormat.ts"
import { amountText, inOneRow, neutralised } from "./Cells.ts"
import { datevColumns } from "./DatevColumns.ts"
import { type Posting, postingsOf } from "../ledger/Posting.ts"

/** A text of DATEV: always quoted. */
const quoted = (content: string, most: number) =>
  `"${inOneRow(neutralised(content), most).replaceAll('"', '""')}"`

const compactDay = (day: string) => day.replaceAll("-", "")

/** The first day of the fiscal year that contains a day. */
export const fiscalYearStart = (day: string, firstMonth: number): string => {
  const [year = 0, month = 1] = day.split("-").map(Number)
  return `${month < firstMonth ? year - 1 : year}-${String(firstMonth).padStart(2, "0")}-01`
}

const titles: Readonly<Record<BookFileTerms["kind"], string>> = {
  invoices: "Rechnungen",
  "credit-notes": "Gutschriften",
  payments: "Zahlungen",
  journal: "Buchungen"
}

/** The 31 fields of the first row. */
const headOf = ({ accounting, createdAt, currency, days, kind }: BookFileTerms): string => {
  const { account_length, adviser_number, chart, client_number, fiscal_year_month } = accounting.datev ?? {}
  return [
    '"EXTF"',
    "700",
    "21",
    '"Buchungsstapel"',
    "13",
    `${createdAt.replaceAll(/\D/gu, "")}000`,
    "",
    '"LI"',
    '""',
    '""',
    adviser_number ?? "1001",
    client_number ?? "1",
    compactDay(fiscalYearStart(days.from, fiscal_year_month ?? 1)),
    String(account_length ?? 4),
    compactDay(days.from),
    compactDay(days.to),
    quoted(`${titles[kind]} ${days.from.slice(0, 7)}`, 30),
    '""',
    "1",
    "0",
    "0",
    quoted(currency, 3),
    "",
    '""',
    "",
    "",
    quoted((chart ?? "skr03").slice(-2), 2),
    "",
    "",
    '""',
    '""'
  ].join(";")
}

/** The text of the field of a document's number, which has few characters. */
const documentField = (number: string) => quoted(number.replaceAll(/[^\w$&%*+\-/]/gu, "-"), 36)

const textOf = (entry: BookEntry) => {
  const name = nameOfCustomer(entry.customer)
  return entry.type === "payment" ? (entry.payment.reference ?? name) : name
}

/** Day and month of a day, as `DDMM`. */
const dayAndMonth = (day: string) => `${day.slice(8, 10)}${day.slice(5, 7)}`

/** A personal account has one digit more than the others. */
const isPersonal = (account: string | null, length: number): account is string =>
  account !== null && new RegExp(`^[1-9][0-9]{${length}}$`, "u").test(account)

export const datevFormat = (terms: BookFileTerms): BookFormat => {
  const { accounting, currency: base, days } = terms
  const plan = accountPlanOf(accounting, "datev")
  const length = accounting.datev?.account_length ?? 4

  /** The account of the posting, and the account against which it is posted with its tax key. */
  const accountsOf = ({ credit, debit, tax }: Posting, entry: BookEntry) => {
    const { account_number } = entry.customer
    const receivable = isPersonal(account_number, length) ? account_number : plan.accountOf("receivable")
    if (tax === null) {
      const money = debit === "receivable" ? credit : debit
      return {
        account: money === "receivable" || money === "revenue" ? receivable : plan.accountOf(money),
        contra: receivable,
        taxKey: "",
        isDebit: debit !== "receivable"
      }
    }
    const { account, taxKey } = plan.revenueOf(tax.rate, tax.untaxed_as)
    return { account: receivable, contra: account, taxKey: taxKey ?? "", isDebit: debit === "receivable" }
  }

  const rowOf = (posting: Posting, entry: BookEntry) => {
    const { account, contra, isDebit, taxKey } = accountsOf(posting, entry)
    const { amount_minor, currency, tax } = posting
    const number = entry.type === "credit_note" ? entry.note.number : entry.invoice.number
    const due = entry.type === "invoice" ? entry.invoice.due_date : null
    const isReverse = tax?.rate === 0 && tax.untaxed_as === "reverse_charge"
    const fields: Record<string, string> = {
      "Umsatz (ohne Soll/Haben-Kz)": amountText(amount_minor, currency, ","),
      "Soll/Haben-Kennzeichen": isDebit ? '"S"' : '"H"',
      "WKZ Umsatz": currency === base ? '""' : quoted(currency, 3),
      Konto: account,
      "Gegenkonto (ohne BU-Schlüssel)": contra,
      "BU-Schlüssel": quoted(taxKey, 4),
      Belegdatum: dayAndMonth(dayOfEntry(entry, days.timezone)),
      "Belegfeld 1": documentField(number),
      "Belegfeld 2": due === null ? '""' : quoted(`${dayAndMonth(due)}${due.slice(2, 4)}`, 12),
      Buchungstext: quoted(textOf(entry), 60),
      "EU-Land u. UStID (Bestimmung)": isReverse ? quoted(entry.customer.vat_number ?? "", 15) : '""',
      Festschreibung: "0"
    }
    return `${datevColumns.map((column) => fields[column] ?? "").join(";")}\r\n`
  }

  return {
    contentType: "text/csv; charset=windows-1252",
    extension: "csv",
    prefix: "EXTF_",
    encoding: "windows-1252",
    head: `${headOf(terms)}\r\n${datevColumns.join(";")}\r\n`,
    rowsOf: (entry) =>
      postingsOf(entry).map((posting) => ({
        text: rowOf(posting, entry),
        amount: { minor: posting.amount_minor, currency: posting.currency }
      }))
  }
}
