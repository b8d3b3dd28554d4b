/**
 * A bookkeeper's month in two countries on the built server and PostgreSQL. One business has prices with tax, by a tariff and
 * at several rates; the other has net prices, customers abroad who owe the tax themselves, and invoices in two currencies. At
 * the end, each export has the sums of the ledger, to the cent.
 */
import type {
  BankEntryRecord,
  BankStatementRecord,
  CreditNoteRecord,
  CustomerRecord,
  InvoiceRecord,
  MonthlyRunRecord,
  PaymentRecord,
  QuoteRecord,
  TaxReport,
  TripRecord
} from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { signUp } from "./support/Account.ts"
import {
  bookFile,
  columnSums,
  csvRows,
  datevBalance,
  journalBalance,
  quickBooksBalance,
  xeroTotals
} from "./support/BookFiles.ts"
import { bearer } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { centsOf, dataOf, ledgerOf } from "./support/Ledger.ts"
import { messageTo } from "./support/Mail.ts"
import type { Server } from "./support/Server.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const today = new Date().toISOString().slice(0, 10)
const month = today.slice(0, 7)
const year = today.slice(0, 4)
const days = `from=${year}-01-01&to=${year}-12-31`

let place: Installation
let server: Server

const shell = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await place.command(args)
  assert.strictEqual(code, 0, stderr)
  return stdout
}

beforeAll(async () => {
  place = await installation({ settings: { APP_URL: "https://app.example.com" } })
  server = await place.serve()
})
afterAll(() => place.remove())

/** A business with the largest plan and credits for emails. */
const business = async (settings: object) => {
  const account = await signUp(place, server)
  const id = String(account.businessId)
  await shell("businesses", "update", id, "--plan", "3")
  await shell("businesses", "credits", id, "100", "--reason", "Test")
  const { client } = account
  const post = async <A>(path: string, body?: unknown) => dataOf(await client.post<A>(path, body))
  const patch = async <A>(path: string, body: unknown) => dataOf(await client.patch<A>(path, body))
  const get = async <A>(path: string) => dataOf(await client.get<A>(path))
  await patch("/settings/business", settings)
  return {
    account,
    post,
    patch,
    get,
    refused: async (path: string, body?: unknown) => {
      const answer = await client.post(path, body)
      return [answer.status, answer.body.error?.type] as const
    },
    customer: async (fields: object) => (await post<CustomerRecord>("/customers", fields)).customer_id,
    /** A trip of this month that was driven. */
    driven: async (fields: object) => {
      const trip = await post<TripRecord>("/trips", {
        trip_date: `${month}-01T10:00:00Z`,
        pickup_address: "Airport",
        dropoff_address: "Hotel",
        ...fields
      })
      return patch<TripRecord>(`/trips/${trip.trip_id}`, { status: "completed" })
    },
    invoice: (body: object) => post<InvoiceRecord>("/invoices", body),
    read: (id: number) => get<InvoiceRecord>(`/invoices/${id}`),
    pay: (id: number, amount: number, more: object = {}) =>
      post<PaymentRecord>(`/invoices/${id}/payments`, { amount, method: "bank_transfer", ...more }),
    /** Raises the invoices of the month for all customers, and returns them by customer and currency. */
    monthly: async () => {
      const { run_id } = await post<MonthlyRunRecord>("/invoices/monthly", { month })
      const run = await vi.waitUntil(
        async () => {
          const read = await get<MonthlyRunRecord>(`/invoice-runs/${run_id}`)
          return read.status === "finished" ? read : undefined
        },
        { timeout: 30_000, interval: 20 }
      )
      return run.customers
    }
  }
}

type Business = Awaited<ReturnType<typeof business>>

/** Imports a bank statement, and returns its entries. */
const importStatement = async (
  { account, get }: Business,
  text: string,
  columns: Readonly<Record<string, string>> = {}
) => {
  const form = new FormData()
  form.set("file", new Blob([text]), "statement")
  for (const [name, value] of Object.entries(columns)) form.set(name, value)
  const answer = await fetch(`${server.api}/bank-statements`, {
    method: "POST",
    headers: bearer(account.apiKey),
    body: form
  })
  const { data } = (await answer.json()) as { readonly data: BankStatementRecord }
  assert.strictEqual(answer.status, 200)
  return get<ReadonlyArray<BankEntryRecord>>(`/bank-statements/${data.statement_id}/entries`)
}

/** Confirms an entry as its proposals suggest: each proposed invoice with a reference gets what is due. */
const confirm = async ({ post }: Business, { entry_id, proposals, statement_id }: BankEntryRecord) => {
  const allocations = proposals
    .filter(({ reasons }) => reasons.includes("reference"))
    .map(({ amount_due, invoice_id }) => ({ invoice_id, amount: amount_due }))
  return post<BankEntryRecord>(`/bank-statements/${statement_id}/entries/${entry_id}/confirm`, {
    allocations
  })
}

