// The statement of a customer: its balances are the sums of the ledger.
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { messagesTo } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { biller, billing, billingPg, line, wrongFields } from "./Billing.ts"
import { invoicePrinter, isPdf, pathOf } from "./InvoicePrinting.ts"
import { randomMonth } from "./RandomMonth.ts"

type Row = Readonly<Record<string, unknown>>

const cents = (amount: unknown) => Math.round(Number(amount) * 100)
const goTo = (time: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(time)))

/** The accounts of a statement. */
const accountsOf = (statement: Row) => statement["accounts"] as ReadonlyArray<Row>

/** A customer of a business in Berlin with an invoice of October, and movements of November. */
const given = Effect.gen(function* () {
  yield* goTo("2026-10-20T08:00:00Z")
  const owner = yield* biller(yield* openServer())
  const { customer, invoice, payment, send } = owner
  record(yield* send("PATCH", "/settings/business", { timezone: "Europe/Berlin", currency: "EUR" }))
  const { customer_id } = yield* customer({ name: "=Acme", email: "acme@example.com", language: "de" })
  const path = `/customers/${String(customer_id)}/statement`
  const of = { customer_id, currency: "EUR" }
  const october = yield* invoice({ ...of, items: [line] })
  yield* payment(october["invoice_id"], 40)
  // Already November in Berlin.
  yield* goTo("2026-10-31T23:30:00Z")
  const november = yield* invoice({ ...of, items: [line] })
  yield* goTo("2026-11-03T08:00:00Z")
  const { payment_id } = yield* payment(november["invoice_id"], 130)
  record(yield* send("POST", `${pathOf(october)}/apply-credit`, { amount: 20 }))
  yield* goTo("2026-11-05T08:00:00Z")
  record(yield* send("POST", `${pathOf(october)}/credit-notes`, { items: [line], refund: false }))
  const lost = yield* invoice({ ...of, items: [line] })
  record(yield* send("POST", `${pathOf(lost)}/void`))
  yield* invoice({ ...of, currency: "CHF", items: [line] })
  return { ...owner, customer_id, path, payment_id, days: "?from=2026-11-01&to=2026-11-30" }
})

