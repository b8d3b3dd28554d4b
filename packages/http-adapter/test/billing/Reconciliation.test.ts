import { assert } from "@effect/vitest"
import {
  CardIntentRepository,
  OpenIntents,
  PaymentProvider,
  ProviderNotices,
  Reconciliation
} from "@livery/domain"
import { DateTime, Effect, Exit, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { beginning } from "../support/TestPorts.ts"
import { record, records } from "../support/TestServer.ts"
import { assertStatuses, billingPg, countsOf } from "./Billing.ts"
import { cards, refundAtProvider } from "./CardBusiness.ts"

/** A business on an emulated account whose notices do not arrive, and the function that requests them. */
const silent = Effect.gen(function* () {
  const it = yield* cards
  const reconcile = Effect.flatMap(ProviderNotices, ({ reconcile }) =>
    reconcile(DateTime.subtract(beginning, { days: 1 }))
  ).pipe(Effect.provide(ProviderNotices.layer), it.withProvider)
  const settleOpen = Effect.flatMap(OpenIntents, ({ settle }) =>
    settle(DateTime.subtract(beginning, { days: 90 }))
  ).pipe(Effect.provide(OpenIntents.layer), it.withProvider)
  return { ...it, reconcile, settleOpen }
})

/** The time as it is in records. */
const timeNow = Effect.map(DateTime.now, (now) => DateTime.formatIso(now).replace(".000Z", "Z"))

billingPg("reconciliation with the payment provider", (it) => {
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

  it.effect("enters the other payments if the records of one do not respond, and fails after them", () =>
    Effect.gen(function* () {
      const { invoice, payByCard, read, reconcile, withProvider } = yield* silent
      const [away, other] = [yield* invoice(), yield* invoice()]
      const lost = yield* payByCard(away)
      yield* payByCard(other)
      const intents = yield* CardIntentRepository
      const failing = yield* Effect.flatMap(ProviderNotices, ({ reconcile }) =>
        reconcile(DateTime.subtract(beginning, { days: 1 }))
      ).pipe(
        Effect.provide(Layer.fresh(ProviderNotices.layer)),
        Effect.provideService(CardIntentRepository, {
          ...intents,
          find: (business, intent) =>
            intent === lost ? Effect.die(new Error("a node is away")) : intents.find(business, intent)
        }),
        withProvider,
        Effect.exit
      )
      assert.isTrue(Exit.hasDies(failing))
      assert.deepInclude(yield* read(other["invoice_id"]), { status: "paid" })
      assert.isAbove(yield* reconcile, 0)
      assert.deepInclude(yield* read(away["invoice_id"]), { status: "paid" })
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

  it.effect(
    "enters payments and refunds of open intents, also if the provider no longer has their notices",
    () =>
      Effect.gen(function* () {
        const { begin, emulator, events, invoice, ledger, payByCard, read, settleOpen, succeeded } =
          yield* silent
        const [made, waiting] = [yield* invoice(), yield* invoice()]
        yield* begin(waiting)
        const intent = yield* payByCard(made)
        yield* refundAtProvider(emulator, intent, 30)
        assert.strictEqual(yield* settleOpen, 1)
        assert.strictEqual(yield* settleOpen, 0)
        // The notice arrives late.
        record(yield* succeeded)
        assert.deepStrictEqual(yield* ledger(made), [
          ["payment", 100],
          ["refund", 30]
        ])
        assert.deepInclude(yield* read(made["invoice_id"]), { status: "partial" })
        assert.deepStrictEqual(yield* ledger(waiting), [])
        assert.deepInclude(countsOf(yield* events), { "payment.succeeded": 1, "invoice.paid": 1 })
      })
  )

  it.effect(
    "enters the times at which the customer paid and the refund was made, not those of the request",
    () =>
      Effect.gen(function* () {
        const { emulator, invoice, payByCard, reconcile, send, settleOpen } = yield* silent
        for (const ask of [reconcile, settleOpen]) {
          const made = yield* invoice()
          const paidAt = yield* timeNow
          const intent = yield* payByCard(made)
          yield* TestClock.adjust("2 hours")
          const refundedAt = yield* timeNow
          yield* refundAtProvider(emulator, intent, 30)
          yield* TestClock.adjust("2 days")
          yield* ask
          const entries = records(yield* send("GET", `/invoices/${String(made["invoice_id"])}/payments`))
          assert.deepStrictEqual(
            entries.map(({ created_at, received_at }) => [received_at, created_at]),
            [
              [paidAt, yield* timeNow],
              [refundedAt, yield* timeNow]
            ]
          )
        }
      })
  )

  it.effect("asks about open intents when it starts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { invoice, payByCard, withProvider } = yield* silent
      const made = yield* invoice()
      yield* payByCard(made)
      const provider = yield* withProvider(PaymentProvider)
      // The provider has no notice of the payment any more.
      const forgetful = { ...provider, notices: () => Effect.succeed({ items: [], next: null }) }
      yield* Layer.build(Layer.fresh(Reconciliation.layer)).pipe(
        Effect.provide(Layer.merge(ProviderNotices.layer, OpenIntents.layer)),
        Effect.provideService(PaymentProvider, forgetful)
      )
      yield* sql`SELECT FROM invoices WHERE invoice_id = ${Number(made["invoice_id"])} AND status = 'paid'`.pipe(
        Effect.filterOrFail(
          ({ length }) => length === 1,
          () => "the payment is not entered"
        ),
        Effect.retry(Schedule.recurs(5000))
      )
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
