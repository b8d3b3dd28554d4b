/** Transactions for QuickBooks (IIF): each has a row of its account, a row for each account against it, and an end. */
import type { Currency } from "../../kernel/money/Currency.ts"
import { accountPlanOf } from "./AccountPlan.ts"
import { type BookEntry, dayOfEntry, nameOfCustomer } from "../ledger/BookEntry.ts"
import type { BookFileTerms, BookFormat, BookRow } from "./BookFormat.ts"
import { amountText, inOneRow, neutralised } from "./Cells.ts"
import { type Posting, postingsOf } from "../ledger/Posting.ts"

const columns = ["TRNSTYPE", "DATE", "ACCNT", "NAME", "AMOUNT", "DOCNUM", "MEMO"]

const row = (...cells: ReadonlyArray<string>) => `${cells.join("\t")}\r\n`

const head = [row("!TRNS", ...columns), row("!SPL", ...columns), row("!ENDTRNS")].join("")

/** A text that a row can have: IIF quotes nothing. */
const plain = (text: string, most: number) => neutralised(inOneRow(text.replaceAll('"', "'"), most))

/** `MM/DD/YYYY`. */
const americanDay = (day: string) => `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`

/** A refund and a voided invoice have no transaction of their own: they are entered in the general journal. */
const transactionOf = (entry: BookEntry, isReversed: boolean) => {
  if (entry.type === "invoice" && !isReversed) return "INVOICE"
  if (entry.type === "credit_note") return "CREDIT MEMO"
  return entry.type === "payment" && !isReversed ? "PAYMENT" : "GENERAL JOURNAL"
}

/** What a posting adds to an account, in minor units. `memo` names the tax. */
interface Part {
  readonly account: string
  readonly minor: number
  readonly memo?: string
}

const sum = (parts: ReadonlyArray<Part>) => parts.reduce((total, { minor }) => total + minor, 0)

export const quickBooksFormat = ({ accounting, days }: BookFileTerms): BookFormat => {
  const plan = accountPlanOf(accounting, "quickbooks")
  const { tax = null, tax_accounts = [] } = accounting.quickbooks ?? {}
  const taxAccountOf = (name: string | undefined) =>
    tax_accounts.find((one) => one.name === name)?.account ?? tax ?? "Sales Tax Payable"

  /** What a posting adds to the account of the transaction, and to the accounts against it. */
  const partsOf = ({ amount_minor, credit, debit, tax }: Posting) => {
    const sign = debit === "revenue" || (tax === null && debit === "receivable") ? -1 : 1
    if (tax === null) {
      const money = debit === "receivable" ? credit : debit
      const account = money === "revenue" ? "receivable" : money
      return {
        main: { account: plan.accountOf(account), minor: sign * amount_minor },
        against: [{ account: plan.accountOf("receivable"), minor: -sign * amount_minor }]
      }
    }
    const { account } = plan.revenueOf(tax.rate, tax.untaxed_as)
    return {
      main: { account: plan.accountOf("receivable"), minor: sign * amount_minor },
      against: [
        { account, minor: -sign * (amount_minor - tax.tax_minor) },
        ...tax.parts.flatMap(({ name, rate, tax_minor }) =>
          tax_minor === 0
            ? []
            : [
                {
                  account: taxAccountOf(name),
                  minor: -sign * tax_minor,
                  memo: [...(name === undefined ? [] : [name]), `${rate}%`].join(" ")
                }
              ]
        )
      ]
    }
  }

  const rowsOf = (entry: BookEntry): ReadonlyArray<BookRow> => {
    const postings = postingsOf(entry).map((posting) => ({ posting, ...partsOf(posting) }))
    const [first] = postings
    if (first === undefined) return []
    const { currency } = first.posting
    const main = { account: first.main.account, minor: sum(postings.map((one) => one.main)) }
    const number = entry.type === "credit_note" ? entry.note.number : entry.invoice.number
    const name = plain(nameOfCustomer(entry.customer), 41)
    const cells = ({ account, minor, memo = "" }: Part, of: Currency) => [
      transactionOf(entry, entry.type === "void" || main.minor < 0),
      americanDay(dayOfEntry(entry, days.timezone)),
      plain(account, 60),
      name === "" ? number : name,
      amountText(minor, of),
      number,
      plain(memo, 200)
    ]
    const memo = entry.type === "payment" ? (entry.payment.reference ?? "") : entry.type
    return [
      { text: row("TRNS", ...cells({ ...main, memo }, currency)), amount: { minor: main.minor, currency } },
      ...postings
        .flatMap(({ against }) => against)
        .map((part) => ({ text: row("SPL", ...cells(part, currency)), amount: null })),
      { text: row("ENDTRNS"), amount: null }
    ]
  }

  return {
    contentType: "text/plain; charset=windows-1252",
    extension: "iif",
    prefix: "",
    encoding: "windows-1252",
    head,
    rowsOf
  }
}
