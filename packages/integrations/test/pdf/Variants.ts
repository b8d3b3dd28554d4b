/** Invoices beyond the usual one. */
import {
  currencies,
  type Currency,
  type InvoiceDocument,
  type InvoiceDocumentLine,
  type InvoiceParty
} from "@livery/domain"
import { usual, withLines } from "./Samples.ts"

export const currency = (code: string): Currency => currencies.find((it) => it === code) ?? (code as Currency)

const party = (
  name: string,
  lines: ReadonlyArray<string>,
  postal_code: string,
  city: string,
  country: string
): InvoiceParty => ({
  ...usual.seller,
  name,
  address: { lines, postal_code, city, country },
  website: null,
  vat_id: null,
  registration: null
})

/** All sums and taxes zero but the subtotal, in one category. */
const untaxed = (category: "exempt" | "reverse_charge" | "zero", reason: string | null): InvoiceDocument => {
  const lines = usual.lines.map((line) => ({ ...line, tax_category: category, tax_rate: "0" }))
  const subtotal = usual.subtotal_minor
  return {
    ...usual,
    lines,
    taxes: [{ category, rate: "0", taxable_minor: subtotal, tax_minor: 0, reason }],
    tax_minor: 0,
    total_minor: subtotal,
    due_minor: subtotal
  }
}

/** Paid in part. */
export const partlyPaid: InvoiceDocument = {
  ...usual,
  paid_minor: 40_000,
  due_minor: usual.due_minor - 40_000
}

/** Paid. */
export const settled: InvoiceDocument = { ...usual, paid_minor: usual.total_minor, due_minor: 0 }

/** The buyer owes the tax. */
export const reverseCharge: InvoiceDocument = {
  ...untaxed("reverse_charge", "Reverse charge, Article 196 of Directive 2006/112/EC"),
  buyer: {
    ...party("Atelier Lumière SARL", ["12 rue de Rivoli"], "75001", "Paris", "FR"),
    vat_id: "FR12345678901"
  }
}

/** A small business that charges no tax and has no VAT identifier. */
export const smallBusiness: InvoiceDocument = {
  ...untaxed("exempt", "No VAT, § 19 UStG"),
  seller: { ...usual.seller, vat_id: null, tax_number: "143/123/12345" }
}

/** Taxed at zero percent. */
const zeroRated: InvoiceDocument = untaxed("zero", null)

/** Corrects the usual invoice. */
export const creditNote: InvoiceDocument = {
  ...usual,
  kind: "credit_note",
  number: "CN-000003",
  corrected_number: "INV-000017",
  payment_url: null,
  service_period: { from: "2026-11-03", to: "2026-11-03" }
}

/** Outside of Europe, on the paper of its country. */
export const american: InvoiceDocument = withLines(
  {
    ...usual,
    locale: "en-US",
    currency: currency("USD"),
    seller: party("Hudson & Sons Limousine, Inc.", ["350 5th Avenue"], "10118", "New York, NY", "US"),
    buyer: party("Maria Fernández", ["1 Ocean Way"], "94110", "San Francisco, CA", "US"),
    bank_account: null,
    buyer_reference: null,
    po_number: null,
    cost_center: null,
    logo: null
  },
  usual.lines.map((line) => ({ ...line, tax_rate: "8.875" }))
)

/** Greek, with the old accents. */
export const greek: InvoiceDocument = {
  ...usual,
  locale: "el-GR",
  seller: {
    ...party("Αφοί Παπαδόπουλοι Μεταφορές Ο.Ε.", ["Λεωφόρος Κηφισίας 12"], "115 26", "Αθήνα", "GR"),
    vat_id: "EL123456789"
  },
  notes: "Ευχαριστούμε· ᾧ τὸ παλαιὸν ῥῆμα.",
  logo: null
}

/** Ukrainian. */
export const ukrainian: InvoiceDocument = {
  ...usual,
  locale: "uk-UA",
  currency: currency("UAH"),
  seller: party("ТОВ «Київські перевезення»", ["вул. Хрещатик, 22"], "01001", "Київ", "UA"),
  notes: "Їжак, ґанок, об’єднання. Србија: Ђорђе, Љиљана. Ә Ө Ү Һ Қ.",
  logo: null
}

const deductions: ReadonlyArray<InvoiceDocumentLine> = [
  {
    description: "Discount <10 %> & thanks",
    details: null,
    quantity: "-1",
    unit: "piece",
    unit_price_minor: 5000,
    tax_category: "standard",
    tax_rate: "19",
    net_minor: -5000
  },
  {
    description: "Waiting time",
    details: null,
    quantity: "0.25",
    unit: "hour",
    unit_price_minor: 6000,
    tax_category: "standard",
    tax_rate: "19",
    net_minor: 1500
  }
]

/** Deductions, texts for XML to escape, and a single day. */
export const awkward: InvoiceDocument = withLines(
  {
    ...usual,
    service_period: { from: "2026-11-03", to: "2026-11-03" },
    notes: 'Less than < more than > both & "quoted" \u0007 and a lone surrogate \uD800.'
  },
  [...usual.lines, ...deductions]
)

/** Two rides at 24.50 with 10 % in the price. No net amount in cents has a rounded tax that adds up to 49.00. */
const pricesWithTax: InvoiceDocument = {
  ...usual,
  lines: usual.lines.slice(0, 1).map((line) => ({
    ...line,
    quantity: "2",
    unit_price_minor: 4455,
    base_quantity: "2",
    with_tax: { unit_price_minor: 2450, amount_minor: 4900 },
    tax_rate: "10",
    net_minor: 4455
  })),
  taxes: [
    {
      category: "standard",
      name: "USt",
      rate: "10",
      taxable_minor: 4455,
      tax_minor: 445,
      reason: null
    }
  ],
  subtotal_minor: 4455,
  tax_minor: 445,
  total_minor: 4900,
  due_minor: 4900
}

/** Those that a European seller can send as electronic invoices. */
export const electronic: Readonly<Record<string, InvoiceDocument>> = {
  usual,
  "partly paid": partlyPaid,
  paid: settled,
  "with reverse charge": reverseCharge,
  "of a small business": smallBusiness,
  "zero-rated": zeroRated,
  "a credit note": creditNote,
  greek,
  awkward,
  "of prices with tax": pricesWithTax
}
