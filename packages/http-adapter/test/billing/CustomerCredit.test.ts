/** Excess payments, the credit that follows from them, remittances, and reversals, over HTTP. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, countsOf, line, wrongFields } from "./Billing.ts"
import { cards } from "./CardBusiness.ts"

/** A biller with a customer, and functions for the customer's money. */
const given = Effect.gen(function* () {
  const business = yield* biller(yield* openServer())
  const { customer, invoice, send } = business
  const { customer_id } = yield* customer({ name: "Acme" })
  const path = (invoiceId: unknown) => `/invoices/${String(invoiceId)}`
  return {
    ...business,
    customer_id,
    bill: (unit_price: number, change: object = {}) =>
      invoice({ customer_id, items: [{ ...line, unit_price }], ...change }),
    use: (invoiceId: unknown, body: object | null = null) =>
      send("POST", `${path(invoiceId)}/apply-credit`, body ?? undefined),
    reverse: (entry: Readonly<Record<string, unknown>>, reason = "A typing error") =>
      send("POST", `${path(entry["invoice_id"])}/payments/${String(entry["payment_id"])}/reverse`, {
        reason
      }),
    refund: (entry: Readonly<Record<string, unknown>>, body: object = {}) =>
      send("POST", `${path(entry["invoice_id"])}/payments/${String(entry["payment_id"])}/refund`, body),
    entries: (invoiceId: unknown) => Effect.map(send("GET", `${path(invoiceId)}/payments`), records),
    kinds: (invoiceId: unknown) =>
      Effect.map(send("GET", `${path(invoiceId)}/payments`), (answer) =>
        records(answer).map(({ amount, kind }) => [kind, amount])
      ),
    credit: Effect.map(
      send("GET", `/customers/${String(customer_id)}/credit`),
      (answer) => record(answer)["balances"] as ReadonlyArray<Readonly<Record<string, unknown>>>
    ),
    remit: (body: object) => send("POST", "/payments", { ...body })
  }
})

