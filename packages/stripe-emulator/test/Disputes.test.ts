/** The facts come from Stripe's pages "How disputes work" and "Testing" (section "Disputes"). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { call, failureOf, paidIntent } from "./Sdk.ts"

const paid = (paymentMethod?: string) =>
  Effect.map(paidIntent(paymentMethod), (payment) => ({
    ...payment,
    eventsOfDisputes: () =>
      payment.emulator
        .events()
        .flatMap(({ type }) => (type.startsWith("charge.dispute.") ? [type.slice(15)] : []))
  }))

describe("a dispute", () => {
  it.live("follows a payment with the card for that, and the charge cannot be refunded", () =>
    Effect.gen(function* () {
      const { emulator, eventsOfDisputes, payment_intent, stripe } = yield* paid("pm_card_createDispute")
      const { data } = yield* call(() => stripe.disputes.list({ payment_intent }))
      assert.deepStrictEqual(
        data.map(({ amount, currency, status }) => [amount, currency, status]),
        [[10_000, "eur", "needs_response"]]
      )
      assert.deepStrictEqual(eventsOfDisputes(), ["created", "funds_withdrawn"])
      assert.strictEqual(emulator.charges()[0]?.disputed, true)
      const failure = yield* failureOf(() => stripe.refunds.create({ payment_intent }))
      assert.deepStrictEqual([failure.statusCode, failure.code], [400, "charge_disputed"])
    })
  )

  it.live("is won with winning evidence, and the charge can be refunded again", () =>
    Effect.gen(function* () {
      const { emulator, eventsOfDisputes, payment_intent, stripe } = yield* paid()
      const { id } = yield* emulator.dispute(payment_intent, 4_000)
      const kept = yield* call(() =>
        stripe.disputes.update(id, { evidence: { customer_name: "Ada" }, submit: false })
      )
      assert.deepStrictEqual(
        [kept.status, kept.evidence.customer_name, kept.evidence_details.submission_method],
        ["needs_response", "Ada", "not_submitted"]
      )
      const won = yield* call(() =>
        stripe.disputes.update(id, { evidence: { uncategorized_text: "winning_evidence" } })
      )
      assert.deepStrictEqual(
        [
          won.status,
          won.evidence.customer_name,
          won.evidence_details.submission_count,
          won.evidence_details.submission_method
        ],
        ["won", "Ada", 1, "manual"]
      )
      assert.deepStrictEqual(eventsOfDisputes(), [
        "created",
        "funds_withdrawn",
        "updated",
        "updated",
        "closed",
        "funds_reinstated"
      ])
      assert.strictEqual((yield* call(() => stripe.refunds.create({ payment_intent }))).status, "succeeded")
    })
  )

  it.live("is lost with losing evidence, or when the business accepts it, once", () =>
    Effect.gen(function* () {
      const { emulator, payment_intent, stripe } = yield* paid()
      const first = yield* emulator.dispute(payment_intent, 1_000)
      const second = yield* emulator.dispute(payment_intent, 2_000)
      const evidence = { uncategorized_text: "losing_evidence" }
      assert.strictEqual((yield* call(() => stripe.disputes.update(first.id, { evidence }))).status, "lost")
      assert.strictEqual((yield* call(() => stripe.disputes.close(second.id))).status, "lost")
      for (const again of [
        () => stripe.disputes.close(second.id),
        () => stripe.disputes.update(first.id, { evidence })
      ])
        assert.strictEqual((yield* failureOf(again)).statusCode, 400)
      assert.strictEqual((yield* call(() => stripe.disputes.retrieve(first.id))).status, "lost")
      assert.strictEqual((yield* failureOf(() => stripe.disputes.retrieve("du_other"))).statusCode, 404)
    })
  )
})
