import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Ports } from "../support/TestPorts.ts"
import { record, refusedAs } from "../support/TestServer.ts"
import { cards, notify } from "./CardBusiness.ts"

/** A business whose invoice of 100.00 may be paid in parts, and the customer's requests. */
const partly = Effect.gen(function* () {
  const business = yield* cards
  const { invoice, read, send, server } = business
  record(yield* send("PATCH", "/settings/business", { part_payments_allowed: true }))
  const made = yield* invoice()
  const path = `/public/invoices/${String(made["payment_hash"])}`
  const begin = (amount?: unknown) =>
    server.send("POST", `${path}/pay`, amount === undefined ? {} : { body: { amount } })
  const intentOf = (answer: Readonly<Record<string, unknown>>) =>
    String(answer["client_secret"]).split("_secret_")[0] ?? ""
  return {
    ...business,
    path,
    begin,
    intentOf,
    now: Effect.map(read(made["invoice_id"]), ({ amount_due, amount_paid, amount_to_refund, status }) => ({
      amount_due,
      amount_paid,
      amount_to_refund,
      status
    }))
  }
})

layer(Ports)("a part payment by card", (it) => {
  it.effect("is taken if the business allows it, until nothing is due", () =>
    Effect.gen(function* () {
      const { begin, emulator, intentOf, now, path, send, server, succeeded } = yield* partly
      const view = record(yield* server.send("GET", path))
      assert.deepInclude(view, { part_payments_allowed: true, amount_due: 100 })
      const first = record(yield* begin(30))
      assert.deepInclude(first, { amount: 30 })
      yield* emulator.pay(intentOf(first), "pm_card_visa")
      yield* succeeded
      assert.deepInclude(yield* now, { status: "partial", amount_paid: 30, amount_due: 70 })
      // The same amount once more is another payment.
      const second = record(yield* begin(30))
      assert.notStrictEqual(intentOf(second), intentOf(first))
      yield* emulator.pay(intentOf(second), "pm_card_visa")
      const rest = record(yield* begin())
      assert.deepInclude(rest, { amount: 40 })
      yield* emulator.pay(intentOf(rest), "pm_card_visa")
      yield* succeeded
      assert.deepInclude(yield* now, { status: "paid", amount_paid: 100, amount_due: 0 })
      assert.strictEqual((yield* begin(1)).status, 422)
      assert.strictEqual((yield* send("GET", "/settings/business")).status, 200)
    })
  )

  it.effect("is refused with its field if it is no amount, more than is due, or not allowed", () =>
    Effect.gen(function* () {
      const { begin, now, send } = yield* partly
      for (const amount of [0, -5, 100.01, 5000])
        assert.deepStrictEqual(refusedAs(yield* begin(amount), 422, "invalid_request"), [
          { field: "amount", issue: "out_of_range" }
        ])
      refusedAs(yield* begin("ten"), 422, "invalid_request")
      refusedAs(yield* begin(10.001), 422, "invalid_request")
      record(yield* send("PATCH", "/settings/business", { part_payments_allowed: false }))
      refusedAs(yield* begin(99.99), 422, "invalid_request")
      assert.deepInclude(record(yield* begin(100)), { amount: 100 })
      assert.deepInclude(yield* now, { status: "unpaid", amount_due: 100 })
    })
  )

  it.effect("and another one that begin at once never take more than is due", () =>
    Effect.gen(function* () {
      const { begin, emulator, intentOf, now, server } = yield* partly
      for (const amounts of [
        [60, 70],
        [80, 90, 100],
        [55, 55]
      ]) {
        const begun = yield* Effect.forEach(amounts, (amount) => begin(amount), { concurrency: "unbounded" })
        const intents = new Set(
          begun.filter(({ status }) => status === 200).map((answer) => intentOf(record(answer)))
        )
        const open = emulator
          .intents()
          .filter(({ status }) => status !== "canceled" && status !== "succeeded")
        assert.isAtMost(open.length, 1)
        assert.isAtLeast(intents.size, 1)
      }
      const one = record(yield* begin(60))
      const two = record(yield* begin(70))
      const paid = yield* Effect.exit(emulator.pay(intentOf(one), "pm_card_visa"))
      assert.isTrue(Exit.isFailure(paid))
      yield* emulator.pay(intentOf(two), "pm_card_visa")
      record(yield* notify(server, emulator, "payment_intent.succeeded"))
      assert.deepInclude(yield* now, { amount_paid: 70, amount_due: 30, amount_to_refund: 0 })
      assert.strictEqual((yield* begin(60)).status, 422)
    })
  )
})