billing("a payment beyond the amount due", (it) => {
  it.effect("is one entry, whose excess is credit of the customer, and pays another invoice", () =>
    Effect.gen(function* () {
      const { bill, credit, events, kinds, pay, read, use } = yield* given
      const [one, two] = [yield* bill(100), yield* bill(70)]
      assert.deepInclude(record(yield* pay(one["invoice_id"], 150)), { amount: 150, excess_amount: 50 })
      assert.deepInclude(yield* read(one["invoice_id"]), {
        status: "paid",
        amount_paid: 100,
        amount_to_refund: 50
      })
      const { invoice_id, number } = one
      assert.deepStrictEqual<unknown>(yield* credit, [
        { currency: "USD", amount: 50, invoices: [{ invoice_id, number, amount: 50 }] }
      ])
      assert.deepInclude(record(yield* use(two["invoice_id"], { amount: 20 })), {
        status: "partial",
        amount_paid: 20,
        amount_due: 50
      })
      assert.deepInclude(record(yield* use(two["invoice_id"])), { status: "partial", amount_due: 20 })
      assert.deepStrictEqual(yield* credit, [])
      assert.deepStrictEqual(yield* kinds(invoice_id), [
        ["payment", 150],
        ["credit", 50],
        ["credit_used", 20],
        ["credit_used", 30]
      ])
      assert.deepStrictEqual(yield* kinds(two["invoice_id"]), [
        ["from_credit", 20],
        ["from_credit", 30]
      ])
      assert.deepStrictEqual(countsOf(yield* events), {
        "invoice.created": 2,
        "payment.succeeded": 1,
        "invoice.paid": 1,
        "invoice.updated": 6
      })
      assert.deepStrictEqual(
        (yield* events).flatMap(({ data, type }) =>
          type === "invoice.updated" ? [[data["invoice_id"], data["change"]]] : []
        ),
        [
          [invoice_id, "sealed"],
          [invoice_id, "credit_used"],
          [two["invoice_id"], "credit_applied"],
          [two["invoice_id"], "sealed"],
          [invoice_id, "credit_used"],
          [two["invoice_id"], "credit_applied"]
        ]
      )
    })
  )

  it.effect("of an invoice without a customer is to be refunded, and credit once it has a customer", () =>
    Effect.gen(function* () {
      const { bill, credit, customer_id, invoice, pay, send, use } = yield* given
      const { invoice_id } = yield* invoice()
      record(yield* pay(invoice_id, 130))
      refusedAs(yield* use(invoice_id), 409, "conflict")
      assert.deepStrictEqual(yield* credit, [])
      record(yield* send("PATCH", `/invoices/${String(invoice_id)}`, { customer_id }))
      assert.lengthOf(yield* credit, 1)
      const { invoice_id: other } = yield* bill(10)
      assert.deepInclude(record(yield* use(other)), { status: "paid" })
    })
  )

  it.effect("is not used beyond what is due or there is, in another currency, or for another customer", () =>
    Effect.gen(function* () {
      const { bill, customer, pay, read, use } = yield* given
      const { invoice_id } = yield* bill(100)
      refusedAs(yield* use(invoice_id), 409, "conflict")
      record(yield* pay(invoice_id, 130))
      refusedAs(yield* use(invoice_id), 409, "conflict")
      const { customer_id } = yield* customer({ name: "Other" })
      for (const change of [{ customer_id }, { currency: "EUR" }])
        refusedAs(yield* use((yield* bill(20, change))["invoice_id"]), 409, "conflict")
      const small = yield* bill(20)
      assert.deepStrictEqual(wrongFields(yield* use(small["invoice_id"], { amount: 20.01 })), {
        amount: "out_of_range"
      })
      assert.deepStrictEqual(wrongFields(yield* use((yield* bill(90))["invoice_id"], { amount: 30.01 })), {
        amount: "out_of_range"
      })
      assert.deepInclude(yield* read(small["invoice_id"]), { status: "unpaid" })
      refusedAs(yield* use(999_999), 404, "not_found")
    })
  )

  it.effect("that came from credit is credit again after a credit note, and can be refunded", () =>
    Effect.gen(function* () {
      const { bill, credit, entries, pay, read, refund, send, use } = yield* given
      const [one, two] = [yield* bill(100), yield* bill(50)]
      record(yield* pay(one["invoice_id"], 150))
      record(yield* use(two["invoice_id"]))
      const note = { refund: false, items: [{ ...line, unit_price: 20 }] }
      record(yield* send("POST", `/invoices/${String(two["invoice_id"])}/credit-notes`, note))
      assert.deepInclude(yield* read(two["invoice_id"]), { status: "paid", amount_to_refund: 20 })
      assert.deepInclude((yield* credit)[0], { amount: 20 })
      const [applied] = yield* entries(two["invoice_id"])
      assert.deepInclude(record(yield* refund(applied ?? {}, { amount: 20 })), { kind: "excess_refund" })
      assert.deepStrictEqual(yield* credit, [])
    })
  )
})

billing("the excess of a card payment", (it) => {
  it.effect("is refunded to the card, and is no credit", () =>
    Effect.gen(function* () {
      const { customer, invoice, pay, payByCard, read, send, succeeded } = yield* cards
      const { customer_id } = yield* customer({ name: "Acme" })
      const made = yield* invoice({ customer_id, items: [line] })
      yield* payByCard(made)
      record(yield* pay(made["invoice_id"], 60))
      yield* succeeded
      const { amount_to_refund } = yield* read(made["invoice_id"])
      assert.strictEqual(amount_to_refund, 60)
      assert.deepStrictEqual(record(yield* send("GET", `/customers/${String(customer_id)}/credit`)), {
        customer_id,
        balances: []
      })
    })
  )
})

