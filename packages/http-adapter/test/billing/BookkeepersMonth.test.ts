// A month of bookkeeping: at its end, the lists of invoices, credit notes, payments and refunds have consistent sums.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { record, records } from "../support/TestServer.ts"
import { billing, countsOf, line } from "./Billing.ts"
import { cards } from "./CardBusiness.ts"

type Row = Readonly<Record<string, unknown>>

const cents = (amount: unknown) => Math.round(Number(amount) * 100)
const total = (rows: ReadonlyArray<Row>, field: string) =>
  rows.reduce((sum, row) => sum + cents(row[field]), 0)

billing("a bookkeeper's month", (it) => {
  it.effect("closes with sums that agree, numbers without gaps, and each event once", () =>
    Effect.gen(function* () {
      const { customer, events, invoice, payByCard, payment, paymentStatusOf, read, send, succeeded, trip } =
        yield* cards
      const path = (made: Row) => `/invoices/${String(made["invoice_id"])}`
      const { customer_id } = yield* customer({ name: "Acme" })
      const ride = (total_amount: number, day: string, cost_center: string) =>
        trip({ customer_id, total_amount, trip_date: `2026-12-${day}T10:00:00Z`, cost_center })
      const rides = [yield* ride(120, "03", "Sales"), yield* ride(80.5, "09", "Board")]
      for (const { trip_id } of rides)
        record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
      const lost = yield* ride(60, "10", "Sales")
      record(
        yield* send("PATCH", `/trips/${String(lost["trip_id"])}`, {
          status: "cancelled",
          cancel_reason: "late_cancel",
          cancellation_fee: 20
        })
      )

      // The month of the customer on one invoice: a transfer in part, the rest by card.
      const month = record(
        yield* send("POST", `/customers/${String(customer_id)}/invoices`, {
          month: "2026-12",
          group_by: "cost_center",
          tax_rate: 7.7
        })
      )
      assert.deepInclude(month, {
        number: "INV-000001",
        subtotal: 220.5,
        tax_total: 16.98,
        total_amount: 237.48
      })
      yield* payment(month["invoice_id"], 100)
      for (const { trip_id } of rides) assert.strictEqual(yield* paymentStatusOf(trip_id), "partial")
      yield* payByCard(month)
      yield* succeeded
      for (const { trip_id } of [...rides, lost]) assert.strictEqual(yield* paymentStatusOf(trip_id), "paid")

      // A complaint about the second ride: half of it is taken back, and goes to the card.
      const note = record(
        yield* send("POST", `${path(month)}/credit-notes`, {
          reason: "complaint",
          items: [{ description: "Late pickup", unit_price: 40.25, tax_rate: 7.7 }]
        })
      )
      assert.deepInclude(note, { number: "CN-000001", total_amount: -43.35, refund_amount: 43.35 })
      assert.deepInclude(yield* read(month["invoice_id"]), {
        status: "paid",
        amount_paid: 194.13,
        amount_due: 0
      })

      // A mistake that is voided, one that is deleted, an invoice that stays open.
      const mistake = yield* invoice()
      record(yield* send("POST", `${path(mistake)}/void`))
      const deleted = yield* invoice()
      record(yield* send("DELETE", path(deleted)))
      const open = yield* invoice({ items: [{ ...line, unit_price: 50 }], customer_id })
      const { payment_id } = yield* payment(open["invoice_id"], 30)
      record(yield* send("POST", `${path(open)}/payments/${String(payment_id)}/refund`, { amount: 10 }))

      // A booking that is paid at the counter.
      const product = record(yield* send("POST", "/products", { name: "Tour", kind: "other", price: 75 }))
      const { product_id } = product
      const booking = record(
        yield* send("POST", "/bookings", {
          product_id,
          starts_at: "2026-12-24T10:00:00Z",
          customer_name: "Ada"
        })
      )
      record(
        yield* send("POST", `/bookings/${String(booking["booking_id"])}/payments`, {
          amount: 75,
          method: "cash"
        })
      )

      const listed = records(yield* send("GET", "/invoices"))
      assert.deepStrictEqual(
        listed.map(({ number, status }) => [number, status]),
        [
          ["INV-000005", "paid"],
          ["INV-000004", "partial"],
          ["INV-000003", "void"],
          ["INV-000002", "void"],
          ["INV-000001", "paid"]
        ]
      )
      const valid = listed.filter(({ status }) => status !== "void")
      const notes = (yield* Effect.forEach(valid, (one) => send("GET", `${path(one)}/credit-notes`))).flatMap(
        records
      )
      const entries = (yield* Effect.forEach(valid, (one) => send("GET", `${path(one)}/payments`))).flatMap(
        records
      )
      const of = (...kinds: ReadonlyArray<string>) =>
        total(
          entries.filter(({ kind }) => kinds.includes(String(kind))),
          "amount"
        )
      const revenue = total(valid, "total_amount") + total(notes, "total_amount")
      const cash = of("payment", "excess") - of("refund", "excess_refund")
      assert.deepStrictEqual([revenue, cash, total(valid, "amount_due")], [31_913, 28_913, 3_000])
      assert.strictEqual(revenue - cash, total(valid, "amount_due"))
      assert.strictEqual(total(valid, "amount_to_refund"), 0)
      assert.deepStrictEqual(countsOf(yield* events), {
        "invoice.created": 5,
        "payment.succeeded": 4,
        "invoice.paid": 2,
        "invoice.updated": 8
      })
    })
  )
})
