/** Converts an invoice to the texts of its sheet. */
import {
  type BankAccount,
  expectsElectronicInvoices,
  type InvoiceDocument,
  type InvoiceParty,
  type InvoiceTax,
  reverseCharge
} from "@livery/domain"
import type { Fact, InvoiceSheet, SheetAttachment, TotalRow } from "./InvoiceSheet.ts"
import { formatsOf, knownLocale, type SheetFormats } from "./SheetFormats.ts"
import type { InvoiceWords } from "./words/InvoiceWords.ts"
import { wordsOf } from "./words/WordsOf.ts"

/** The countries that print on Letter paper. */
const letterCountries = new Set([
  "US",
  "CA",
  "MX",
  "PH",
  "CL",
  "CO",
  "VE",
  "GT",
  "CR",
  "DO",
  "PA",
  "SV",
  "PR"
])

const present = (texts: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  texts.filter((text): text is string => text !== null && text.trim() !== "")

/** The postal code and the city. The code comes last in the countries of this list, and first elsewhere. */
const cityRow = (address: InvoiceParty["address"]) => {
  const codeLast = ["US", "CA", "GB", "AU", "IE", "NZ"].includes(address.country ?? "")
  const parts = present([address.postal_code, address.city])
  return (codeLast ? parts.toReversed() : parts).join(" ")
}

const countryName = (locale: string, country: string | null) => {
  if (country === null || !/^[A-Z]{2}$/u.test(country)) return null
  return new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country
}

const addressRows = (party: InvoiceParty, locale: string, foreign: boolean) =>
  present([
    party.contact,
    ...party.address.lines,
    cityRow(party.address),
    foreign ? countryName(locale, party.address.country) : null
  ])

const identifiers = (party: InvoiceParty, words: InvoiceWords) =>
  present([
    party.vat_id && `${words.vatId} ${party.vat_id}`,
    party.tax_number && `${words.taxNumber} ${party.tax_number}`,
    party.registration
  ])

const taxLabel = (tax: InvoiceTax, words: InvoiceWords, name: string, formats: SheetFormats) =>
  words.taxOn
    .replace("{tax}", tax.name ?? name)
    .replace("{rate}", formats.rate(tax.rate))
    .replace("{amount}", formats.money(tax.taxable_minor))

const taxNote = (tax: InvoiceTax, words: InvoiceWords) => {
  const general = {
    standard: null,
    zero: null,
    exempt: words.exempt,
    reverse_charge: words.reverseCharge,
    outside_scope: words.outsideScope
  }[tax.category]
  // A reason in the business's own words replaces the general one, unless it only adds the paragraph of the law.
  return tax.reason === reverseCharge ? general : (tax.reason ?? general)
}

const dueLabel = ({ kind }: InvoiceDocument, words: InvoiceWords) =>
  kind === "invoice" ? words.amountDue : words.amountCredited

const hasPricesWithTax = ({ lines }: InvoiceDocument) => lines.some(({ with_tax }) => with_tax !== undefined)

/** The rates of a line; words say so if the price contains the tax. */
const lineTax = (line: InvoiceDocument["lines"][number], words: InvoiceWords, formats: SheetFormats) => {
  const rates = (line.tax_rates ?? [line.tax_rate]).map(formats.rate).join(" + ")
  return line.with_tax === undefined ? rates : words.taxIncluded.replace("{rate}", rates)
}

const totalsOf = (document: InvoiceDocument, words: InvoiceWords, taxName: string, formats: SheetFormats) => {
  const rows: Array<TotalRow> = [
    {
      label: hasPricesWithTax(document) ? words.net : words.subtotal,
      value: formats.money(document.subtotal_minor),
      weight: "plain"
    },
    ...document.taxes.map((tax): TotalRow => ({
      label: taxLabel(tax, words, taxName, formats),
      value: formats.money(tax.tax_minor),
      weight: "plain"
    })),
    { label: words.total, value: formats.money(document.total_minor), weight: "strong" }
  ]
  if (document.paid_minor !== 0)
    rows.push({ label: words.paid, value: formats.money(-document.paid_minor), weight: "plain" })
  if (document.credited_minor !== 0)
    rows.push({
      label: words.amountCredited,
      value: formats.money(-document.credited_minor),
      weight: "plain"
    })
  rows.push({ label: dueLabel(document, words), value: formats.money(document.due_minor), weight: "due" })
  return rows
}

/** What a person needs to transfer money to an account. */
export const bankFacts = (account: BankAccount, words: InvoiceWords): ReadonlyArray<Fact> =>
  [
    { label: words.accountHolder, value: account.holder },
    { label: "IBAN", value: account.iban.replaceAll(/\s/gu, "").replaceAll(/(.{4})(?=.)/gu, "$1 ") },
    account.bic === null ? null : { label: "BIC", value: account.bic },
    account.bank === null ? null : { label: words.bank, value: account.bank }
  ].filter((fact) => fact !== null)

const bankOf = (document: InvoiceDocument, words: InvoiceWords): InvoiceSheet["bank"] => {
  const account = document.bank_account
  if (account === null || document.due_minor <= 0) return null
  const reference = { label: words.reference, value: document.number }
  return { heading: words.bankTransfer, facts: [...bankFacts(account, words), reference] }
}

const stampOf = ({ due_minor, kind, paid_minor, voided }: InvoiceDocument, words: InvoiceWords) => {
  if (voided) return words.stampVoid
  // An invoice that was credited in full has nothing due, and was not paid.
  return kind === "invoice" && due_minor <= 0 && paid_minor > 0 ? words.stampPaid : null
}

const mainFacts = (document: InvoiceDocument, words: InvoiceWords, formats: SheetFormats) => {
  const { due_on, kind } = document
  // The electronic copy of a credit note has a date of payment; on paper, nothing is to be paid by then.
  const due = due_on === null || kind === "credit_note" ? null : formats.day(due_on)
  const facts: ReadonlyArray<Fact | null> = [
    { label: words.number, value: document.number },
    { label: words.issued, value: formats.day(document.issued_on) },
    due === null ? null : { label: words.due, value: due },
    { label: dueLabel(document, words), value: formats.money(document.due_minor) }
  ]
  return facts.filter((fact) => fact !== null)
}

const furtherFacts = (document: InvoiceDocument, words: InvoiceWords, formats: SheetFormats) => {
  const { corrected_number, cost_center, po_number, service_period: period } = document
  const facts: ReadonlyArray<Fact | null> = [
    period && { label: words.servicePeriod, value: formats.days(period.from, period.to) },
    po_number === null ? null : { label: words.poNumber, value: po_number },
    cost_center === null ? null : { label: words.costCenter, value: cost_center },
    corrected_number === null ? null : { label: words.corrects, value: corrected_number }
  ]
  return facts.filter((fact) => fact !== null)
}

const linesOf = (
  document: InvoiceDocument,
  words: InvoiceWords,
  formats: SheetFormats
): InvoiceSheet["lines"] =>
  document.lines.map((line) => ({
    description: line.description,
    details: line.details,
    quantity: formats.quantity(line.quantity, line.unit),
    unitPrice: formats.money(line.with_tax?.unit_price_minor ?? line.unit_price_minor),
    tax: lineTax(line, words, formats),
    amount: formats.money(line.with_tax?.amount_minor ?? line.net_minor)
  }))

const onlineOf = (document: InvoiceDocument, words: InvoiceWords): InvoiceSheet["online"] =>
  document.payment_url === null || document.due_minor <= 0 || document.voided
    ? null
    : { heading: words.scanToPay, action: words.payOnline, url: document.payment_url }

/** The rows at the foot of each page: the seller, and how to reach it. */
export const footerOf = (seller: InvoiceDocument["seller"], locale: string, words: InvoiceWords) =>
  present([
    [seller.name, ...addressRows({ ...seller, contact: null }, locale, false)].join(", "),
    ...identifiers(seller, words),
    seller.email,
    seller.phone,
    seller.website
  ])

/** The paper of a seller's country. */
export const paperOf = (country: string | null): InvoiceSheet["paper"] =>
  letterCountries.has(country ?? "") ? "LETTER" : "A4"

/** The name and the rows of a party: its address, and how to reach it or the numbers that identify it. */
export const partyRows = (
  party: InvoiceParty,
  locale: string,
  foreign: boolean,
  words: InvoiceWords,
  also: "contact" | "identifiers"
): { readonly name: string; readonly rows: ReadonlyArray<string> } => ({
  name: party.name,
  rows: [
    ...addressRows(party, locale, foreign),
    ...(also === "contact" ? present([party.email, party.phone]) : identifiers(party, words))
  ]
})

/** The sheet of an invoice, with an electronic copy if there is one. */
export const sheetOf = (document: InvoiceDocument, attachment: SheetAttachment | null): InvoiceSheet => {
  const locale = knownLocale(document.locale)
  const { language, words } = wordsOf(locale)
  const formats = formatsOf(locale, document.currency)
  const { buyer, seller } = document
  const country = seller.address.country
  const taxName = expectsElectronicInvoices(country) || language !== "en" ? words.vat : "Tax"
  const foreign = buyer.address.country !== null && buyer.address.country !== country
  const columns = (hasPricesWithTax(document) ? words.columnsWithTax : undefined) ?? words
  const title = document.kind === "invoice" ? words.invoice : words.creditNote
  return {
    paper: paperOf(country),
    language,
    title,
    number: document.number,
    issuedOn: document.issued_on,
    stamp: stampOf(document, words),
    logo: document.logo,
    seller: { heading: words.from, ...partyRows(seller, locale, foreign, words, "contact") },
    buyer: { heading: words.billTo, ...partyRows(buyer, locale, foreign, words, "identifiers") },
    facts: mainFacts(document, words, formats),
    furtherFacts: furtherFacts(document, words, formats),
    columns: {
      description: words.description,
      quantity: words.quantity,
      unitPrice: columns.unitPrice,
      tax: taxName,
      amount: columns.amount
    },
    lines: linesOf(document, words, formats),
    totals: totalsOf(document, words, taxName, formats),
    taxNotes: present(document.taxes.map((tax) => taxNote(tax, words))),
    online: onlineOf(document, words),
    bank: document.voided ? null : bankOf(document, words),
    notes:
      document.notes === null || document.notes.trim() === ""
        ? null
        : { heading: words.notes, text: document.notes },
    footer: footerOf(seller, locale, words),
    pageLabel: words.page,
    attachment
  }
}
