import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertMoney, assertStatuses, biller, billingPg, line, wrongFields } from "./Billing.ts"

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

billingPg("invoices", (it) => {
  it.effect("have lines, taxes and sums, each rounded once", () =>
    Effect.gen(function* () {
      const { customer, invoice, read } = yield* biller(yield* openServer())
      const { customer_id } = yield* customer()
      const made = yield* invoice({
        customer_id,
        currency: "chf",
        due_date: "2026-12-20",
        notes: "Thank you",
        items: [
          { description: "Transfer", quantity: 1.5, unit_price: 33.33, tax_rate: 8.1 },
          { description: "Waiting", quantity: 0.333, unit_price: 10, tax_rate: 8.1 },
          { description: "Water", unit_price: 2, tax_rate: 2.6 },
          { description: "Discount", quantity: -1, unit_price: 5 }
        ]
      })
      // The tax of 8.1 % is 4.32 on the sum of 50.00 and 3.33, and 4.05 + 0.27 on each.
      assert.deepInclude(made, {
        customer_id,
        number: "INV-000001",
        status: "unpaid",
        allowed_transitions: ["void"],
        currency: "CHF",
        subtotal: 50.33,
        tax_total: 4.37,
        total_amount: 54.7,
        amount_paid: 0,
        amount_due: 54.7,
        due_date: "2026-12-20",
        overdue: false,
        notes: "Thank you",
        trip_ids: [],
        sent_at: null
      })
      const items = made["items"] as ReadonlyArray<{ readonly amount: number }>
      assert.deepStrictEqual(
        items.map(({ amount }) => amount),
        [50, 3.33, 2, -5]
      )
      assert.match(String(made["payment_hash"]), /^inv_b[0-9a-f]{11}_[\w-]{43}$/u)
      assert.deepStrictEqual(yield* read(made["invoice_id"]), made)
    })
  )

  it.effect("have amounts in the decimals of their currency", () =>
    Effect.gen(function* () {
      const { invoice, raise } = yield* biller(yield* openServer())
      const of = (currency: string, unit_price: number) =>
        raise({ currency, items: [{ description: "Transfer", unit_price, quantity: 3, tax_rate: 10 }] })
      assert.deepInclude(record(yield* of("JPY", 33)), { subtotal: 99, tax_total: 10, total_amount: 109 })
      assert.deepInclude(record(yield* of("KWD", 1.111)), { tax_total: 0.333, total_amount: 3.666 })
      assert.deepStrictEqual(wrongFields(yield* of("JPY", 1.5)), { "items.0.unit_price": "invalid" })
      assert.deepInclude(yield* invoice(), { currency: "USD" })
    })
  )

  it.effect("with wrong fields are refused with all of them named, and take no number", () =>
    Effect.gen(function* () {
      const { invoice, raise, send } = yield* biller(yield* openServer())
      assert.deepStrictEqual(wrongFields(yield* raise({})), { items: "required" })
      const bad = {
        customer_id: 999_999_999,
        currency: "XXX",
        due_date: "2026-02-30",
        notes: "x".repeat(5001),
        items: [{ description: " ", quantity: 0, unit_price: -1, tax_rate: 100.5 }],
        trip_ids: ["x"]
      }
      assert.deepStrictEqual(wrongFields(yield* raise(bad)), {
        currency: "unknown_value",
        due_date: "invalid",
        notes: "too_long",
        "items.0.description": "required",
        "items.0.quantity": "out_of_range",
        "items.0.unit_price": "out_of_range",
        "items.0.tax_rate": "out_of_range",
        "trip_ids.0": "invalid"
      })
      const missing = { customer_id: 999_999_999, items: [{ ...line, trip_id: 999_999_999 }] }
      assert.deepStrictEqual(wrongFields(yield* raise(missing)), { customer_id: "not_found" })
      assert.deepStrictEqual(wrongFields(yield* raise({ trip_ids: [999_999_999] })), {
        "trip_ids.0": "not_found"
      })
      for (const items of [
        [{ ...line, quantity: -1 }],
        [{ ...line, quantity: 1_000_000, unit_price: 100_000_000 }]
      ])
        assert.include(Object.values(wrongFields(yield* raise({ items }))), "out_of_range")
      assert.deepStrictEqual(wrongFields(yield* raise({ items: many(101).map(() => line) })), {
        items: "too_long"
      })
      const made = yield* invoice()
      assert.strictEqual(made["number"], "INV-000001")
      const path = `/invoices/${String(made["invoice_id"])}`
      assert.deepStrictEqual(
        wrongFields(yield* send("PATCH", path, { items: [], customer_id: 999_999_999 })),
        {
          customer_id: "not_found",
          items: "required"
        }
      )
      assert.deepStrictEqual(wrongFields(yield* send("PATCH", path, { currency: "CHF" })), {})
      assert.deepStrictEqual(wrongFields(yield* send("GET", "/invoices?status=open")), {
        status: "unknown_value"
      })
    })
  )

  it.effect("take null for a list that is optional, as if it were absent", () =>
    Effect.gen(function* () {
      const { invoice, raise, trip } = yield* biller(yield* openServer())
      const { trip_id } = yield* trip({ total_amount: 80 })
      assert.deepInclude(yield* invoice({ items: null, trip_ids: [trip_id] }), {
        total_amount: 80,
        trip_ids: [trip_id]
      })
      assert.deepInclude(yield* invoice({ items: [line], trip_ids: null }), {
        total_amount: 100,
        trip_ids: []
      })
      assert.deepStrictEqual(wrongFields(yield* raise({ items: null, trip_ids: null })), {
        items: "required"
      })
    })
  )

  it.effect("are numbered without gaps, also when many are raised at once and some are refused", () =>
    Effect.gen(function* () {
      const { customer, raise, send } = yield* biller(yield* openServer())
      const { customer_id } = yield* customer()
      const answers = yield* Effect.forEach(
        many(24),
        (index) => raise({ items: [line], customer_id: index % 4 === 0 ? 999_999_999 : customer_id }),
        { concurrency: "unbounded" }
      )
      const numbers = answers.filter(({ status }) => status === 201).map((it) => String(record(it)["number"]))
      assert.deepStrictEqual(
        numbers.toSorted(),
        many(18).map((index) => `INV-${String(index + 1).padStart(6, "0")}`)
      )
      assert.lengthOf(records(yield* send("GET", "/invoices?search=inv-00001")), 9)
      assert.lengthOf(records(yield* send("GET", "/invoices?per_page=5&page=4")), 3)
    })
  )

  it.effect("are limited by the plan in the month of the business's clock, exactly, also at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId, raise, send } = yield* biller(yield* openServer(), "free")
      yield* sql`UPDATE businesses SET timezone = 'Pacific/Auckland' WHERE business_id = ${businessId}`
      yield* TestClock.setTime(Date.parse("2026-11-30T10:30:00Z"))
      const answers = yield* Effect.forEach(many(15), () => raise(), { concurrency: "unbounded" })
      assertStatuses(answers, [...many(10).map(() => 201), ...many(5).map(() => 402)])
      const beyond = yield* raise()
      assert.notInclude(beyond.text, "seats")
      const [detail] = refusedAs(beyond, 402, "plan_limit_exceeded") ?? []
      assert.deepStrictEqual(detail, {
        limit: 10,
        current: 10,
        seat_price: null,
        currency: "USD",
        requires_confirmation: false
      })
      // An invoice that was voided by DELETE counts: its number stays taken.
      const [first] = records(yield* send("GET", "/invoices"))
      record(yield* send("DELETE", `/invoices/${String(first?.["invoice_id"])}`))
      refusedAs(yield* raise(), 402, "plan_limit_exceeded")
      // It is 1 December in Auckland, and still November in UTC.
      yield* TestClock.setTime(Date.parse("2026-11-30T11:00:00Z"))
      assert.strictEqual(record(yield* raise())["number"], "INV-000011")
      yield* TestClock.setTime(Date.parse("2026-11-20T09:30:00Z"))
    })
  )

  it.effect("are changed with their ETag, until they are paid in part", () =>
    Effect.gen(function* () {
      const { customer, invoice, payment, paymentStatusOf, read, send, trip } = yield* biller(
        yield* openServer()
      )
      const { customer_id } = yield* customer()
      const { trip_id } = yield* trip({ total_amount: 50 })
      const { invoice_id } = yield* invoice({ trip_ids: [trip_id] })
      const path = `/invoices/${String(invoice_id)}`
      const before = yield* send("GET", path)
      const stale = { "if-match": before.headers.get("etag") ?? "" }
      assert.deepInclude(record(yield* send("PATCH", path, { customer_id, notes: "x" }, stale)), {
        customer_id
      })
      refusedAs(yield* send("PATCH", path, { notes: "y" }, stale), 409, "conflict")
      refusedAs(yield* send("DELETE", path, undefined, stale), 409, "conflict")
      const changed = record(yield* send("PATCH", path, { items: [{ ...line, unit_price: 30 }] }))
      assert.deepInclude(changed, { status: "unpaid", amount_due: 30, trip_ids: [trip_id] })
      yield* payment(invoice_id, 29)
      refusedAs(yield* send("PATCH", path, { items: [{ ...line, unit_price: 29 }] }), 409, "conflict")
      assert.strictEqual(yield* paymentStatusOf(trip_id), "partial")
      assert.deepInclude(yield* read(invoice_id), { status: "partial", total_amount: 30 })
    })
  )

  it.effect("are voided while unpaid, and free their trips", () =>
    Effect.gen(function* () {
      const { invoice, pay, payment, read, send, trip } = yield* biller(yield* openServer())
      const { trip_id } = yield* trip({ total_amount: 50 })
      const { invoice_id } = yield* invoice({ trip_ids: [trip_id] })
      const path = `/invoices/${String(invoice_id)}`
      const voided = record(yield* send("POST", `${path}/void`))
      assert.deepInclude(voided, { status: "void", amount_due: 0, allowed_transitions: [], trip_ids: [] })
      assert.deepStrictEqual(yield* read(invoice_id), voided)
      assert.deepStrictEqual(wrongFields(yield* send("POST", `${path}/void`)), {
        status: "illegal_transition"
      })
      refusedAs(yield* pay(invoice_id, 1), 409, "conflict")
      refusedAs(yield* send("POST", `${path}/trips`, { trip_ids: [trip_id] }), 409, "conflict")
      const again = yield* invoice({ trip_ids: [trip_id] })
      yield* payment(again["invoice_id"], 1)
      const refusal = yield* send("POST", `/invoices/${String(again["invoice_id"])}/void`)
      assert.deepStrictEqual(wrongFields(refusal), { status: "illegal_transition" })
      assert.strictEqual(
        refusal.body.error?.message,
        "An invoice that is partial cannot become void. Refund its payments first, or issue a credit note"
      )
    })
  )

  it.effect("are void once they are deleted, which is possible without payments, and keep their number", () =>
    Effect.gen(function* () {
      const { invoice, payment, read, send, trip } = yield* biller(yield* openServer())
      const { trip_id } = yield* trip({ total_amount: 50 })
      const made = yield* invoice({ trip_ids: [trip_id] })
      const path = `/invoices/${String(made["invoice_id"])}`
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      const voided = yield* read(made["invoice_id"])
      assert.deepInclude(voided, { number: "INV-000001", status: "void", trip_ids: [], total_amount: 50 })
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      assert.deepStrictEqual(records(yield* send("GET", "/invoices")), [voided])
      const next = yield* invoice({ trip_ids: [trip_id] })
      assert.strictEqual(next["number"], "INV-000002")
      const other = `/invoices/${String(next["invoice_id"])}`
      record(yield* send("POST", `${other}/issue`))
      assert.deepStrictEqual(refusedAs(yield* send("DELETE", other), 409, "confirmation_required"), [
        { type: "invoice", invoice_id: next["invoice_id"], number: "INV-000002" }
      ])
      yield* payment(next["invoice_id"], 1)
      refusedAs(yield* send("DELETE", other, { force: true }), 409, "conflict")
    })
  )

  it.effect("leave sums that equal the ledger", () => assertMoney)
})