billing("a reversal", (it) => {
  it.effect("undoes a payment with its excess, sends an event, and is possible once", () =>
    Effect.gen(function* () {
      const { bill, credit, events, kinds, pay, read, reverse } = yield* given
      const { invoice_id } = yield* bill(100)
      const paid = record(yield* pay(invoice_id, 1000))
      const answer = record(yield* reverse(paid, "100, not 1000"))
      assert.deepInclude(answer, { kind: "excess_correction", amount: 900, reversed_amount: 1000 })
      assert.deepInclude(yield* read(invoice_id), {
        status: "unpaid",
        amount_paid: 0,
        amount_due: 100,
        amount_to_refund: 0
      })
      assert.deepStrictEqual(yield* credit, [])
      refusedAs(yield* reverse(paid), 409, "conflict")
      assert.deepStrictEqual((yield* events).at(-1), {
        type: "payment.reversed",
        data: {
          invoice_id,
          payment_id: paid["payment_id"],
          kind: "payment",
          amount: 1000,
          currency: "USD",
          reason: "100, not 1000"
        }
      })
      record(yield* pay(invoice_id, 100))
      assert.deepStrictEqual(yield* kinds(invoice_id), [
        ["payment", 1000],
        ["credit", 900],
        ["excess_correction", 900],
        ["correction", 100],
        ["payment", 100]
      ])
    })
  )

  it.effect("of a refund makes the amount count again, as far as it is due", () =>
    Effect.gen(function* () {
      const { bill, pay, payment, read, refund, reverse } = yield* given
      const { invoice_id } = yield* bill(100)
      const paid = yield* payment(invoice_id, 100)
      const refunded = record(yield* refund(paid, { amount: 60 }))
      refusedAs(yield* reverse(paid), 409, "conflict")
      record(yield* pay(invoice_id, 20))
      assert.deepInclude(record(yield* reverse(refunded)), {
        kind: "reversal",
        amount: 40,
        reversed_amount: 60
      })
      assert.deepInclude(yield* read(invoice_id), { status: "paid", amount_paid: 100, amount_to_refund: 20 })
      refusedAs(yield* reverse(refunded), 409, "conflict")
      assert.deepInclude(record(yield* reverse(paid)), { reversed_amount: 100 })
    })
  )

  it.effect("of an amount from credit gives the credit back, and a used payment is reversed after that", () =>
    Effect.gen(function* () {
      const { bill, credit, entries, pay, read, reverse, use } = yield* given
      const [one, two] = [yield* bill(100), yield* bill(30)]
      const paid = record(yield* pay(one["invoice_id"], 150))
      record(yield* use(two["invoice_id"]))
      refusedAs(yield* reverse(paid), 409, "conflict")
      const [applied] = yield* entries(two["invoice_id"])
      record(yield* reverse(applied ?? {}))
      assert.deepInclude(yield* read(two["invoice_id"]), { status: "unpaid", amount_due: 30 })
      assert.deepInclude((yield* credit)[0], { amount: 50 })
      record(yield* reverse(paid))
      assert.deepInclude(yield* read(one["invoice_id"]), { status: "unpaid", amount_to_refund: 0 })
    })
  )

  it.effect("needs a reason, and a payment or a refund that was entered by hand", () =>
    Effect.gen(function* () {
      const { bill, entries, pay, reverse } = yield* given
      const { invoice_id } = yield* bill(100)
      record(yield* pay(invoice_id, 150))
      const [paid, credited] = yield* entries(invoice_id)
      assert.deepStrictEqual(wrongFields(yield* reverse(paid ?? {}, " ")), { reason: "required" })
      refusedAs(yield* reverse(credited ?? {}), 409, "conflict")
      refusedAs(yield* reverse({ ...paid, invoice_id: 999_999 }), 404, "not_found")
      refusedAs(yield* reverse({ invoice_id, payment_id: 999_999 }), 404, "not_found")
    })
  )
})

