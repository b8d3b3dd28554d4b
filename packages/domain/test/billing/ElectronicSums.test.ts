import {
  Currency,
  electronicInvoiceFaults,
  type Invoice,
  type InvoiceLine,
  invoiceDocumentOf
} from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { creditNoteDocumentOf } from "../../src/billing/documents/InvoiceDescription.ts"
import { netOf, settled, sumsOf } from "../../src/billing/invoice/InvoiceSums.ts"
import {
  creditLineOf,
  creditSums,
  isCovered,
  restLines,
  settledCredit
} from "../../src/billing/ledger/Credit.ts"
import type { CreditNote } from "../../src/billing/ledger/CreditNote.ts"

const currency = Currency.make("EUR")

const party = { phone: null, address: "Ring 1, Wien", country: "AT", vat_number: "ATU12345678" }

const facts = {
  seller: {
    ...party,
    business_name: "Seller",
    business_email: "seller@example.com",
    website_url: null,
    logo_url: null,
    locale: null,
    tax_number: null,
    registration_number: null,
    iban: null,
    bic: null
  },
  buyer: { ...party, name: "Buyer", email: null, company: null, language: null, buyer_reference: null },
  trips: []
}

const Line = Schema.Struct({
  price: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50_000 })),
  quantity: Schema.Literals([1, 1, 2, 3, 0.5, 0.333, -1]),
  rate: Schema.Literals([0, 2.6, 7, 8.1, 10, 19, 25]),
  included: Schema.Boolean
})

const lineOf = ({ included, price, quantity, rate }: typeof Line.Type): InvoiceLine => ({
  description: "Ride",
  quantity,
  unit_price_minor: price,
  tax_rate: rate,
  ...(included && rate > 0 ? { tax_included: true } : {}),
  net_minor: netOf(price, quantity, currency),
  trip_id: null
})

it.prop(
  "an invoice of any lines, and the credit notes of its parts, keep the rules of the European standard",
  {
    drawn: Schema.NonEmptyArray(Line),
    parts: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int]))
  },
  ({ drawn, parts }) => {
    const lines = settled(drawn.map(lineOf), currency)
    const sums = sumsOf(lines, currency)
    if (sums.total_minor <= 0 || sums.subtotal_minor < 0) return
    const now = DateTime.makeUnsafe("2026-11-09T10:00:00Z")
    const terms = { timezone: "UTC", paymentUrl: null, logo: null }
    const invoice = {
      number: "INV-000001",
      status: "unpaid",
      currency,
      lines,
      ...sums,
      paid_minor: 0,
      credited_minor: 0,
      due_date: "2026-12-01",
      issued_on: "2026-11-09",
      service_from: null,
      service_to: null,
      buyer_reference: null,
      untaxed_as: "zero_rated",
      untaxed_reason: null,
      notes: null,
      created_at: now
    } as unknown as Invoice
    assert.deepStrictEqual(electronicInvoiceFaults(invoiceDocumentOf(invoice, facts, terms)), [])
    const notes: Array<CreditNote> = []
    const take = (credited: ReadonlyArray<InvoiceLine>) => {
      const note = {
        number: "CN-000001",
        currency,
        lines: credited,
        ...creditSums(invoice, notes, credited),
        notes: null,
        created_at: now
      } as unknown as CreditNote
      notes.push(note)
      if (note.total_minor < 0)
        assert.deepStrictEqual(electronicInvoiceFaults(creditNoteDocumentOf(note, invoice, facts, terms)), [])
    }
    for (const [place, amount] of parts) {
      const line = lines[Math.abs(place) % lines.length]
      if (line === undefined) return
      const unit_price_minor = 1 + (Math.abs(amount) % 4_000)
      const part = { ...line, quantity: 1, unit_price_minor, net_minor: unit_price_minor }
      const credited = settledCredit(invoice, notes, [creditLineOf(part)])
      if (isCovered(invoice, notes, credited)) take(credited)
    }
    const rest = restLines(invoice, notes)
    if (rest.length > 0) take(rest)
  }
)
