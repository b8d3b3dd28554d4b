/** Describes an invoice for its PDF, from the invoice and its facts. */
import type { Currency } from "../../kernel/money/Currency.ts"
import { localDay } from "../../kernel/time/WallClock.ts"
import { creditLineOf } from "../ledger/Credit.ts"
import type { CreditNote } from "../ledger/CreditNote.ts"
import { dueMinorOf, type Invoice } from "../invoice/Invoice.ts"
import type { Untaxed, UntaxedAs } from "../invoice/Untaxed.ts"
import {
  type BankAccount,
  type InvoiceDocument,
  type InvoiceParty,
  type InvoiceTax,
  type PostalAddress,
  reverseCharge,
  type TaxCategory
} from "./InvoiceDocument.ts"
import type { InvoicedTrip, InvoiceFacts } from "../invoice/InvoiceFactsRepository.ts"
import type { InvoiceLine } from "../invoice/InvoiceLine.ts"
import { grossOf, type TaxOfRate, taxesOf, taxesOfLine } from "../invoice/InvoiceSums.ts"
import { daysOfTrips } from "../invoice/ServiceDays.ts"
import type { InvoiceBuyer, InvoiceSeller } from "../invoice/InvoiceParties.ts"

/** The rows of an address: its lines, or its parts between commas if it is one line. */
const addressOf = (text: string | null, country: string | null): PostalAddress => {
  const written = (text ?? "").trim()
  const rows = written.split(written.includes("\n") ? /\r?\n/u : /,\s*/u)
  return {
    lines: rows.map((row) => row.trim()).filter((row) => row !== ""),
    postal_code: null,
    city: null,
    country
  }
}

/** The business as a document shows it. */
export const sellerOf = (seller: InvoiceSeller): InvoiceParty => ({
  name: seller.business_name,
  contact: null,
  address: addressOf(seller.address, seller.country),
  email: seller.business_email,
  phone: seller.phone,
  website: seller.website_url,
  vat_id: seller.vat_number,
  tax_number: seller.tax_number,
  registration: seller.registration_number
})

/** The only value of a list; null if its values differ or are absent. */
const onlyValue = (values: ReadonlyArray<string | null>): string | null => {
  const [value = null, ...others] = new Set(values)
  return others.length === 0 ? value : null
}

const partyOf = (
  buyer: Omit<InvoiceBuyer, "company" | "language" | "buyer_reference">,
  name: string,
  contact: string | null
): InvoiceParty => ({
  name,
  contact,
  address: addressOf(buyer.address, buyer.country),
  email: buyer.email,
  phone: buyer.phone,
  website: null,
  vat_id: buyer.vat_number,
  tax_number: null,
  registration: null
})

/** A customer as a document shows it: the company first. */
export const namedParty = (buyer: InvoiceBuyer): InvoiceParty =>
  partyOf(buyer, buyer.company ?? buyer.name, buyer.company === null ? null : buyer.name)

/** The customer, the company first; without a customer, the passenger of the trips if they all have the same. */
const buyerOf = ({ buyer, trips }: InvoiceFacts): InvoiceParty => {
  if (buyer !== null) return namedParty(buyer)
  const passenger = onlyValue(trips.map(({ customer_name }) => customer_name)) ?? ""
  return partyOf(
    {
      name: passenger,
      email: recipientOf({ buyer, trips }),
      phone: null,
      address: null,
      country: null,
      vat_number: null
    },
    passenger,
    null
  )
}

/** The locale of what an invoice's customer reads: the customer's language, and otherwise the locale of the business. */
export const localeOf = ({ buyer, seller }: Pick<InvoiceFacts, "buyer" | "seller">): string | null =>
  buyer?.language ?? seller.locale

/** The email address of the invoice's customer; without a customer, that of its trips if they all have the same. */
export const recipientOf = ({ buyer, trips }: Pick<InvoiceFacts, "buyer" | "trips">): string | null =>
  buyer === null ? onlyValue(trips.map(({ customer_email }) => customer_email)) : buyer.email

const untaxedCategories = {
  zero_rated: "zero",
  exempt: "exempt",
  reverse_charge: "reverse_charge"
} as const satisfies Record<UntaxedAs, TaxCategory>

const categoryOf = (rate: number, { untaxed_as }: Untaxed): TaxCategory =>
  rate === 0 ? untaxedCategories[untaxed_as] : "standard"

/** Why no tax is charged at a rate. Paper and electronic copy show it. */
const reasonOf = (rate: number, { untaxed_as, untaxed_reason }: Untaxed) => {
  if (rate !== 0 || untaxed_as === "zero_rated") return null
  return untaxed_reason ?? (untaxed_as === "reverse_charge" ? reverseCharge : null)
}

/** A tax of the document. Its amounts are positive on a credit note too, where `sign` is -1. */
const documentTaxOf =
  (untaxed: Untaxed, sign: 1 | -1) =>
  ({ name, rate, tax_minor, taxable_minor }: TaxOfRate): InvoiceTax => ({
    category: categoryOf(rate, untaxed),
    ...(name === undefined ? {} : { name }),
    rate: String(rate),
    taxable_minor: sign * taxable_minor,
    tax_minor: sign * tax_minor,
    reason: reasonOf(rate, untaxed)
  })