billing("money for several invoices", (it) => {
  it.effect("is one payment with an entry for each invoice, and the rest is credit", () =>
    Effect.gen(function* () {
      const { bill, credit, customer_id, kinds, read, remit, send } = yield* given
      const [one, two] = [yield* bill(100), yield* bill(70)]
      const body = {
        customer_id,
        amount: 200,
        currency: "USD",
        reference: "E2E-7",
        received_on: "2026-11-19",
        allocations: [
          { invoice_id: one["invoice_id"], amount: 100 },
          { invoice_id: two["invoice_id"], amount: 50 }
        ]
      }
      const made = record(yield* remit(body))
      assert.deepInclude(made, { amount: 200, unallocated_amount: 50, method: "bank_transfer" })
      assert.deepInclude(yield* read(one["invoice_id"]), { status: "paid", amount_to_refund: 50 })
      assert.deepInclude(yield* read(two["invoice_id"]), { status: "partial", amount_paid: 50 })
      assert.deepInclude((yield* credit)[0], { amount: 50 })
      assert.deepStrictEqual(yield* kinds(one["invoice_id"]), [
        ["payment", 100],
        ["excess", 50]
      ])
      const path = `/payments/${String(made["remittance_id"])}`
      assert.deepStrictEqual(record(yield* send("GET", path)), made)
      assert.deepStrictEqual(records(yield* send("GET", "/payments")), [made])
      refusedAs(yield* send("GET", "/payments/999999"), 404, "not_found")
    })
  )

  it.effect("is refused with each wrong field named, and nothing is written", () =>
    Effect.gen(function* () {
      const { bill, customer, customer_id, events, invoice, remit, send } = yield* given
      const [one, euros, foreign, gone] = [
        yield* bill(100),
        yield* bill(10, { currency: "EUR" }),
        yield* invoice({ customer_id: (yield* customer({ name: "Other" }))["customer_id"], items: [line] }),
        yield* bill(10)
      ]
      record(yield* send("POST", `/invoices/${String(gone["invoice_id"])}/void`))
      const before = yield* events
      const allocation = (made: Readonly<Record<string, unknown>>, amount: number) => ({
        invoice_id: made["invoice_id"],
        amount
      })
      assert.deepStrictEqual(wrongFields(yield* remit({})), { amount: "required", allocations: "required" })
      assert.deepStrictEqual(
        wrongFields(
          yield* remit({
            customer_id,
            amount: 1000,
            currency: "USD",
            received_on: "2026-11-22",
            allocations: [
              allocation(one, 100.01),
              allocation(euros, 1),
              allocation(foreign, 1),
              allocation(gone, 1),
              allocation(one, 0.001),
              { invoice_id: 999_999, amount: 1 }
            ]
          })
        ),
        {
          received_on: "out_of_range",
          "allocations.0.amount": "out_of_range",
          "allocations.1.invoice_id": "invalid",
          "allocations.2.invoice_id": "invalid",
          "allocations.3.invoice_id": "invalid",
          "allocations.4.invoice_id": "invalid",
          "allocations.4.amount": "invalid",
          "allocations.5.invoice_id": "not_found"
        }
      )
      assert.deepStrictEqual(wrongFields(yield* remit({ amount: 50, allocations: [allocation(one, 60)] })), {
        allocations: "out_of_range"
      })
      assert.deepStrictEqual(yield* events, before)
    })
  )
})

billingPg("the money of a customer", (it) => {
  it.effect("is refunded or reversed, if both are asked for at once", () =>
    Effect.gen(function* () {
      const { bill, payment, read, refund, reverse } = yield* given
      for (let round = 0; round < 6; round++) {
        const { invoice_id } = yield* bill(100)
        const paid = yield* payment(invoice_id, 120)
        const answers = yield* Effect.all([refund(paid), reverse(paid), reverse(paid)], {
          concurrency: "unbounded"
        })
        assertStatuses(answers, [201, 409, 409])
        assert.deepInclude(yield* read(invoice_id), { status: "unpaid", amount_to_refund: 0 })
      }
    })
  )

  it.effect("is used as credit once, by several invoices at once", () =>
    Effect.gen(function* () {
      const { bill, credit, pay, read, use } = yield* given
      for (let round = 0; round < 6; round++) {
        const [source, one, two] = [yield* bill(10), yield* bill(60), yield* bill(60)]
        record(yield* pay(source["invoice_id"], 80))
        yield* Effect.all([use(two["invoice_id"]), use(one["invoice_id"]), use(two["invoice_id"])], {
          concurrency: "unbounded"
        })
        const paid = yield* Effect.forEach([one, two], ({ invoice_id }) => read(invoice_id))
        assert.strictEqual(
          paid.reduce((sum, { amount_paid }) => sum + Number(amount_paid), 0),
          70
        )
        assert.deepStrictEqual(yield* credit, [])
      }
    })
  )

  it.effect("for the same invoices pays them once, if it is recorded twice at once in opposite orders", () =>
    Effect.gen(function* () {
      const { bill, read, remit, trip } = yield* given
      for (let round = 0; round < 6; round++) {
        const trips = [yield* trip({ total_amount: 100 }), yield* trip({ total_amount: 100 })]
        const made = [
          yield* bill(0, { items: [], trip_ids: [trips[1]?.["trip_id"]] }),
          yield* bill(0, { items: [], trip_ids: [trips[0]?.["trip_id"]] })
        ]
        const allocations = made.map(({ invoice_id }) => ({ invoice_id, amount: 100 }))
        const answers = yield* Effect.all(
          [
            remit({ amount: 200, allocations }),
            remit({ amount: 200, allocations: allocations.toReversed() })
          ],
          { concurrency: "unbounded" }
        )
        assertStatuses(answers, [201, 422])
        for (const { invoice_id } of made)
          assert.deepInclude(yield* read(invoice_id), { status: "paid", amount_to_refund: 0 })
      }
    })
  )
})
