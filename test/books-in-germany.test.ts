/** A bookkeeper's month with prices that include the tax, by a tariff and at several rates. */
import type { CreditNoteRecord, InvoiceRecord, TripRecord } from "@livery/domain"
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
import { bearer } from "./support/Client.ts"
import { centsOf } from "./support/Ledger.ts"
import { messageTo } from "./support/Mail.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe("a bookkeeper's month in Germany, where prices include the tax", () => {
  let place: Awaited<ReturnType<typeof bookkeeping>>
  let books: Business
  let hotel: number
  let opera: number
  let hotelsMonth: InvoiceRecord
  let operasMonth: InvoiceRecord

  beforeAll(async () => {
    place = await bookkeeping()
    books = await place.business({
      business_name: "Berlin Cars",
      country: "DE",
      currency: "EUR",
      timezone: "Europe/Berlin",
      vat_number: "DE123456789",
      prices_include_tax: true,
      default_taxes: [{ rate: 19 }]
    })
    hotel = await books.customer({
      name: "Zoë Kröger",
      company: 'Hotel "Krone"; KG',
      email: "hotel@example.com",
      country: "DE",
      account_number: "10042"
    })
    opera = await books.customer({ name: "Opera House", email: "opera@example.com", country: "DE" })
  })
  afterAll(() => place.remove())

  it("bills the month of all customers in one run, by a tariff and at several rates, and names what it leaves out", async () => {
    const { driven, get, monthly, post } = books
    const { tariff_id } = await post<{ readonly tariff_id: number }>("/tariffs", {
      name: "City",
      currency: "EUR",
      classes: [{ vehicle_class: "sedan", distance: [{ base: 20.05, tiers: [{ amount: 2.45 }] }] }],
      modifiers: { tax: { included: true, exempt: ["tolls"], rates: [{ percent: 7 }] } }
    })
    const ride = await post<TripRecord>("/trips", {
      trip_date: `${month}-02T10:00:00Z`,
      pickup_address: "Airport",
      dropoff_address: "Opera",
      customer_id: opera,
      distance_m: 12_300,
      tolls_amount: 3.5
    })
    await post(`/trips/${ride.trip_id}/fare`, { vehicle_class: "sedan", tariff_id })
    await books.patch(`/trips/${ride.trip_id}`, { status: "completed" })
    const priced = await get<TripRecord>(`/trips/${ride.trip_id}`)
    for (const total_amount of [49, 45.5, 33.33]) await driven({ customer_id: hotel, total_amount })
    await driven({ customer_id: hotel, total_amount: 80.5, taxes: [{ rate: 7 }] })
    await driven({ customer_id: opera, total_amount: 12.35 })
    await driven({ customer_id: opera, total_amount: 19.99, taxes: [] })
    const unpriced = await driven({ customer_id: hotel })
    const open = await post<TripRecord>("/trips", {
      trip_date: `${month}-03T10:00:00Z`,
      pickup_address: "A",
      dropoff_address: "B",
      customer_id: hotel,
      total_amount: 10
    })

    const made = await monthly()
    const invoiceOf = async (customer: number) => {
      const one = made.find(({ customer_id }) => customer_id === customer)
      assert.strictEqual(one?.outcome, "made")
      return books.read(one?.invoice_id ?? 0)
    }
    hotelsMonth = await invoiceOf(hotel)
    operasMonth = await invoiceOf(opera)
    assert.deepStrictEqual(
      made.find(({ customer_id }) => customer_id === hotel)?.left_out,
      [
        { trip_id: unpriced.trip_id, reason: "no_price" as const },
        { trip_id: open.trip_id, reason: "not_completed" as const }
      ].toSorted((one, other) => one.trip_id - other.trip_id)
    )
    assert.strictEqual(hotelsMonth.total_amount, 208.33)
    assert.strictEqual(
      centsOf(operasMonth.total_amount),
      centsOf(priced.total_amount) + centsOf(12.35) + centsOf(19.99)
    )
    assert.deepStrictEqual(
      operasMonth.tax_breakdown.map(({ rate }) => rate).toSorted((one, other) => one - other),
      [0, 7, 19]
    )
    assert.deepStrictEqual(await books.refused(`/customers/${hotel}/invoices`, { month }), [409, "conflict"])
  })

  it("emails an invoice, which does not change from then on", async () => {
    const { account, post, read } = books
    await post(`/invoices/${hotelsMonth.invoice_id}/email`)
    assert.include(await messageTo(place.directory, "hotel@example.com"), hotelsMonth.number ?? "none")
    const changed = await account.client.patch(`/invoices/${hotelsMonth.invoice_id}`, {
      due_date: "2050-01-01"
    })
    assert.strictEqual(changed.status, 409, changed.text)
    const pdf = async () => {
      const answer = await fetch(`${books.api}/invoices/${hotelsMonth.invoice_id}/pdf`, {
        headers: bearer(account.apiKey)
      })
      return Buffer.from(await answer.arrayBuffer()).toString("base64")
    }
    const before = await pdf()
    await books.patch("/settings/business", { business_name: "Berlin Chauffeurs" })
    await books.patch(`/customers/${hotel}`, { company: "Krone SE" })
    assert.strictEqual(await pdf(), before)
    assert.strictEqual((await read(hotelsMonth.invoice_id)).total_amount, 208.33)
  })

  it("takes payments in part and beyond what is due, reverses a typing error, and refunds", async () => {
    const { pay, post, read } = books
    const { invoice_id } = hotelsMonth
    await pay(invoice_id, 100)
    const typed = await pay(invoice_id, 1083.3)
    await post(`/invoices/${invoice_id}/payments/${typed.payment_id}/reverse`, {
      reason: "One zero too many"
    })
    assert.deepInclude(await read(invoice_id), { amount_paid: 100, amount_to_refund: 0 })
    await pay(invoice_id, 120, { method: "cash" })
    assert.deepInclude(await read(invoice_id), { status: "paid", amount_to_refund: 11.67 })
    const next = await books.invoice({
      customer_id: hotel,
      items: [{ description: "Guide", unit_price: 9.99 }]
    })
    await post(`/invoices/${next.invoice_id}/apply-credit`)
    assert.deepInclude(await read(next.invoice_id), { status: "paid", amount_paid: 9.99 })
    assert.deepInclude(await read(invoice_id), { amount_to_refund: 1.68 })
  })

  it("imports the bank's statement, where one transfer pays several invoices", async () => {
    const other = await books.invoice({
      customer_id: opera,
      items: [{ description: "Guide", unit_price: 45.5, tax_rate: 7 }]
    })
    const due = [await books.read(operasMonth.invoice_id), await books.read(other.invoice_id)]
    const sum = due.reduce((total, { amount_due }) => total + centsOf(amount_due), 0) + 500
    const paid = `${Math.floor(sum / 100)},${String(sum % 100).padStart(2, "0")}`
    const text = due.map(({ number }) => number).join(" ")
    const statement = `Buchungstag;Name;Zweck;Betrag\r\n${today.split("-").toReversed().join(".")};Opera;${text};${paid}\r\n`
    const [entry] = await importStatement(books, statement, {
      day: "Buchungstag",
      name: "Name",
      reference: "Zweck",
      amount: "Betrag"
    })
    if (entry === undefined) return assert.fail("no entry")
    assert.strictEqual((await confirm(books, entry)).status, "confirmed")
    for (const { invoice_id } of due) assert.strictEqual((await books.read(invoice_id)).status, "paid")
    const { balances } = await books.get<{ readonly balances: ReadonlyArray<object> }>(
      `/customers/${opera}/credit`
    )
    assert.strictEqual(balances.length, 1)
    assert.deepInclude(balances[0], { currency: "EUR", amount: 5 })
  })

  it("corrects, credits and voids invoices, and sells a tour", async () => {
    const { invoice, pay, post, read, refused } = books
    const corrected = await post<InvoiceRecord>(`/invoices/${operasMonth.invoice_id}/correct`, {
      reason: "price",
      items: [
        { description: "Rides", unit_price: 60.6, tax_rate: 7 },
        { description: "Tolls", unit_price: 3.5, tax_rate: 0 }
      ]
    })
    assert.strictEqual(corrected.corrects_invoice_id, operasMonth.invoice_id)
    const wrong = await invoice({ customer_id: hotel, items: [{ description: "Guide", unit_price: 49 }] })
    await post(`/invoices/${wrong.invoice_id}/issue`)
    await post(`/invoices/${wrong.invoice_id}/void`)
    assert.deepStrictEqual(
      await refused(`/invoices/${wrong.invoice_id}/payments`, { amount: 1, method: "cash" }),
      [409, "conflict"]
    )
    const late = await invoice({
      customer_id: hotel,
      items: [
        { description: "Ride", quantity: 3, unit_price: 33.33 },
        { description: "Water", quantity: 2, unit_price: 1.99, tax_rate: 7 }
      ]
    })
    await pay(late.invoice_id, 103.97)
    const note = await post<CreditNoteRecord>(`/invoices/${late.invoice_id}/credit-notes`, {
      reason: "complaint",
      items: [{ description: "Late", unit_price: 10.01, tax_rate: 19 }]
    })
    assert.deepInclude(note, { total_amount: -10.01, refund_amount: 10.01 })
    // No net amount in cents plus 19 % of it is 1.03.
    for (const description of ["Water", "Coffee"])
      await invoice({ customer_id: hotel, items: [{ description, unit_price: 1.03 }] })
    await invoice({ draft: true, items: [{ description: "Not yet", unit_price: 77 }] })
    const { product_id } = await post<{ readonly product_id: number }>("/products", {
      name: "Old town",
      kind: "tour",
      pickup_address: "Station",
      dropoff_address: "Station",
      price: 45,
      taxes: [{ rate: 7 }]
    })
    const { booking_id } = await post<{ readonly booking_id: number }>("/bookings", {
      product_id,
      starts_at: "2040-05-05T10:00:00Z",
      participants_count: 3,
      customer_name: "Ada"
    })
    await post(`/bookings/${booking_id}/payments`, { amount: 50, method: "card" })
    assert.strictEqual((await read(late.invoice_id)).status, "paid")
  })

  it("closes with exports and a report of taxes whose sums are those of the ledger", async () => {
    const { ledger, report } = await assertBooks(books, "EUR", {
      receivable: ["1410", "10042"],
      money: ["1000", "1200", "1360"]
    })
    const rates = new Map<number, number>()
    for (const { tax, tax_rate } of report.rows)
      rates.set(tax_rate, (rates.get(tax_rate) ?? 0) + centsOf(tax))
    assert.deepStrictEqual(
      [rates.get(7), rates.get(19), rates.get(0)],
      [ledger.taxes["EUR 7"], ledger.taxes["EUR 19"], 0]
    )
  })

  it("has money that equals the ledger by livery check money", async () => {
    assert.strictEqual(await place.shell("check", "money"), "Every sum equals its ledger\n")
  })
})