/**
 * The price of a line without tax. If the price of the line contains the tax, paper shows it as it is, and the price without tax
 * is the whole amount for the whole quantity, because the amount of one piece may be no whole number of minor units.
 */
const priceOf = (line: InvoiceLine, currency: Currency) => {
  const gross_minor = grossOf(line, currency)
  return gross_minor === null
    ? { unit_price_minor: line.unit_price_minor }
    : {
        unit_price_minor: Math.abs(line.net_minor),
        base_quantity: String(Math.abs(line.quantity)),
        with_tax: { unit_price_minor: line.unit_price_minor, amount_minor: gross_minor }
      }
}

/** The PO number and the cost center of a line's trip, each only if the trips of the invoice have different ones. */
const detailsOf = (line: InvoiceLine, trips: ReadonlyArray<InvoicedTrip>): string | null => {
  const trip = trips.find(({ trip_id }) => trip_id === line.trip_id)
  if (trip === undefined) return null
  const differing = [
    ...(onlyValue(trips.map(({ po_number }) => po_number)) === null ? [trip.po_number] : []),
    ...(onlyValue(trips.map(({ cost_center }) => cost_center)) === null ? [trip.cost_center] : [])
  ].filter((text) => text !== null)
  return differing.length === 0 ? null : differing.join(" · ")
}

/** The days of the trips; without trips, the days of the invoice. */
const periodOf = (invoice: Invoice, trips: ReadonlyArray<InvoicedTrip>, timezone: string) => {
  const { service_from: from, service_to: to } = daysOfTrips(trips, timezone) ?? invoice
  return from === null || to === null ? null : { from, to }
}

/** The account to which customers transfer money; null without an IBAN. */
export const bankOf = ({ bic, business_name, iban }: InvoiceSeller): BankAccount | null =>
  iban === null ? null : { holder: business_name, iban, bic, bank: null }

/**
 * The values that the description of an invoice needs besides its records. `logo` is the image that `logo_url`
 * names.
 */
export interface DescriptionTerms {
  readonly timezone: string
  readonly paymentUrl: string | null
  readonly logo: Uint8Array | null
}

/**
 * The description of a credit note of an invoice. Its amounts are positive, as on paper and in EN 16931: the type
 * of the document says that they are credited.
 */
export const creditNoteDocumentOf = (
  note: CreditNote,
  invoice: Invoice,
  facts: InvoiceFacts,
  { logo, timezone }: Pick<DescriptionTerms, "logo" | "timezone">
): InvoiceDocument => {
  const { lines, number, taxes } = note
  const issued_on = localDay(note.created_at, timezone)
  return {
    ...invoiceDocumentOf({ ...invoice, lines: lines.map(creditLineOf) }, facts, {
      logo,
      timezone,
      paymentUrl: null
    }),
    kind: "credit_note",
    number,
    issued_on,
    // BR-CO-25 asks for a day where an amount is due.
    due_on: issued_on,
    corrected_number: invoice.number,
    taxes: taxes.map(documentTaxOf(invoice, -1)),
    subtotal_minor: -note.subtotal_minor,
    tax_minor: -note.tax_minor,
    total_minor: -note.total_minor,
    paid_minor: 0,
    credited_minor: 0,
    due_minor: -note.total_minor,
    voided: false,
    bank_account: null,
    notes: note.notes
  }
}

/** The description of an invoice. */
export const invoiceDocumentOf = (
  invoice: Invoice,
  facts: InvoiceFacts,
  { logo, paymentUrl, timezone }: DescriptionTerms
): InvoiceDocument => {
  const { credited_minor, currency, lines, paid_minor, subtotal_minor, tax_minor, total_minor } = invoice
  const { seller, trips } = facts
  const due_minor = dueMinorOf(invoice)
  return {
    kind: "invoice",
    number: invoice.number,
    issued_on: invoice.issued_on,
    due_on: invoice.due_date,
    service_period: periodOf(invoice, trips, timezone),
    locale: localeOf(facts) ?? "en",
    currency,
    seller: sellerOf(seller),
    buyer: buyerOf(facts),
    buyer_reference: invoice.buyer_reference ?? facts.buyer?.buyer_reference ?? null,
    po_number: onlyValue(trips.map(({ po_number }) => po_number)),
    cost_center: onlyValue(trips.map(({ cost_center }) => cost_center)),
    corrected_number: null,
    lines: lines.map((line) => ({
      description: line.description,
      details: detailsOf(line, trips),
      quantity: String(line.quantity),
      unit: line.trip_id === null ? "piece" : "trip",
      ...priceOf(line, currency),
      tax_category: categoryOf(line.tax_rate, invoice),
      tax_rate: String(line.tax_rate),
      ...(taxesOfLine(line).length > 1
        ? { tax_rates: taxesOfLine(line).map(({ rate }) => String(rate)) }
        : {}),
      net_minor: line.net_minor
    })),
    taxes: taxesOf(lines, currency).map(documentTaxOf(invoice, 1)),
    subtotal_minor,
    tax_minor,
    total_minor,
    paid_minor,
    credited_minor,
    due_minor,
    voided: invoice.status === "void",
    payment_url: due_minor > 0 ? paymentUrl : null,
    bank_account: bankOf(seller),
    notes: invoice.notes,
    logo
  }
}