/** Compares every export and the report of taxes with the ledger. `accounts` are those of DATEV. */
const assertBooks = async (
  { account, get }: Business,
  base: string,
  accounts: { readonly receivable: ReadonlyArray<string>; readonly money: ReadonlyArray<string> }
) => {
  const ledger = await ledgerOf(account.client)
  const file = (kind: string, format: string) =>
    bookFile(`${server.api}/exports/${kind}?${days}&format=${format}`, bearer(account.apiKey))

  const documents = [await file("invoices", "csv"), await file("credit-notes", "csv")]
  const rows = (await Promise.all(documents.map(csvRows))).flat()
  assert.deepStrictEqual(columnSums(rows, "total"), ledger.invoiced, "the totals in CSV")
  assert.deepStrictEqual(columnSums(rows, "net"), ledger.net, "the net amounts in CSV")
  assert.deepStrictEqual(columnSums(rows, "tax"), ledger.tax, "the tax in CSV")
  const payments = await file("payments", "csv")
  assert.deepStrictEqual(columnSums(await csvRows(payments), "amount"), ledger.received)
  assert.deepStrictEqual(payments.stated, ledger.received)

  const pick = (balance: Readonly<Record<string, number>>, names: ReadonlyArray<string>) => {
    const sums: Record<string, number> = {}
    for (const [key, cents] of Object.entries(balance)) {
      const [currency = "", name = ""] = key.split(" ")
      if (names.includes(name)) sums[currency] = (sums[currency] ?? 0) + cents
    }
    return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0))
  }
  const journal = journalBalance(await csvRows(await file("journal", "csv")))
  assert.deepStrictEqual(pick(journal, ["receivable"]), ledger.receivable, "receivables in CSV")
  assert.deepStrictEqual(pick(journal, ["bank", "cash", "card", "other"]), ledger.received)
  assert.deepStrictEqual(pick(journal, ["credit"]), {}, "the account of credit is empty")

  const datev = await datevBalance(await file("journal", "datev"), base)
  assert.deepStrictEqual(pick(datev, accounts.receivable), ledger.receivable, "receivables in DATEV")
  assert.deepStrictEqual(pick(datev, accounts.money), ledger.received, "money in DATEV")

  const all = (sums: Readonly<Record<string, number>>) =>
    Object.values(sums).reduce((sum, one) => sum + one, 0)
  const quickBooks = quickBooksBalance(await file("journal", "quickbooks"))
  for (const [name, cents] of [
    ["Accounts Receivable", all(ledger.receivable)],
    ["Undeposited Funds", all(ledger.received)],
    ["Sales", -all(ledger.net)],
    ["Sales Tax Payable", -all(ledger.tax)]
  ] as const)
    assert.strictEqual(quickBooks[name], cents, `QuickBooks: ${name}`)

  const xero = await Promise.all(
    [await file("invoices", "xero"), await file("credit-notes", "xero")].map(xeroTotals)
  )
  for (const [name, of] of [
    ["total", ledger.invoiced],
    ["tax", ledger.tax]
  ] as const) {
    const sums: Record<string, number> = {}
    for (const part of xero)
      for (const [currency, cents] of Object.entries(part[name]))
        sums[currency] = (sums[currency] ?? 0) + cents
    assert.deepStrictEqual(sums, of, `Xero: ${name}`)
  }

  const report = await get<TaxReport>(`/reports/tax?${days}&period=year`)
  const totals = (field: "net" | "tax" | "total") =>
    Object.fromEntries(
      report.totals.map((total) => [total.currency, centsOf(total[field])]).filter(([, cents]) => cents !== 0)
    )
  assert.deepStrictEqual(totals("net"), ledger.net, "net in the report of taxes")
  assert.deepStrictEqual(totals("tax"), ledger.tax, "tax in the report of taxes")
  assert.deepStrictEqual(totals("total"), ledger.invoiced, "totals in the report of taxes")

  const screen = (name: string) =>
    get<{ readonly totals: ReadonlyArray<Readonly<Record<string, unknown>>> }>(`/reports/${name}?${days}`)
  const sumsOf = async (name: string, field: string) =>
    Object.fromEntries(
      (await screen(name)).totals
        .map((total) => [String(total["currency"]), centsOf(total[field])] as const)
        .filter(([, cents]) => cents !== 0)
    )
  assert.deepStrictEqual(await sumsOf("revenue", "net"), ledger.net, "net in the report of revenue")
  assert.deepStrictEqual(await sumsOf("revenue", "tax"), ledger.tax, "tax in the report of revenue")
  assert.deepStrictEqual(await sumsOf("taxes", "tax"), ledger.tax, "tax in the report of a month's taxes")
  assert.deepStrictEqual(await sumsOf("taxes", "taxable"), ledger.net, "net in that report")
  return { ledger, report, datev }
}

describe("a bookkeeper's month in Germany, where prices include the tax", () => {
  let books: Business
  let hotel: number
  let opera: number
  let hotelsMonth: InvoiceRecord
  let operasMonth: InvoiceRecord

  beforeAll(async () => {
    books = await business({
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
      const answer = await fetch(`${server.api}/invoices/${hotelsMonth.invoice_id}/pdf`, {
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
})

describe("a bookkeeper's month in Switzerland, where prices are net and customers abroad owe the tax", () => {
  let books: Business
  let zurich: number
  let munich: number
  let paid: InvoiceRecord

  beforeAll(async () => {
    books = await business({
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
})

it("the money of both businesses equals their ledgers by livery check money", async () => {
  assert.strictEqual(await shell("check", "money"), "Every sum equals its ledger\n")
})