billing("a statement", (it) => {
  it.effect("has each movement with the balance after it, by currency, between two balances", () =>
    Effect.gen(function* () {
      const { days, path, send } = yield* given
      const [francs, euros, ...others] = accountsOf(record(yield* send("GET", `${path}${days}`)))
      assert.lengthOf(others, 0)
      assert.deepInclude(francs, { currency: "CHF", opening_balance: 0, closing_balance: 100 })
      assert.deepInclude(euros, { currency: "EUR", opening_balance: 60, closing_balance: -70 })
      assert.deepStrictEqual(
        ((euros?.["lines"] ?? []) as ReadonlyArray<Row>).map(({ amount, balance, day, number, type }) =>
          [day, type, number, amount, balance].join(" ")
        ),
        [
          "2026-11-01 invoice INV-000002 100 160",
          "2026-11-03 payment INV-000002 -130 30",
          "2026-11-03 credit_used INV-000002 20 50",
          "2026-11-03 credit_used INV-000001 -20 30",
          "2026-11-05 invoice INV-000003 100 130",
          "2026-11-05 voided INV-000003 -100 30",
          "2026-11-05 credit_note CN-000001 -100 -70"
        ]
      )
      const before = accountsOf(record(yield* send("GET", `${path}?from=2026-10-01&to=2026-10-31`)))
      assert.deepInclude(before[0], { currency: "EUR", opening_balance: 0, closing_balance: 60 })
      const none = accountsOf(record(yield* send("GET", `${path}?from=2025-10-01&to=2025-10-31`)))
      assert.deepStrictEqual(none, [{ currency: "EUR", opening_balance: 0, closing_balance: 0, lines: [] }])
    })
  )

  it.effect("is a CSV that no spreadsheet evaluates, if the request accepts that", () =>
    Effect.gen(function* () {
      const { days, path, payment, send, invoice, customer_id } = yield* given
      const made = yield* invoice({ customer_id, currency: "EUR", items: [line] })
      yield* payment(made["invoice_id"], 1)
      record(
        yield* send("POST", `${pathOf(made)}/payments`, { amount: 1, method: "cash", reference: "=1+1" })
      )
      const answer = yield* send("GET", `${path}${days}`, undefined, { accept: "text/csv" })
      const rows = new TextDecoder().decode(answer.bytes).trimEnd().split("\r\n")
      assert.strictEqual(answer.headers.get("content-type"), "text/csv; charset=utf-8")
      assert.strictEqual(rows[0], "currency,day,type,number,reference,amount,balance")
      assert.include(rows, "EUR,2026-11-01,opening_balance,,,,60.00")
      assert.include(rows, "EUR,2026-11-05,payment,INV-000005,'=1+1,-1.00,28.00")
      assert.include(rows, "EUR,2026-11-30,closing_balance,,,,28.00")
    })
  )

  it.effect("is of a customer of the business, and of at most ten years in their order", () =>
    Effect.gen(function* () {
      const { customer_id, path, send } = yield* given
      const other = yield* biller(yield* openServer())
      const days = "?from=2026-11-01&to=2026-11-30"
      refusedAs(
        yield* other.send("GET", `/customers/${String(customer_id)}/statement${days}`),
        404,
        "not_found"
      )
      for (const wrong of ["?from=2026-11-02&to=2026-11-01", "?from=2010-11-02&to=2026-11-01"])
        assert.deepStrictEqual(wrongFields(yield* send("GET", `${path}${wrong}`)), { to: "out_of_range" })
      assert.deepStrictEqual(wrongFields(yield* send("GET", path)), { from: "required", to: "required" })
    })
  )

  for (const seed of [1, 2, 3])
    it.effect(`has the closing balance of the ledger after a random month (${seed})`, () =>
      Effect.gen(function* () {
        const { send } = yield* randomMonth(seed)
        const [customer] = records(yield* send("GET", "/customers"))
        const id = String(customer?.["customer_id"])
        const read = (days: string) =>
          Effect.map(
            send("GET", `/customers/${id}/statement${days}`),
            (answer) => accountsOf(record(answer))[0]
          )
        const invoices = records(yield* send("GET", `/customers/${id}/invoices?per_page=100`))
        const owed = invoices.reduce(
          (sum, { amount_due, amount_to_refund }) => sum + cents(amount_due) - cents(amount_to_refund),
          0
        )
        const whole = yield* read("?from=2026-11-01&to=2026-11-30")
        assert.strictEqual(cents(whole?.["closing_balance"]), owed)
        const first = yield* read("?from=2026-11-01&to=2026-11-14")
        const second = yield* read("?from=2026-11-15&to=2026-11-30")
        assert.strictEqual(first?.["closing_balance"], second?.["opening_balance"])
        assert.strictEqual(cents(second?.["closing_balance"]), owed)
      })
    )
})

billingPg("a statement on paper", (it) => {
  it.effect("is drawn as a PDF, and emailed for one credit in the language of the customer", () =>
    Effect.gen(function* () {
      const { creditsLeft, customer, email, invoice, send } = yield* invoicePrinter(yield* openServer(), 1)
      const path = `/customers/${String(customer["customer_id"])}`
      record(yield* send("PATCH", path, { language: "fr" }))
      yield* invoice()
      const days = { from: "2026-11-01", to: "2026-11-30" }
      const pdf = yield* send("GET", `${path}/statement?from=${days.from}&to=${days.to}`, undefined, {
        accept: "application/pdf"
      })
      assert.isTrue(isPdf(pdf))
      const sent = record(yield* send("POST", `${path}/statement/send`, { ...days, message: "Bonjour" }))
      assert.deepInclude(sent, { email_status: "queued", email, email_credits: 0 })
      const [message] = yield* messagesTo(email)
      assert.strictEqual(message?.subject, "Relevé de compte de Isar Chauffeurs")
      assert.match(message?.text ?? "", /^Bonjour\n\nLe relevé.*119\.00 EUR/u)
      assert.strictEqual(message?.attachments?.[0]?.content_type, "application/pdf")
      refusedAs(yield* send("POST", `${path}/statement/send`, days), 403, "usage_limit_reached")
      assert.strictEqual(yield* creditsLeft, 0)
      record(yield* send("PATCH", path, { email: null }))
      assert.deepStrictEqual(wrongFields(yield* send("POST", `${path}/statement/send`, days)), {
        email: "required"
      })
    })
  )
})
