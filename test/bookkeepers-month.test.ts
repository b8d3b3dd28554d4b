// A bookkeeper's month on the built server: the API, the shell, the emulated Stripe account and the mail directory.
import type {
  CardPaymentRecord,
  CreditNoteRecord,
  CustomerRecord,
  InvoiceRecord,
  PaymentLinkRecord,
  PaymentRecord,
  TripRecord
} from "@livery/domain"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Answer, bearer, type Client, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { messageTo } from "./support/Mail.ts"
import type { Server } from "./support/Server.ts"

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const email = "ada@acme.example"
const appUrl = "https://app.example.com"

/** The time zone in which it is between 12:00 and 13:00 now, when reminders are sent. */
const noonZone = () => {
  const east = 12 - new Date().getUTCHours()
  return `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`
}

const done = <A>({ body, status, text }: Answer<A>): A => {
  assert.oneOf(status, [200, 201], text)
  return body.data
}

const refused = ({ body, status }: Answer): readonly [number, string | undefined] => [
  status,
  body.error?.type
]

describe("a bookkeeper's month on the built server", () => {
  let place: Installation
  let server: Server
  let key: string
  let api: Client
  let month: InvoiceRecord
  beforeAll(async () => {
    place = await installation({ embedded: "copied", settings: { APP_URL: appUrl } })
    server = await place.serve(["--sandbox"])
    key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
    api = clientOf(server.api, bearer(key))
    await shell("businesses", "credits", "1", "10", "--reason", "Test")
    await shell("businesses", "update", "1", "--plan", "1")
    const profile = { timezone: noonZone(), currency: "EUR", country: "DE", vat_number: "DE123456789" }
    done(
      await api.patch("/settings/business", {
        ...profile,
        payment_terms_days: 14,
        dunning: { automatic: true, levels: [{ days: 3 }] }
      })
    )
  })
  afterAll(() => place.remove())

  const shell = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await place.command(args)
    assert.strictEqual(code, 0, stderr)
    return stdout
  }
  const path = ({ invoice_id }: InvoiceRecord) => `/invoices/${invoice_id}`
  const read = async (invoice: InvoiceRecord) => done(await api.get<InvoiceRecord>(path(invoice)))
  const raise = async (unit_price: number) =>
    done(await api.post<InvoiceRecord>("/invoices", { items: [{ description: "Transfer", unit_price }] }))
  const numbers = async () =>
    done(await api.get<ReadonlyArray<InvoiceRecord>>("/invoices")).map(({ number, status }) => [
      number,
      status
    ])

  /** Pays the amount due as the customer's browser does, and waits for the provider's notice. */
  const payByCard = async (invoice: InvoiceRecord) => {
    const begun = await api.post<CardPaymentRecord>(`/public/invoices/${invoice.payment_hash}/pay`, {})
    const secret = done(begun).client_secret
    const sandbox = /^ {2}Sandbox +(\S+)/mu.exec(server.program.stdout())?.[1] ?? "none"
    const confirmed = await fetch(`${sandbox}/v1/payment_intents/${secret.split("_secret_")[0]}/confirm`, {
      method: "POST",
      headers: { Authorization: "Bearer pk_test_sandbox" },
      body: new URLSearchParams({ client_secret: secret, payment_method: "pm_card_visa" })
    })
    assert.strictEqual(confirmed.status, 200)
    await vi.waitUntil(async () => (await read(invoice)).status === "paid", { timeout: 60_000, interval: 20 })
  }

  it("invoices a customer's month grouped by cost center, and no trip twice", async () => {
    const customer = { name: "Ada", company: "Acme AG", email, country: "CH", notes: "Secret" }
    const { customer_id } = done(await api.post<CustomerRecord>("/customers", customer))
    const ids: Array<number> = []
    for (const [total_amount, cost_center] of [
      [120, "Sales"],
      [80.5, "Board"],
      [33.33, "Sales"]
    ] as const) {
      const booked = await api.post<TripRecord>("/trips", {
        trip_date: "2026-10-05T10:00:00Z",
        pickup_address: "Airport",
        dropoff_address: "Hotel",
        customer_name: "Ada",
        customer_id,
        total_amount,
        cost_center
      })
      ids.push(done(booked).trip_id)
      done(await api.patch(`/trips/${ids.at(-1)}`, { status: "completed" }))
    }
    const bill = (body: object) => api.post<InvoiceRecord>(`/customers/${customer_id}/invoices`, body)
    assert.deepStrictEqual(refused(await bill({ month: "2026-13" })), [422, "invalid_request"])
    const monthly = { month: "2026-10", group_by: "cost_center", tax_rate: 7.7 }
    month = done(await bill({ ...monthly, due_date: "2020-01-01" }))
    assert.deepInclude(month, { number: "INV-000001", subtotal: 233.83, tax_total: 18, total_amount: 251.83 })
    assert.deepStrictEqual(
      month.items.map(({ trip_id }) => trip_id),
      [1, 0, 2].map((index) => ids[index] ?? 0)
    )
    assert.deepStrictEqual(refused(await bill({ month: "2026-10" })), [409, "conflict"])
    assert.deepStrictEqual(refused(await api.post("/invoices", { trip_ids: ids })), [409, "conflict"])
  })

  it("shows the holder of the link the amounts and lines, and nothing else", async () => {
    const shown = done(await api.get<object>(`/public/invoices/${month.payment_hash}`))
    assert.sameMembers(Object.keys(shown), [
      "business_name",
      "business",
      "bank_account",
      "card",
      "part_payments_allowed",
      "number",
      "status",
      "currency",
      "subtotal",
      "tax_total",
      "tax_breakdown",
      "total_amount",
      "amount_paid",
      "amount_credited",
      "amount_due",
      "due_date",
      "overdue",
      "created_at",
      "items"
    ])
    assert.notMatch(JSON.stringify(shown), /Acme|Secret|ada@|_id"/u)
    const unknown = `${month.payment_hash.slice(0, -1)}_`
    assert.deepStrictEqual(refused(await api.get(`/public/invoices/${unknown}`)), [404, "not_found"])
  })

  it("emails the PDF for a credit, and reminds the customer of it with the link to pay", async () => {
    assert.deepStrictEqual(refused(await api.patch(path(month), { due_date: "2030-01-01" })), [
      409,
      "conflict"
    ])
    done(await api.post(`${path(month)}/email`, { message: "Thank you" }))
    assert.include(await messageTo(place.directory, email), `Pay online: ${appUrl}/pay#invoice=`)
    await server.stop()
    server = await place.serve(["--sandbox"])
    api = clientOf(server.api, bearer(key))
    const reminder = await vi.waitFor(
      async () => {
        const text = await messageTo(place.directory, email)
        assert.include(text, "251.83 EUR is due")
        assert.include(text, "since 2020-01-01")
        return text
      },
      { timeout: 60_000, interval: 20 }
    )
    assert.include(reminder, `Pay online: ${appUrl}/pay#invoice=${month.payment_hash}`)
    assert.lengthOf(await readdir(join(place.directory, "mail")), 2)
    assert.deepInclude(await read(month), { overdue: true, status: "unpaid" })
  })

  it("takes payments by hand and by card in the currency of the invoice, and refunds and credits them", async () => {
    const payments = `${path(month)}/payments`
    const transfer = (amount: number) =>
      api.post<PaymentRecord>(payments, { amount, method: "bank_transfer" })
    const foreign = { amount: 100, currency: "USD", method: "bank_transfer" }
    assert.deepStrictEqual(refused(await api.post(payments, foreign)), [422, "invalid_request"])
    const { payment_id } = done(await transfer(100))
    await payByCard(month)
    const again = await api.post(`/public/invoices/${month.payment_hash}/pay`, {})
    assert.deepStrictEqual(refused(again), [422, "payment_link_failed"])
    done(await api.post(`${payments}/${payment_id}/refund`, { amount: 40 }))
    assert.deepInclude(await read(month), { status: "partial", amount_due: 40 })
    assert.deepStrictEqual(refused(await api.post(`${payments}/${payment_id}/refund`, { amount: 60.01 })), [
      422,
      "invalid_request"
    ])
    const items = [{ description: "Late", unit_price: 50, tax_rate: 7.7 }]
    const note = done(await api.post<CreditNoteRecord>(`${path(month)}/credit-notes`, { items }))
    assert.deepInclude(note, { number: "CN-000001", total_amount: -53.85, refund_amount: 13.85 })
    assert.deepInclude(await read(month), {
      status: "paid",
      amount_paid: 197.98,
      amount_due: 0,
      amount_to_refund: 0,
      allowed_transitions: []
    })
    assert.deepStrictEqual(refused(await api.remove(path(month), { force: true })), [409, "conflict"])
  })

  it("voids, deletes and numbers without gaps, up to the plan's invoices of the month", async () => {
    const [mistake, sent] = [await raise(10), await raise(20)]
    done(await api.post(`${path(mistake)}/void`))
    assert.deepStrictEqual(refused(await api.post(`${path(mistake)}/void`)), [422, "invalid_request"])
    done(await api.post(`${path(sent)}/email`, { to: "bob@example.com" }))
    assert.deepStrictEqual(refused(await api.remove(path(sent))), [409, "confirmation_required"])
    done(await api.remove(path(sent), { force: true }))
    assert.deepInclude(await read(sent), { status: "void", number: "INV-000003" })
    const open = await raise(30)
    assert.deepStrictEqual(await numbers(), [
      [open.number, "unpaid"],
      [sent.number, "void"],
      [mistake.number, "void"],
      [month.number, "paid"]
    ])
    assert.strictEqual(open.number, "INV-000004")
    for (let raised = 4; raised < 10; raised++) await raise(1)
    const beyond = await api.post("/invoices", { items: [{ description: "x", unit_price: 1 }] })
    assert.deepStrictEqual(refused(beyond), [402, "plan_limit_exceeded"])
    assert.notInclude(beyond.text, "seats")
  })

  it("gives a trip without a price no link, and prints an invoice with its electronic copy", async () => {
    const free = {
      trip_date: "2026-10-05T10:00:00Z",
      pickup_address: "A",
      dropoff_address: "B",
      customer_name: "C"
    }
    const { trip_id } = done(await api.post<TripRecord>("/trips", free))
    const link = await api.post<PaymentLinkRecord>(`/trips/${trip_id}/payment-link`)
    assert.deepStrictEqual(refused(link), [422, "payment_link_failed"])
    const pdf = await fetch(`${server.api}${path(month)}/pdf`, { headers: bearer(key) })
    assert.strictEqual(pdf.headers.get("X-Electronic-Invoice"), "attached")
    assert.match(Buffer.from(await pdf.arrayBuffer()).toString("latin1"), /^%PDF-1\.7/u)
  })

  it("ends with every sum equal to its ledger", async () => {
    assert.strictEqual(await shell("check", "money"), "Every sum equals its ledger\n")
  })
})
