import {
  type Currency,
  electronicInvoiceFaults,
  expectsElectronicInvoices,
  type InvoiceDocument,
  type InvoiceParty
} from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"

const party = (name: string, vat_id: string | null): InvoiceParty => ({
  name,
  contact: null,
  address: { lines: ["1 High Street"], postal_code: "1000", city: "Town", country: "DE" },
  email: null,
  phone: null,
  website: null,
  vat_id,
  tax_number: null,
  registration: null
})

/** Two trips at 19 %, complete. */
const complete: InvoiceDocument = {
  kind: "invoice",
  number: "INV-000001",
  issued_on: "2026-11-09",
  due_on: "2026-11-23",
  service_period: null,
  locale: "de-DE",
  currency: "EUR" as Currency,
  seller: party("Seller", "DE123456789"),
  buyer: party("Buyer", null),
  buyer_reference: null,
  po_number: null,
  cost_center: null,
  corrected_number: null,
  lines: [
    {
      description: "Trip",
      details: null,
      quantity: "2",
      unit: "trip",
      unit_price_minor: 5000,
      tax_category: "standard",
      tax_rate: "19",
      net_minor: 10_000
    }
  ],
  taxes: [{ category: "standard", rate: "19.0", taxable_minor: 10_000, tax_minor: 1900, reason: null }],
  subtotal_minor: 10_000,
  tax_minor: 1900,
  total_minor: 11_900,
  paid_minor: 0,
  credited_minor: 0,
  due_minor: 11_900,
  voided: false,
  payment_url: null,
  bank_account: null,
  notes: null,
  logo: null
}

const [line] = complete.lines
const [tax] = complete.taxes

/** The complete invoice without tax, in a category. */
const untaxed = (
  category: "exempt" | "reverse_charge" | "zero" | "outside_scope",
  reason: string | null
): InvoiceDocument => ({
  ...complete,
  lines: complete.lines.map((it) => ({ ...it, tax_category: category, tax_rate: "0" })),
  taxes: [{ category, rate: "0", taxable_minor: 10_000, tax_minor: 0, reason }],
  tax_minor: 0,
  total_minor: 10_000,
  due_minor: 10_000
})

