import { assert } from "@effect/vitest"
import { ProviderNotices } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { beginning } from "../support/TestPorts.ts"
import { record, records } from "../support/TestServer.ts"
import { assertStatuses, billing, countsOf } from "./Billing.ts"
import { cards } from "./CardBusiness.ts"

/** A business on an emulated account whose notices do not arrive, and the function that requests them. */
const silent = Effect.gen(function* () {
  const it = yield* cards
  const reconcile = Effect.flatMap(ProviderNotices, ({ reconcile }) =>
    reconcile(DateTime.subtract(beginning, { days: 1 }))
  ).pipe(Effect.provide(ProviderNotices.layer), it.withProvider)
  return { ...it, reconcile }
})

billing("reconciliation with the payment provider", (it) => {
  it.effect("enters a payment whose notice never arrived, once", () =>
    Effect.gen(function* () {
      const { events, invoice, ledger, payByCard, read, reconcile, succeeded } = yield* silent
      const made = yield* invoice()
      yield* payByCard(made)
      assert.isAbove(yield* reconcile, 0)
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid", amount_paid: 100 })
      assert.strictEqual(yield* reconcile, 0)
      // The notice arrives late.
      record(yield* succeeded)
      assert.deepStrictEqual(yield* ledger(made), [["payment", 100]])
      assert.deepInclude(countsOf(yield* events), { "payment.succeeded": 1, "invoice.paid": 1 })
    })
  )

  it.effect("reverses a refund whose failure was never reported", () =>
    Effect.gen(function* () {
      const { emulator, invoice, ledger, payByCard, read, reconcile, send } = yield* silent
      const made = yield* invoice()
      yield* payByCard(made, "pm_card_refundFail")
      yield* reconcile
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const [payment] = records(yield* send("GET", path))
      record(yield* send("POST", `${path}/${String(payment?.["payment_id"])}/refund`, { amount: 30 }))
      yield* emulator.settle(emulator.refunds()[0]?.id ?? "none")
      yield* reconcile
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 30],
        ["reversal", 30]
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid" })
      assert.strictEqual(yield* reconcile, 0)
    })
  )

  it.effect("handles each notice once when several nodes ask and the notice arrives at the same time", () =>
    Effect.gen(function* () {
      const { events, invoice, ledger, payByCard, reconcile, succeeded } = yield* silent
      const made = yield* invoice()
      yield* payByCard(made)
      const [answers] = yield* Effect.all(
        [
          Effect.all([succeeded, succeeded], { concurrency: "unbounded" }),
          Effect.all([reconcile, reconcile, reconcile], { concurrency: "unbounded" })
        ],
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [200, 200])
      assert.deepStrictEqual(yield* ledger(made), [["payment", 100]])
      assert.deepInclude(countsOf(yield* events), { "payment.succeeded": 1, "invoice.paid": 1 })
    })
  )
})
