import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billing, billingPg, countsOf } from "./Billing.ts"
import { cards, cardsWith, notify, stripePath } from "./CardBusiness.ts"

/** An invoice that was paid with a card whose refunds fail later, and the function that refunds it. */
const paid = Effect.gen(function* () {
  const it = yield* cards
  const { emulator, invoice, payByCard, send, server, succeeded } = it
  const made = yield* invoice()
  yield* payByCard(made, "pm_card_refundFail")
  yield* succeeded
  const path = `/invoices/${String(made["invoice_id"])}/payments`
  const [payment] = records(yield* send("GET", path))
  const refund = (amount?: number) =>
    send("POST", `${path}/${String(payment?.["payment_id"])}/refund`, amount === undefined ? {} : { amount })
  return {
    ...it,
    made,
    refund,
    /** Makes the last refund fail at the provider. The notice is not sent. */
    fail: Effect.suspend(() => emulator.settle(emulator.refunds().at(-1)?.id ?? "none")),
    failed: notify(server, emulator, "refund.failed"),
    status: Effect.map(it.read(made["invoice_id"]), (read) => [read["status"], read["amount_paid"]])
  }
})

billing("a card refund that fails after it was entered", (it) => {
  it.effect("is reversed in the ledger once, and can be requested again", () =>
    Effect.gen(function* () {
      const { emulator, events, fail, failed, ledger, made, refund, status } = yield* paid
      record(yield* refund(30))
      assert.deepStrictEqual(yield* status, ["partial", 70])
      yield* fail
      for (let sent = 0; sent < 3; sent++) record(yield* failed)
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 30],
        ["reversal", 30]
      ])
      assert.deepStrictEqual(yield* status, ["paid", 100])
      assert.deepInclude(countsOf(yield* events), { "payment.succeeded": 1, "invoice.paid": 2 })
      record(yield* refund(30))
      assert.lengthOf(emulator.refunds(), 2)
      assert.deepStrictEqual(yield* status, ["partial", 70])
      refusedAs(yield* refund(70.01), 422, "invalid_request")
    })
  )

  it.effect("is not entered again by the late notice of its creation", () =>
    Effect.gen(function* () {
      const { emulator, fail, failed, ledger, made, refund, server, status } = yield* paid
      record(yield* refund())
      yield* fail
      record(yield* failed)
      record(yield* notify(server, emulator, "refund.created"))
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 100],
        ["reversal", 100]
      ])
      assert.deepStrictEqual(yield* status, ["paid", 100])
    })
  )

  it.effect(
    "counts only as far as the invoice needs it; the rest is an excess, which is refunded first",
    () =>
      Effect.gen(function* () {
        const { fail, failed, ledger, made, payment, refund, status } = yield* paid
        record(yield* refund(50))
        yield* payment(made["invoice_id"], 40)
        yield* fail
        record(yield* failed)
        assert.deepStrictEqual(yield* ledger(made), [
          ["payment", 100],
          ["refund", 50],
          ["payment", 40],
          ["reversal", 10],
          ["excess_reversal", 40]
        ])
        assert.deepStrictEqual(yield* status, ["paid", 100])
        record(yield* refund(50))
        assert.deepStrictEqual((yield* ledger(made)).slice(5), [
          ["excess_refund", 40],
          ["refund", 10]
        ])
        assert.deepStrictEqual(yield* status, ["partial", 90])
        yield* fail
        record(yield* failed)
        assert.deepStrictEqual((yield* ledger(made)).slice(7), [
          ["excess_reversal", 40],
          ["reversal", 10]
        ])
        assert.deepStrictEqual(yield* status, ["paid", 100])
      })
  )

  it.effect("does not make a new refund of the same amount the repetition of another one", () =>
    Effect.gen(function* () {
      const { emulator, failed, ledger, made, refund } = yield* paid
      record(yield* refund(10))
      record(yield* refund(10))
      // The rest of the payment is then what it was before the second refund.
      yield* emulator.settle(emulator.refunds()[0]?.id ?? "none")
      record(yield* failed)
      record(yield* refund(10))
      record(yield* refund(10))
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 10],
        ["refund", 10],
        ["reversal", 10],
        ["refund", 10],
        ["refund", 10]
      ])
      assert.lengthOf(emulator.refunds(), 4)
    })
  )

  it.effect("after the invoice was voided is kept as an excess", () =>
    Effect.gen(function* () {
      const { fail, failed, ledger, made, refund, send, status } = yield* paid
      record(yield* refund())
      record(yield* send("POST", `/invoices/${String(made["invoice_id"])}/void`))
      yield* fail
      record(yield* failed)
      assert.deepStrictEqual((yield* ledger(made)).at(-1), ["excess_reversal", 100])
      assert.deepStrictEqual(yield* status, ["void", 0])
      record(yield* refund())
      assert.deepStrictEqual((yield* ledger(made)).at(-1), ["excess_refund", 100])
      assert.deepStrictEqual(yield* status, ["void", 0])
    })
  )
})

billing("the provider's notices", (it) => {
  it.effect("do not count against the limit of public requests; wrong signatures do", () =>
    Effect.gen(function* () {
      const { emulator, invoice, payByCard, read, server, succeeded } = yield* cardsWith({
        limits: { public: 6 }
      })
      const made = yield* invoice()
      const peer = { peer: "198.51.100.7" }
      const forged = { text: "{}", headers: { "stripe-signature": "t=1,v1=00" }, ...peer }
      const first = yield* server.send("POST", stripePath, forged)
      refusedAs(first, 400, "invalid_request")
      const remaining = Number(first.headers.get("x-ratelimit-remaining"))
      yield* payByCard(made)
      assert.isNull((yield* succeeded).headers.get("x-ratelimit-remaining"))
      const [event] = emulator.events()
      if (event === undefined) return assert.fail("no event")
      const { body, headers } = yield* emulator.notice(event)
      for (let sent = 0; sent < 3; sent++)
        record(yield* server.send("POST", stripePath, { text: body, headers, ...peer }))
      const second = yield* server.send("POST", stripePath, forged)
      assert.strictEqual(Number(second.headers.get("x-ratelimit-remaining")), remaining - 1)
      assert.isAtMost(remaining, 6)
      for (let sent = 1; sent < remaining; sent++)
        refusedAs(yield* server.send("POST", stripePath, forged), 400, "invalid_request")
      refusedAs(yield* server.send("POST", stripePath, forged), 429, "rate_limited")
      record(yield* server.send("POST", stripePath, { text: body, headers, ...peer }))
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid" })
    })
  )
})

billingPg("a card refund that fails after it was entered", (it) => {
  it.effect("is reversed once when its notices arrive at the same time", () =>
    Effect.gen(function* () {
      const { emulator, fail, failed, ledger, made, refund, server } = yield* paid
      record(yield* refund(30))
      yield* fail
      const notices = [
        failed,
        notify(server, emulator, "refund.updated"),
        failed,
        notify(server, emulator, "refund.created")
      ]
      assertStatuses(yield* Effect.all(notices, { concurrency: "unbounded" }), [200, 200, 200, 200])
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 30],
        ["reversal", 30]
      ])
    })
  )
})
