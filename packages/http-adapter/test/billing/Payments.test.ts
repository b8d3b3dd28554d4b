import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import {
  assertMoney,
  assertStatuses,
  biller,
  billing,
  billingPg,
  countsOf,
  line,
  wrongFields
} from "./Billing.ts"

/** The time after that much time. */
const timeIn = (time: Parameters<typeof DateTime.add>[1]) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.add(now, time)))

billing("payments", (it) => {
  it.effect("move an invoice from unpaid to partial to paid, and refunds move it back", () =>
    Effect.gen(function* () {
      const { events, invoice, payment, read, send } = yield* biller(yield* openServer())
      const { invoice_id } = yield* invoice()
      const path = `/invoices/${String(invoice_id)}/payments`
      const first = record(
        yield* send("POST", path, {
          amount: 40.5,
          method: "bank_transfer",
          received_at: "2026-11-19T08:00:00Z",
          reference: "R-1"
        })
      )
      assert.deepInclude(first, {
        invoice_id,
        kind: "payment",
        amount: 40.5,
        currency: "USD",
        method: "bank_transfer",
        received_at: "2026-11-19T08:00:00Z",
        reference: "R-1",
        refund_of: null
      })
      assert.deepInclude(yield* read(invoice_id), { status: "partial", amount_paid: 40.5, amount_due: 59.5 })
      // The clock of the caller may be a minute ahead.
      const early = { amount: 59.5, method: "cash", received_at: yield* timeIn({ seconds: 60 }) }
      const second = record(yield* send("POST", path, early))
      assert.deepInclude(yield* read(invoice_id), { status: "paid", amount_paid: 100, amount_due: 0 })
      const refund = (of: object, body: object = {}) =>
        send("POST", `${path}/${String((of as { payment_id: number }).payment_id)}/refund`, body)
      const part = record(yield* refund(second, { amount: 9.5, reference: "Sorry" }))
      assert.deepInclude(part, { kind: "refund", amount: 9.5, refund_of: second["payment_id"] })
      assert.deepInclude(yield* read(invoice_id), { status: "partial", amount_paid: 90.5, amount_due: 9.5 })
      assert.deepStrictEqual(wrongFields(yield* refund(second, { amount: 50.01 })), {
        amount: "out_of_range"
      })
      assert.deepInclude(record(yield* refund(second)), { amount: 50 })
      refusedAs(yield* refund(second), 409, "conflict")
      refusedAs(yield* refund(part), 409, "conflict")
      yield* refund(first)
      assert.deepInclude(yield* read(invoice_id), { status: "unpaid", amount_paid: 0, amount_due: 100 })
      yield* payment(invoice_id, 100)
      const entries = records(yield* send("GET", path))
      assert.deepStrictEqual(
        entries.map(({ amount, kind }) => [kind, amount]),
        [
          ["payment", 40.5],
          ["payment", 59.5],
          ["refund", 9.5],
          ["refund", 50],
          ["refund", 40.5],
          ["payment", 100]
        ]
      )
      // It became paid twice.
      assert.deepStrictEqual(countsOf(yield* events), {
        "invoice.created": 1,
        "payment.succeeded": 3,
        "invoice.paid": 2,
        "invoice.updated": 4
      })
      assert.deepStrictEqual((yield* events).slice(-2), [
        { type: "payment.succeeded", data: { invoice_id, amount: 100 } },
        { type: "invoice.paid", data: { invoice_id, status: "paid" } }
      ])
    })
  )

  it.effect("with wrong fields are refused, and nothing is written", () =>
    Effect.gen(function* () {
      const { events, invoice, read, send } = yield* biller(yield* openServer())
      const made = yield* invoice()
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const wrong = (body: object) => Effect.map(send("POST", path, body), wrongFields)
      assert.deepStrictEqual(yield* wrong({}), { amount: "required", method: "required" })
      assert.deepStrictEqual(yield* wrong({ amount: 0, method: "gold", received_at: "soon", reference: 7 }), {
        amount: "out_of_range",
        method: "unknown_value",
        received_at: "invalid",
        reference: "invalid"
      })
      for (const amount of [-1, 1e12])
        assert.deepStrictEqual(yield* wrong({ amount, method: "cash" }), { amount: "out_of_range" })
      for (const future of [{ seconds: 61 }, { days: 400 }])
        assert.deepStrictEqual(
          yield* wrong({ amount: 0.001, method: "cash", received_at: yield* timeIn(future) }),
          { amount: "invalid", received_at: "out_of_range" }
        )
      for (const amount of ["1", 0.001])
        assert.deepStrictEqual(yield* wrong({ amount, method: "cash" }), { amount: "invalid" })
      refusedAs(yield* send("POST", `${path}/999999999/refund`, {}), 404, "not_found")
      assert.deepStrictEqual(yield* read(made["invoice_id"]), made)
      assert.deepStrictEqual(countsOf(yield* events), { "invoice.created": 1 })
    })
  )

  it.effect("leave sums that equal the ledger", () => assertMoney)
})

billingPg("payments", (it) => {
  it.effect(
    "that arrive at once count up to the total, and the invoice is paid once; the rest is credit",
    () =>
      Effect.gen(function* () {
        const { events, invoice, pay, read, trip, paymentStatusOf } = yield* biller(yield* openServer())
        for (let round = 1; round <= 3; round++) {
          const { trip_id } = yield* trip({ total_amount: 100 })
          const { invoice_id } = yield* invoice({ trip_ids: [trip_id] })
          const answers = yield* Effect.all(
            Array.from({ length: 6 }, () => pay(invoice_id, 25)),
            { concurrency: "unbounded" }
          )
          assertStatuses(answers, [201, 201, 201, 201, 201, 201])
          assert.deepInclude(yield* read(invoice_id), {
            status: "paid",
            amount_paid: 100,
            amount_to_refund: 50
          })
          assert.strictEqual(yield* paymentStatusOf(trip_id), "paid")
          assert.deepInclude(countsOf(yield* events), {
            "payment.succeeded": 6 * round,
            "invoice.paid": round
          })
        }
      })
  )

  it.effect("and refunds at once never return more than was paid", () =>
    Effect.gen(function* () {
      const { invoice, payment, read, send } = yield* biller(yield* openServer())
      const { invoice_id } = yield* invoice()
      const { payment_id } = yield* payment(invoice_id, 100)
      const refund = send("POST", `/invoices/${String(invoice_id)}/payments/${String(payment_id)}/refund`, {
        amount: 30
      })
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => refund),
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [201, 201, 201, 422, 422])
      const refused = answers.find(({ status }) => status === 422)
      assert.include(refused?.body.error?.message, "10.00 USD of the payment is left")
      assert.deepInclude(yield* read(invoice_id), { status: "partial", amount_paid: 10 })
    })
  )

  it.effect("and a void at once end with one of them", () =>
    Effect.gen(function* () {
      const { invoice, pay, read, send } = yield* biller(yield* openServer())
      for (let round = 0; round < 6; round++) {
        const { invoice_id } = yield* invoice({ items: [line] })
        const [paid, voided] = yield* Effect.all(
          [pay(invoice_id, 100), send("POST", `/invoices/${String(invoice_id)}/void`)],
          { concurrency: "unbounded" }
        )
        const { status } = yield* read(invoice_id)
        assert.deepStrictEqual(
          [paid.status, voided.status, status],
          paid.status === 201 ? [201, 422, "paid"] : [409, 200, "void"]
        )
      }
    })
  )
})
