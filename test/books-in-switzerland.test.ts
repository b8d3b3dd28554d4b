/** A bookkeeper's month with net prices, customers abroad who owe the tax themselves, and invoices in two currencies. */
import type { InvoiceRecord, PaymentRecord, QuoteRecord } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import {
  assertBooks,
  bookkeeping,
  type Business,
  confirm,
  importStatement,
  month,
  today
} from "./support/Books.ts"
import { centsOf } from "./support/Ledger.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe("a bookkeeper's month in Switzerland, where prices are net and customers abroad owe the tax", () => {
  let place: Awaited<ReturnType<typeof bookkeeping>>
  let books: Business
  let zurich: number
  let munich: number
  let paid: InvoiceRecord

  beforeAll(async () => {
    place = await bookkeeping()
    books = await place.business({
      business_name: "Zürich Limousines",
      country: "CH",
      currency: "CHF",
      timezone: "Europe/Zurich",
      vat_number: "CHE-123.456.788 MWST",
      default_taxes: [{ rate: 8.1 }],
      accounting: { datev: { chart: "skr04" } }
    })
    zurich = await books.customer({ name: "Bank am See", email: "bank@example.com", country: "CH" })
    munich = await books.customer({
      name: "Müller GmbH",
      email: "mueller@example.com",
      country: "DE",
      vat_number: "DE811907980",
      untaxed_as: "reverse_charge",
      language: "de"
    })
  })
  afterAll(() => place.remove())

  it("bills quotes and trips of the month in both currencies, with and without tax", async () => {
    const { driven, post } = books
    await driven({ customer_id: zurich, total_amount: 129.55 })
    await driven({ customer_id: zurich, total_amount: 45.45, taxes: [{ rate: 2.6 }] })
    await driven({ customer_id: munich, total_amount: 210.1, currency: "EUR" })
    await driven({ customer_id: munich, total_amount: 99.95 })
    const quote = await post<QuoteRecord>("/quotes", {
      customer_id: zurich,
      items: [
        {
          description: "Transfer",
          amount: 80.15,
          trip: {
            trip_date: `${month}-04T10:00:00Z`,
            pickup_address: "A",
            dropoff_address: "B",
            customer_name: "Ada"
          }
        },
        { description: "Meet and greet", amount: 20.05 }
      ]
    })
    const { trip_ids } = await post<{ readonly trip_ids: ReadonlyArray<number> }>(
      `/quotes/${quote.quote_id}/convert`
    )
    await books.patch(`/trips/${trip_ids[0]}`, { status: "completed" })
    const invoices = await Promise.all(
      [
        { customer: zurich, currency: "CHF" },
        { customer: munich, currency: "CHF" },
        { customer: munich, currency: "EUR" }
      ].map(async ({ currency, customer }) =>
        post<InvoiceRecord>(`/customers/${customer}/invoices`, { month, currency })
      )
    )
    const sums = invoices.map(({ currency, customer_id, subtotal, tax_total }) =>
      [customer_id, currency, subtotal, tax_total].join(" ")
    )
    assert.sameMembers(sums, [
      `${zurich} CHF 275.2 ${(18.61 + 1.18).toFixed(2)}`,
      `${munich} CHF 99.95 0`,
      `${munich} EUR 210.1 0`
    ])
    const foreign = invoices.filter(({ customer_id }) => customer_id === munich)
    for (const { untaxed_as } of foreign) assert.strictEqual(untaxed_as, "reverse_charge")
    for (const { invoice_id } of invoices) await post(`/invoices/${invoice_id}/issue`)
    paid = invoices.find(({ customer_id }) => customer_id === zurich) ?? assert.fail("no invoice")
  })

  it("imports a camt.053 statement, and books a transfer in another currency apart", async () => {
    const { amount_due, number } = await books.read(paid.invoice_id)
    const euros = await books.invoice({
      customer_id: munich,
      currency: "EUR",
      items: [{ description: "Shuttle", quantity: 1.5, unit_price: 33.33 }]
    })
    await books.post(`/invoices/${euros.invoice_id}/issue`)
    const entry = (currency: string, amount: number, reference: string, text: string) =>
      `<Ntry><Amt Ccy="${currency}">${amount.toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>` +
      `<BookgDt><Dt>${today}</Dt></BookgDt><AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls><TxDtls>` +
      `<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
    const entries = await importStatement(
      books,
      `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>` +
        `<Acct><Id><IBAN>CH9300762011623852957</IBAN></Id></Acct>` +
        entry("CHF", amount_due + 10, "B1", number ?? "none") +
        entry("EUR", euros.amount_due, "B2", euros.number ?? "none") +
        `</Stmt></BkToCstmrStmt></Document>`
    )
    for (const one of entries) assert.strictEqual((await confirm(books, one)).status, "confirmed")
    assert.deepInclude(await books.read(paid.invoice_id), { status: "paid", amount_to_refund: 10 })
    assert.deepInclude(await books.read(euros.invoice_id), { status: "paid" })
    assert.deepStrictEqual(
      await books.refused(`/invoices/${paid.invoice_id}/payments`, {
        amount: 1,
        currency: "EUR",
        method: "cash"
      }),
      [422, "invalid_request"]
    )
  })

  it("corrects a paid invoice, whose money pays the new one, and refunds in part", async () => {
    const { account, get, post, read } = books
    const corrected = await post<InvoiceRecord>(`/invoices/${paid.invoice_id}/correct`, {
      reason: "other",
      items: [{ description: "Rides", unit_price: 270.05 }]
    })
    assert.deepInclude(corrected, { status: "paid", corrects_invoice_id: paid.invoice_id })
    const entries = await get<ReadonlyArray<PaymentRecord>>(`/invoices/${paid.invoice_id}/payments`)
    const received = entries.find(({ kind }) => kind === "payment" || kind === "excess")
    await post(`/invoices/${paid.invoice_id}/payments/${received?.payment_id}/refund`, { amount: 3.05 })
    const mistake = await books.invoice({
      customer_id: munich,
      items: [{ description: "Ride", unit_price: 70 }]
    })
    assert.strictEqual((await account.client.remove(`/invoices/${mistake.invoice_id}`)).status, 200)
    assert.strictEqual((await read(mistake.invoice_id)).status, "void")
    const credited = await books.invoice({
      customer_id: munich,
      currency: "EUR",
      items: [{ description: "Ride", unit_price: 120.4 }]
    })
    await post(`/invoices/${credited.invoice_id}/issue`)
    await books.pay(credited.invoice_id, 20.4, { method: "card" })
    await post(`/invoices/${credited.invoice_id}/credit-notes`, { refund: false })
  })

  it("closes with exports and a report of taxes whose sums are those of the ledger", async () => {
    const { datev, report } = await assertBooks(books, "CHF", {
      receivable: ["1210"],
      money: ["1800", "1600", "1460"]
    })
    const reverse = report.rows.filter(({ untaxed_as }) => untaxed_as === "reverse_charge")
    assert.sameMembers(
      reverse.map(({ country, currency }) => `${country} ${currency}`),
      ["DE CHF", "DE EUR"]
    )
    for (const { currency, net, tax } of reverse) {
      assert.strictEqual(tax, 0)
      assert.strictEqual(datev[`${currency} 4337`] ?? 0, -centsOf(net))
    }
  })

  it("has money that equals the ledger by livery check money", async () => {
    assert.strictEqual(await place.shell("check", "money"), "Every sum equals its ledger\n")
  })
})
