/** A payment or a refund may name its currency. A wrong one is refused, so that 100 EUR never count as 100 USD. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { biller, billing, line, wrongFields } from "./Billing.ts"
import { seller } from "./BookingSeller.ts"
import { cards } from "./CardBusiness.ts"

billing("the currency of a payment", (it) => {
  it.effect("must be that of the invoice, which may differ from the business's", () =>
    Effect.gen(function* () {
      const { invoice, read, send } = yield* biller(yield* openServer())
      const { invoice_id } = yield* invoice({ items: [line], currency: "EUR" })
      const path = `/invoices/${String(invoice_id)}/payments`
      const pay = (body: object) => send("POST", path, { amount: 40, method: "cash", ...body })
      assert.deepStrictEqual(wrongFields(yield* pay({ currency: "USD" })), { currency: "invalid" })
      assert.deepStrictEqual(wrongFields(yield* pay({ currency: "euro" })), { currency: "unknown_value" })
      assert.deepStrictEqual(
        wrongFields(yield* pay({ currency: "USD", amount: 101, received_at: "2031-01-01T00:00:00Z" })),
        { currency: "invalid", received_at: "out_of_range" }
      )
      assert.deepInclude(yield* read(invoice_id), { status: "unpaid", amount_paid: 0 })
      for (const currency of ["EUR", null, undefined])
        assert.deepInclude(record(yield* pay({ amount: 10, currency })), { amount: 10, currency: "EUR" })
      assert.deepInclude(yield* read(invoice_id), { amount_paid: 30 })
    })
  )

  it.effect("for a booking is that of its invoice, and a wrong one raises no invoice", () =>
    Effect.gen(function* () {
      const owner = yield* biller(yield* openServer())
      const { book, pay, read } = yield* seller(owner, { currency: "EUR" })
      const id = yield* book()
      assert.deepStrictEqual(wrongFields(yield* pay(id, 90, { currency: "USD" })), { currency: "invalid" })
      assert.deepInclude(yield* read(id), { invoice_id: null, payment_status: "unpaid" })
      assert.deepInclude(record(yield* pay(id, 90, { currency: "EUR" })), { amount: 90, currency: "EUR" })
      assert.strictEqual((yield* owner.invoice())["number"], "INV-000002")
    })
  )

  it.effect("of a refund must be that of the payment, by hand and by card, with an amount and without", () =>
    Effect.gen(function* () {
      const { emulator, invoice, payByCard, payment, read, send, succeeded } = yield* cards
      const made = yield* invoice()
      yield* payment(made["invoice_id"], 40)
      yield* payByCard(made)
      record(yield* succeeded)
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const entries = records(yield* send("GET", path))
      assert.lengthOf(entries, 2)
      for (const { payment_id } of entries) {
        const refund = (body: object) => send("POST", `${path}/${String(payment_id)}/refund`, body)
        assert.deepStrictEqual(wrongFields(yield* refund({ currency: "EUR" })), { currency: "invalid" })
        assert.deepStrictEqual(wrongFields(yield* refund({ amount: 70, currency: "EUR" })), {
          amount: "out_of_range",
          currency: "invalid"
        })
        assert.deepInclude(record(yield* refund({ amount: 5, currency: "USD" })), {
          amount: 5,
          currency: "USD"
        })
        record(yield* refund({ currency: "USD" }))
        refusedAs(yield* refund({ currency: "USD" }), 409, "conflict")
      }
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "unpaid", amount_paid: 0 })
      assert.deepStrictEqual(
        emulator.refunds().map(({ amount }) => amount),
        [500, 5500]
      )
    })
  )
})
