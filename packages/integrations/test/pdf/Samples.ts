/** Invoices of businesses that do not exist. */
import { currencies, type Currency, type InvoiceDocument, type InvoiceDocumentLine } from "@livery/domain"
import { readFileSync } from "node:fs"

const currency = (code: string): Currency => currencies.find((it) => it === code) ?? (code as Currency)

/** A PNG with an alpha channel. */
export const logo = new Uint8Array(readFileSync(new URL("logo.png", import.meta.url)))

const line = (
  description: string,
  details: string | null,
  quantity: string,
  unit: InvoiceDocumentLine["unit"],
  unit_price_minor: number
): InvoiceDocumentLine => ({
  description,
  details,
  quantity,
  unit,
  unit_price_minor,
  tax_category: "standard",
  tax_rate: "19",
  net_minor: Math.round(Number(quantity) * unit_price_minor)
})

const half = (percent: number, taxable: number) => Math.round((taxable * percent) / 100)

/** A document with the lines' sums and taxes; each line is of category `standard`. */
export const withLines = (
  document: InvoiceDocument,
  lines: ReadonlyArray<InvoiceDocumentLine>
): InvoiceDocument => {
  const rates = [...new Set(lines.map(({ tax_rate }) => tax_rate))]
  const taxes = rates.map((rate) => {
    const taxable_minor = lines
      .filter(({ tax_rate }) => tax_rate === rate)
      .reduce((sum, { net_minor }) => sum + net_minor, 0)
    return {
      category: "standard" as const,
      rate,
      taxable_minor,
      tax_minor: half(Number(rate), taxable_minor),
      reason: null
    }
  })
  const subtotal_minor = lines.reduce((sum, { net_minor }) => sum + net_minor, 0)
  const tax_minor = taxes.reduce((sum, tax) => sum + tax.tax_minor, 0)
  return {
    ...document,
    lines,
    taxes,
    subtotal_minor,
    tax_minor,
    total_minor: subtotal_minor + tax_minor,
    paid_minor: 0,
    credited_minor: 0,
    due_minor: subtotal_minor + tax_minor
  }
}

const lines = [
  line(
    "Airport transfer, business sedan",
    "3 November 2026, 08:15 · Munich Airport → Hotel Hofgarten · TR-7K3M9QX",
    "1",
    "trip",
    14_900
  ),
  line(
    "Chauffeur by the hour, business van",
    "3 November 2026, 13:00 to 18:30 · meetings in Munich, waiting time included · TR-2HD84WN",
    "5.5",
    "hour",
    8_900
  ),
  line("Additional distance beyond 120 km", "TR-2HD84WN", "38", "kilometre", 190),
  { ...line("Child seat", null, "2", "piece", 900), tax_rate: "7" },
  line(
    "Airport transfer, business sedan",
    "5 November 2026, 16:40 · Hotel Hofgarten → Munich Airport · TR-9PV51CJ",
    "1",
    "trip",
    14_900
  )
]

/** A usual invoice: five lines, two rates, a logo, both ways to pay. */
export const usual: InvoiceDocument = withLines(
  {
    kind: "invoice",
    number: "INV-000017",
    issued_on: "2026-11-09",
    due_on: "2026-11-23",
    service_period: { from: "2026-11-03", to: "2026-11-05" },
    locale: "en-GB",
    currency: currency("EUR"),
    seller: {
      name: "Isarlinie Chauffeurs GmbH",
      contact: null,
      address: {
        lines: ["Lindwurmstraße 114"],
        postal_code: "80337",
        city: "München",
        country: "DE"
      },
      email: "billing@isarlinie.example",
      phone: "+49 89 5550 1140",
      website: "isarlinie.example",
      vat_id: "DE123456789",
      tax_number: null,
      registration: "HRB 200417, Amtsgericht München"
    },
    buyer: {
      name: "Helvetic Instruments AG",
      contact: "Accounts payable",
      address: {
        lines: ["Technoparkstrasse 1"],
        postal_code: "8005",
        city: "Zürich",
        country: "CH"
      },
      email: "ap@helvetic.example",
      phone: null,
      website: null,
      vat_id: "CHE123456788",
      tax_number: null,
      registration: null
    },
    buyer_reference: null,
    po_number: "4500017734",
    cost_center: "Sales DACH",
    corrected_number: null,
    lines: [],
    taxes: [],
    subtotal_minor: 0,
    tax_minor: 0,
    total_minor: 0,
    paid_minor: 0,
    credited_minor: 0,
    due_minor: 0,
    voided: false,
    payment_url: "https://pay.isarlinie.example/i/f3b1c07e9d2a4c58",
    bank_account: {
      holder: "Isarlinie Chauffeurs GmbH",
      iban: "DE89370400440532013000",
      bic: "COBADEFFXXX",
      bank: null
    },
    notes: "Thank you for travelling with us. Please quote the invoice number with your transfer.",
    logo
  },
  lines
)

/** The usual invoice with that many lines. */
export const long = (count: number): InvoiceDocument =>
  withLines(
    usual,
    Array.from({ length: count }, (_, at) =>
      line(
        `Transfer ${at + 1}: Hauptbahnhof → Flughafen`,
        `${1 + (at % 28)} November 2026 · TR-${String(at).padStart(7, "0")}`,
        "1",
        "trip",
        4_350 + at
      )
    )
  )
