/** The facts come from Stripe's pages "Refund and cancel payments" and "Testing" (section "Refunds"). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { call, emulated, failureOf, paidIntent } from "./Sdk.ts"

describe("a refund", () => {
  it.live("returns a part, then the rest, and never more than was paid", () =>
    Effect.gen(function* () {
      const { emulator, payment_intent, stripe } = yield* paidIntent()
      const part = yield* call(() => stripe.refunds.create({ payment_intent, amount: 4000 }))
      assert.deepStrictEqual([part.amount, part.status, part.currency], [4000, "succeeded", "eur"])
      const over = yield* failureOf(() => stripe.refunds.create({ payment_intent, amount: 6001 }))
      assert.deepStrictEqual([over.statusCode, over.param], [400, "amount"])
      const rest = yield* call(() => stripe.refunds.create({ payment_intent }))
      assert.strictEqual(rest.amount, 6000)
      const none = yield* failureOf(() => stripe.refunds.create({ payment_intent, amount: 1 }))
      assert.strictEqual(none.code, "charge_already_refunded")
      const [charge] = emulator.charges()
      assert.deepStrictEqual([charge?.amount_refunded, charge?.refunded], [10_000, true])
      // The intent itself keeps its amount and its status.
      const intent = yield* call(() => stripe.paymentIntents.retrieve(payment_intent))
      assert.deepStrictEqual([intent.status, intent.amount_received], ["succeeded", 10_000])
    })
  )

  it.live("is made once for one idempotency key", () =>
    Effect.gen(function* () {
      const { emulator, payment_intent, stripe } = yield* paidIntent()
      const refund = () =>
        stripe.refunds.create({ payment_intent, amount: 4000 }, { idempotencyKey: "refund-1" })
      const first = yield* call(refund)
      const second = yield* call(refund)
      assert.strictEqual(first.id, second.id)
      assert.strictEqual(emulator.refunds().length, 1)
    })
  )

  it.live("needs a payment that succeeded", () =>
    Effect.gen(function* () {
      const { stripe } = yield* emulated()
      const intent = yield* call(() => stripe.paymentIntents.create({ amount: 100, currency: "eur" }))
      const failure = yield* failureOf(() => stripe.refunds.create({ payment_intent: intent.id }))
      assert.deepStrictEqual([failure.statusCode, failure.param], [400, "payment_intent"])
    })
  )

  it.live("fails later with the card for that, and the amount can be refunded again", () =>
    Effect.gen(function* () {
      const { emulator, payment_intent, stripe } = yield* paidIntent("pm_card_refundFail")
      const refund = yield* call(() => stripe.refunds.create({ payment_intent }))
      assert.strictEqual(refund.status, "succeeded")
      assert.strictEqual((yield* emulator.settle(refund.id)).status, "failed")
      const types = emulator.events().map(({ type }) => type)
      assert.include(types, "refund.failed")
      assert.strictEqual(emulator.charges()[0]?.amount_refunded, 0)
    })
  )

  it.live("is pending first with the card for that", () =>
    Effect.gen(function* () {
      const { emulator, payment_intent, stripe } = yield* paidIntent("pm_card_pendingRefund")
      const refund = yield* call(() => stripe.refunds.create({ payment_intent }))
      assert.strictEqual(refund.status, "pending")
      yield* emulator.settle(refund.id)
      assert.strictEqual((yield* call(() => stripe.refunds.retrieve(refund.id))).status, "succeeded")
    })
  )

  it.live("is listed with its intent", () =>
    Effect.gen(function* () {
      const { payment_intent, stripe } = yield* paidIntent()
      yield* call(() => stripe.refunds.create({ payment_intent, amount: 1000, metadata: { key: "a" } }))
      yield* call(() => stripe.refunds.create({ payment_intent, amount: 2000 }))
      const { data } = yield* call(() => stripe.refunds.list({ payment_intent }))
      assert.deepStrictEqual(
        data.map(({ amount }) => amount),
        [2000, 1000]
      )
      assert.strictEqual(
        (yield* call(() => stripe.refunds.list({ payment_intent: "pi_other" }))).data.length,
        0
      )
    })
  )
})
