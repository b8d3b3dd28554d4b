// Payments and refunds at the provider whose notices arrive in another order, or not at all.
import { assert } from "@effect/vitest"
import { ProviderNotices } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { record } from "../support/TestServer.ts"
import { billing, billingPg, countsOf } from "./Billing.ts"
import { cards, notify, refundAtProvider, stripePath } from "./CardBusiness.ts"

/** An invoice of 100 that was paid by card, of which 30 were refunded at the provider. No notice was sent. */
const refunded = Effect.gen(function* () {
  const owner = yield* cards
  const { emulator, invoice, payByCard } = owner
  const made = yield* invoice()
  const intent = yield* payByCard(made)
  yield* refundAtProvider(emulator, intent, 30)
  const { events, ledger, read, server } = owner
  return {
    ...owner,
    refundNotice: notify(server, emulator, "refund.created"),
    /** Checks that the payment and the refund are in the ledger, each once. */
    assertBoth: Effect.gen(function* () {
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 30]
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "partial",
        amount_paid: 70,
        amount_due: 30
      })
      assert.deepInclude(countsOf(yield* events), { "payment.succeeded": 1, "invoice.paid": 1 })
    })
  }
})

billing("a refund that was made at the provider", (it) => {
  it.effect("is entered when its notice arrives before that of the payment", () =>
    Effect.gen(function* () {
      const { assertBoth, refundNotice, succeeded } = yield* refunded
      for (let round = 0; round < 2; round++) {
        record(yield* refundNotice)
        record(yield* succeeded)
        yield* assertBoth
      }
    })
  )

  it.effect("is entered when no notice arrived, and the provider is asked for them", () =>
    Effect.gen(function* () {
      const { assertBoth, withProvider } = yield* refunded
      const ask = Effect.gen(function* () {
        const { reconcile } = yield* ProviderNotices
        return yield* reconcile(DateTime.makeUnsafe(0))
      }).pipe(Effect.provide(ProviderNotices.layer), withProvider)
      assert.isAbove(yield* ask, 0)
      yield* assertBoth
      assert.strictEqual(yield* ask, 0)
      yield* assertBoth
    })
  )
})

billing("a notice", (it) => {
  it.effect("of a kind that Livery does not know is accepted, and changes nothing", () =>
    Effect.gen(function* () {
      const { emulator, invoice, payByCard, read, server } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      const [event] = emulator.events().slice(-1)
      if (event === undefined) return assert.fail("no event")
      for (const type of ["charge.dispute.created", "invoice.payment_failed", "unheard.of"]) {
        const { body, headers } = yield* emulator.notice({
          ...event,
          id: `evt_${type}`,
          type
        } as typeof event)
        assert.deepStrictEqual(record(yield* server.send("POST", stripePath, { text: body, headers })), {
          received: true
        })
      }
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "unpaid", amount_paid: 0 })
    })
  )

  it.effect("of another amount than the one due counts as much as was received", () =>
    Effect.gen(function* () {
      const { emulator, invoice, ledger, payByCard, read, server } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      const event = emulator.events().findLast(({ type }) => type === "payment_intent.succeeded")
      if (event === undefined) return assert.fail("no event")
      const less = {
        ...event,
        data: { object: { ...event.data.object, amount_received: 4_000 } }
      } as typeof event
      const { body, headers } = yield* emulator.notice(less)
      record(yield* server.send("POST", stripePath, { text: body, headers }))
      assert.deepStrictEqual(yield* ledger(made), [["payment", 40]])
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "partial", amount_due: 60 })
    })
  )
})

billingPg("a refund that was made at the provider", (it) => {
  it.effect("is entered when both notices arrive at the same time", () =>
    Effect.gen(function* () {
      const { assertBoth, refundNotice, succeeded } = yield* refunded
      const answers = yield* Effect.all([refundNotice, succeeded, refundNotice, succeeded], {
        concurrency: "unbounded"
      })
      answers.forEach(record)
      yield* assertBoth
    })
  )
})
