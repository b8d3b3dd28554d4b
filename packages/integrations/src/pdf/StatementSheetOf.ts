/** Converts a statement to the texts of its sheet: charges, payments and balance stand in the columns of figures. */
import type { StatementAccount, StatementDocument } from "@livery/domain"
import type { InvoiceSheet, SheetLine, TotalRow } from "./InvoiceSheet.ts"
import { formatsOf, knownLocale, type SheetFormats } from "./SheetFormats.ts"
import { bankFacts, footerOf, paperOf, partyRows } from "./SheetOf.ts"
import type { StatementWords } from "./words/StatementWords.ts"
import { wordsOf } from "./words/WordsOf.ts"

const rowsOf = (
  { closing_minor, lines, opening_minor }: StatementAccount,
  { from, to }: StatementDocument,
  words: StatementWords,
  formats: SheetFormats
): ReadonlyArray<SheetLine> => {
  const balance = (description: string, day: string, minor: number): SheetLine => ({
    description,
    details: null,
    quantity: formats.shortDay(day),
    unitPrice: "",
    tax: "",
    amount: formats.money(minor)
  })
  return [
    balance(words.openingBalance, from, opening_minor),
    ...lines.map((line) => ({
      description: `${words.types[line.type]} ${line.number}`,
      details: line.reference,
      quantity: formats.shortDay(line.day),
      unitPrice: line.amount_minor > 0 ? formats.money(line.amount_minor) : "",
      tax: line.amount_minor < 0 ? formats.money(-line.amount_minor) : "",
      amount: formats.money(line.balance_minor)
    })),
    balance(words.closingBalance, to, closing_minor)
  ]
}

/** The sheet of a statement. */
export const statementSheetOf = (document: StatementDocument): InvoiceSheet => {
  const locale = knownLocale(document.locale)
  const { language, statement: own, words } = wordsOf(locale)
  const { accounts, bank_account, buyer, from, logo, seller, to } = document
  const country = seller.address.country
  const foreign = buyer.address.country !== null && buyer.address.country !== country
  const balances = accounts.map(({ closing_minor, currency }): TotalRow => ({
    label: own.closingBalance,
    value: formatsOf(locale, currency).money(closing_minor),
    weight: "due"
  }))
  const [usual] = accounts
  const period = usual === undefined ? "" : formatsOf(locale, usual.currency).days(from, to)
  return {
    paper: paperOf(country),
    language,
    title: own.title,
    number: period,
    issuedOn: to,
    stamp: null,
    logo,
    seller: { heading: words.from, ...partyRows(seller, locale, foreign, words, "contact") },
    buyer: { heading: own.customer, ...partyRows(buyer, locale, foreign, words, "identifiers") },
    facts: [{ label: own.period, value: period }, ...balances.map(({ label, value }) => ({ label, value }))],
    furtherFacts: [],
    columns: {
      description: words.description,
      quantity: own.day,
      unitPrice: own.charged,
      tax: own.paid,
      amount: own.balance
    },
    lines: accounts.flatMap((account) => rowsOf(account, document, own, formatsOf(locale, account.currency))),
    totals: balances,
    taxNotes: [],
    online: null,
    bank:
      bank_account === null ? null : { heading: words.bankTransfer, facts: bankFacts(bank_account, words) },
    notes: null,
    footer: footerOf(seller, locale, words),
    pageLabel: words.page,
    attachment: null
  }
}