describe("an invoice", () => {
  it("that is complete has no faults", () => {
    assert.deepStrictEqual(electronicInvoiceFaults(complete), [])
    assert.deepStrictEqual(electronicInvoiceFaults(untaxed("zero", null)), [])
    assert.deepStrictEqual(electronicInvoiceFaults(untaxed("exempt", "§ 19 UStG")), [])
  })

  const faulty: ReadonlyArray<readonly [string, Partial<InvoiceDocument>, ReadonlyArray<string>]> = [
    ["without a number", { number: "" }, ["number"]],
    ["without lines", { lines: [] }, ["lines", "taxes[0]", "subtotal"]],
    ["that is void", { voided: true, due_minor: 0 }, ["voided"]],
    ["in a currency of three decimals", { currency: "KWD" as Currency }, ["currency"]],
    ["without a due date", { due_on: null }, ["due_date"]],
    ["whose subtotal is not the sum of its lines", { subtotal_minor: 9999 }, ["subtotal", "total"]],
    ["whose tax is not the sum of its taxes", { tax_minor: 1901 }, ["tax", "total"]],
    ["whose total is wrong", { total_minor: 11_901 }, ["total", "due"]],
    ["whose amount due is wrong", { due_minor: 1 }, ["due"]],
    [
      "whose seller has no country",
      { seller: { ...complete.seller, address: { ...complete.seller.address, country: null } } },
      ["seller.address.country"]
    ],
    [
      "whose buyer's country is no code",
      { buyer: { ...complete.buyer, address: { ...complete.buyer.address, country: "Germany" } } },
      ["buyer.address.country"]
    ],
    ["whose seller has no tax number", { seller: party("Seller", null) }, ["seller.vat_id"]],
    ["whose VAT identifier has no country", { seller: party("Seller", "123456789") }, ["seller.vat_id"]],
    [
      "whose parties have no name",
      { seller: party("", "DE1"), buyer: party("", null) },
      ["seller.name", "buyer.name"]
    ]
  ]
  for (const [title, change, faults] of faulty)
    it(`${title} has its fields named`, () => {
      assert.deepStrictEqual(electronicInvoiceFaults({ ...complete, ...change }), faults)
    })

  it("names a line whose amount is not quantity times price, and a negative price", () => {
    if (line === undefined) return assert.fail("no line")
    const wrong = { ...complete, lines: [{ ...line, quantity: "3" }] }
    assert.deepStrictEqual(electronicInvoiceFaults(wrong), ["lines[0].net"])
    const negative = { ...complete, lines: [{ ...line, quantity: "-2", unit_price_minor: -5000 }] }
    assert.deepStrictEqual(electronicInvoiceFaults(negative), ["lines[0].unit_price"])
    const nameless = { ...complete, lines: [{ ...line, description: "" }] }
    assert.deepStrictEqual(electronicInvoiceFaults(nameless), ["lines[0].description"])
  })

  it("names a tax that is calculated wrongly, and a line that no tax covers", () => {
    if (tax === undefined || line === undefined) return assert.fail("no tax")
    const wrong = { ...complete, taxes: [{ ...tax, tax_minor: 1800 }], tax_minor: 1800 }
    assert.deepStrictEqual(electronicInvoiceFaults(wrong), ["taxes[0]", "total"])
    const other = { ...complete, lines: [{ ...line, tax_rate: "7" }] }
    assert.deepStrictEqual(electronicInvoiceFaults(other), ["taxes[0]", "taxes"])
  })

  it("that is a credit note has a tax that differs by one minor unit, because earlier notes were rounded", () => {
    if (tax === undefined) return assert.fail("no tax")
    const withTax = (tax_minor: number): InvoiceDocument => ({
      ...complete,
      taxes: [{ ...tax, tax_minor }],
      tax_minor,
      total_minor: 10_000 + tax_minor,
      due_minor: 10_000 + tax_minor
    })
    for (const minor of [1899, 1901]) {
      assert.deepStrictEqual(electronicInvoiceFaults({ ...withTax(minor), kind: "credit_note" }), [])
      assert.deepStrictEqual(electronicInvoiceFaults(withTax(minor)), ["taxes[0]"])
    }
    assert.deepStrictEqual(electronicInvoiceFaults({ ...withTax(1902), kind: "credit_note" }), ["taxes[0]"])
  })

  it("without tax requires the reason, and the buyer's identifier if the buyer owes the tax", () => {
    assert.deepStrictEqual(electronicInvoiceFaults(untaxed("exempt", null)), ["taxes[0].reason"])
    assert.deepStrictEqual(electronicInvoiceFaults(untaxed("reverse_charge", "Art. 196")), ["buyer.vat_id"])
    assert.deepStrictEqual(electronicInvoiceFaults(untaxed("outside_scope", null)), ["taxes[0].category"])
  })

  it("rounds taxes half away from zero", () => {
    if (line === undefined || tax === undefined) return assert.fail("no line")
    const small = {
      ...complete,
      lines: [{ ...line, quantity: "1", unit_price_minor: 50, net_minor: 50, tax_rate: "5" }],
      taxes: [{ ...tax, rate: "5", taxable_minor: 50, tax_minor: 3 }],
      subtotal_minor: 50,
      tax_minor: 3,
      total_minor: 53,
      due_minor: 53
    }
    assert.deepStrictEqual(electronicInvoiceFaults(small), [])
  })
})

describe("electronic invoices", () => {
  it("are expected of sellers in Europe", () => {
    for (const country of ["DE", "FR", "GR", "NO", "CH", "GB"])
      assert.isTrue(expectsElectronicInvoices(country), country)
    for (const country of ["US", "JP", "de", "", null])
      assert.isFalse(expectsElectronicInvoices(country), String(country))
  })
})
