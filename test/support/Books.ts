/**
 * The books of a business on the built server and PostgreSQL, whose exports have the sums of the ledger, to the cent. Another
 * business on the same server has invoices in the same currencies, which none of these exports may contain.
 */
import type {
  BankEntryRecord,
  BankStatementRecord,
  CustomerRecord,
  InvoiceRecord,
  MonthlyRunRecord,
  PaymentRecord,
  TaxReport,
  TripRecord
} from "@livery/domain"
import { assert, vi } from "vitest"
import { signUp } from "./Account.ts"
import {
  bookFile,
  columnSums,
  csvRows,
  datevBalance,
  journalBalance,
  quickBooksBalance,
  xeroTotals
} from "./BookFiles.ts"
import { bearer } from "./Client.ts"
import { type Installation, installation } from "./Installation.ts"
import { centsOf, dataOf, ledgerOf } from "./Ledger.ts"
import type { Server } from "./Server.ts"

export const today = new Date().toISOString().slice(0, 10)
/** The current month, in which the businesses drive and bill. */
export const month = today.slice(0, 7)
const year = today.slice(0, 4)
const days = `from=${year}-01-01&to=${year}-12-31`

const shellOf =
  (place: Installation) =>
  async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await place.command(args)
    assert.strictEqual(code, 0, stderr)
    return stdout
  }

/** A business with the largest plan and credits for emails. */
const makeBusiness = (place: Installation, server: Server) => async (settings: object) => {
  const account = await signUp(place, server)
  const id = String(account.businessId)
  await shellOf(place)("businesses", "update", id, "--plan", "3")
  await shellOf(place)("businesses", "credits", id, "100", "--reason", "Test")
  const { client } = account
  const post = async <A>(path: string, body?: unknown) => dataOf(await client.post<A>(path, body))
  const patch = async <A>(path: string, body: unknown) => dataOf(await client.patch<A>(path, body))
  const get = async <A>(path: string) => dataOf(await client.get<A>(path))
  await patch("/settings/business", settings)
  return {
    account,
    api: server.api,
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

export type Business = Awaited<ReturnType<ReturnType<typeof makeBusiness>>>

/** A server with another business, whose paid invoices no export of a later business contains. */
export const bookkeeping = async () => {
  const place = await installation({ settings: { APP_URL: "https://app.example.com" } })
  const server = await place.serve()
  const business = makeBusiness(place, server)
  const other = await business({ business_name: "Other Cars", country: "AT", currency: "EUR" })
  for (const currency of ["EUR", "CHF"]) {
    const { invoice_id } = await other.invoice({
      currency,
      items: [{ description: "Ride", unit_price: 1234.56, tax_rate: 10 }]
    })
    await other.post(`/invoices/${invoice_id}/issue`)
    await other.pay(invoice_id, 700)
  }
  return { business, directory: place.directory, remove: () => place.remove(), shell: shellOf(place) }
}

/** Imports a bank statement, and returns its entries. */
export const importStatement = async (
  { account, api, get }: Business,
  text: string,
  columns: Readonly<Record<string, string>> = {}
) => {
  const form = new FormData()
  form.set("file", new Blob([text]), "statement")
  for (const [name, value] of Object.entries(columns)) form.set(name, value)
  const answer = await fetch(`${api}/bank-statements`, {
    method: "POST",
    headers: bearer(account.apiKey),
    body: form
  })
  const { data } = (await answer.json()) as { readonly data: BankStatementRecord }
  assert.strictEqual(answer.status, 200)
  return get<ReadonlyArray<BankEntryRecord>>(`/bank-statements/${data.statement_id}/entries`)
}

/** Confirms an entry as its proposals suggest: each proposed invoice with a reference gets what is due. */
export const confirm = async ({ post }: Business, { entry_id, proposals, statement_id }: BankEntryRecord) => {
  const allocations = proposals
    .filter(({ reasons }) => reasons.includes("reference"))
    .map(({ amount_due, invoice_id }) => ({ invoice_id, amount: amount_due }))
  return post<BankEntryRecord>(`/bank-statements/${statement_id}/entries/${entry_id}/confirm`, {
    allocations
  })
}

/** Compares every export and the report of taxes with the ledger. `accounts` are those of DATEV. */
export const assertBooks = async (
  { account, api, get }: Business,
  base: string,
  accounts: { readonly receivable: ReadonlyArray<string>; readonly money: ReadonlyArray<string> }
) => {
  const ledger = await ledgerOf(account.client)
  const file = (kind: string, format: string) =>
    bookFile(`${api}/exports/${kind}?${days}&format=${format}`, bearer(account.apiKey))

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
