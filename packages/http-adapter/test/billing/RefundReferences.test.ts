import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { record, records } from "../support/TestServer.ts"
import { billing, line } from "./Billing.ts"
import { cards, notify, refundAtProvider } from "./CardBusiness.ts"

/** An invoice of 100 that was paid by card. */
const paid = Effect.gen(function* () {
  const owner = yield* cards
  const { invoice, payByCard, send, succeeded } = owner
  const made = yield* invoice()
  const intent = yield* payByCard(made)
  yield* succeeded
  const path = `/invoices/${String(made["invoice_id"])}`
  const entries = Effect.map(send("GET", `${path}/payments`), records)
  const [payment] = yield* entries
  return {
    ...owner,
    intent,
    path,
    refund: (body: object) =>
      send("POST", `${path}/payments/${String(payment?.["payment_id"])}/refund`, body),
    references: Effect.map(entries, (all) =>
      all.map(({ amount, kind, reference }) => [kind, amount, reference])
    )
  }
})

billing("a refund of a card payment", (it) => {
  it.effect("keeps the reference of its request, also if the provider's notice enters it first", () =>
    Effect.gen(function* () {
      const { emulator, intent, references, refund, server } = yield* paid
      assert.deepInclude(record(yield* refund({ amount: 10, reference: "goodwill" })), {
        reference: "goodwill"
      })
      // The responses of the provider are lost, so that the notice enters the refund.
      yield* emulator.fault({ operation: "refunds.create", kind: "lost_response", times: 3 })
      const late = yield* refund({ amount: 20, reference: "Complaint, 3 May" })
      record(yield* notify(server, emulator, "refund.created"))
      yield* emulator.clearFaults
      assert.strictEqual(late.status, 503)
      yield* refundAtProvider(emulator, intent, 5)
      record(yield* notify(server, emulator, "refund.created"))
      assert.deepStrictEqual(yield* references, [
        ["payment", 100, null],
        ["refund", 10, "goodwill"],
        ["refund", 20, "Complaint, 3 May"],
        ["refund", 5, null]
      ])
    })
  )

  it.effect("that a credit note causes names the credit note", () =>
    Effect.gen(function* () {
      const { path, references, send } = yield* paid
      const body = { items: [{ ...line, unit_price: 30 }] }
      const { number } = record(yield* send("POST", `${path}/credit-notes`, body))
      assert.deepStrictEqual((yield* references).slice(1), [
        ["credit", 30, number],
        ["excess_refund", 30, number]
      ])
    })
  )
})
