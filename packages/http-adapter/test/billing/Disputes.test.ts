// Customers who dispute a card payment with their bank.
import { assert } from "@effect/vitest"
import { OpenIntents } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { record, records } from "../support/TestServer.ts"
import { billing } from "./Billing.ts"
import { cards, refundAtProvider, notify, stripePath } from "./CardBusiness.ts"

/** An invoice of 100 that was paid by card, and a function that sends the notices of a dispute of the payment. */
const disputed = Effect.gen(function* () {
  const owner = yield* cards
  const { emulator, invoice, ledger, payByCard, read, server, succeeded } = owner
  const made = yield* invoice()
  const intent = yield* payByCard(made)
  record(yield* succeeded)
  const [event] = emulator.events().slice(-1)
  if (event === undefined) return assert.fail("no event")
  const notices = { sent: 0 }
  return {
    ...owner,
    made,
    intent,
    dispute: Effect.fnUntraced(function* (type: string, status: string, change: object = {}) {
      const object = {
        object: "dispute",
        id: "du_1",
        amount: 10_000,
        currency: "usd",
        status,
        payment_intent: intent,
        metadata: {},
        created: event.created,
        ...change
      }
      const id = `evt_dispute_${intent}_${notices.sent++}`
      const notice = { ...event, id, type: `charge.dispute.${type}`, data: { object } } as typeof event
      const { body, headers } = yield* emulator.notice(notice)
      const send = server.send("POST", stripePath, { text: body, headers })
      record(yield* send)
      record(yield* send)
    }),
    stateIs: Effect.fnUntraced(function* (
      status: string,
      amount_due: number,
      entries: Array<Array<unknown>>
    ) {
      assert.deepInclude(yield* read(made["invoice_id"]), { status, amount_due })
      assert.deepStrictEqual(yield* ledger(made), entries)
    })
  }
})

billing("a disputed card payment", (it) => {
  it.effect("is returned once the dispute is lost, and counts again if it is won later", () =>
    Effect.gen(function* () {
      const { dispute, made, send, stateIs } = yield* disputed
      yield* dispute("created", "needs_response")
      yield* dispute("funds_withdrawn", "needs_response")
      yield* dispute("updated", "under_review")
      yield* stateIs("paid", 0, [["payment", 100]])
      yield* dispute("closed", "lost")
      const lost = [
        ["payment", 100],
        ["refund", 100]
      ]
      yield* stateIs("unpaid", 100, lost)
      const [, refund] = records(yield* send("GET", `/invoices/${String(made["invoice_id"])}/payments`))
      assert.deepInclude(refund, { method: "card", reference: "Dispute du_1" })
      yield* dispute("funds_reinstated", "won")
      yield* stateIs("paid", 0, [...lost, ["reversal", 100]])
    })
  )

  it.effect("stays when the dispute is won, or was an inquiry only", () =>
    Effect.gen(function* () {
      const { dispute, stateIs } = yield* disputed
      yield* dispute("closed", "won")
      yield* dispute("closed", "warning_closed")
      yield* stateIs("paid", 0, [["payment", 100]])
    })
  )

  it.effect("is returned up to what earlier refunds left of it, in part if a part was disputed", () =>
    Effect.gen(function* () {
      const { dispute, emulator, intent, server, stateIs } = yield* disputed
      yield* refundAtProvider(emulator, intent, 30)
      record(yield* notify(server, emulator, "refund.created"))
      yield* dispute("closed", "lost", { id: "du_2", amount: 2_000 })
      const entries = [
        ["payment", 100],
        ["refund", 30],
        ["refund", 20]
      ]
      yield* stateIs("partial", 50, entries)
      yield* dispute("closed", "lost")
      yield* stateIs("unpaid", 100, [...entries, ["refund", 50]])
    })
  )

  it.effect("of another system on the same account changes nothing", () =>
    Effect.gen(function* () {
      const { dispute, stateIs } = yield* disputed
      for (const change of [{ payment_intent: null }, { payment_intent: "pi_other" }, { currency: "doge" }])
        yield* dispute("closed", "lost", change)
      yield* stateIs("paid", 0, [["payment", 100]])
    })
  )

  it.effect("counts if it was won in the end, although the notice of the loss arrives last", () =>
    Effect.gen(function* () {
      const { emulator, intent, server, stateIs } = yield* disputed
      const { id } = yield* emulator.dispute(intent)
      yield* emulator.decide(id, "lost")
      yield* emulator.decide(id, "won")
      record(yield* notify(server, emulator, "charge.dispute.funds_reinstated"))
      record(yield* notify(server, emulator, "charge.dispute.closed"))
      yield* stateIs("paid", 0, [["payment", 100]])
    })
  )

  it.effect("cannot be refunded while the dispute is open or lost", () =>
    Effect.gen(function* () {
      const { emulator, intent, made, send, server, stateIs } = yield* disputed
      const { id } = yield* emulator.dispute(intent)
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const [payment] = records(yield* send("GET", path))
      const refund = send("POST", `${path}/${String(payment?.["payment_id"])}/refund`, {
        body: { amount: 100 }
      })
      assert.strictEqual((yield* refund).status, 502)
      yield* emulator.decide(id, "lost")
      record(yield* notify(server, emulator, "charge.dispute.closed"))
      yield* stateIs("unpaid", 100, [
        ["payment", 100],
        ["refund", 100]
      ])
    })
  )
})

billing("a payment and its lost dispute", (it) => {
  it.effect("are entered when no notice arrived, and the provider is asked about the open intents", () =>
    Effect.gen(function* () {
      const { emulator, invoice, ledger, payByCard, withProvider } = yield* cards
      const made = yield* invoice()
      const intent = yield* payByCard(made)
      const { id } = yield* emulator.dispute(intent, 4_000)
      yield* emulator.decide(id, "lost")
      const settle = Effect.gen(function* () {
        const openIntents = yield* OpenIntents
        return yield* openIntents.settle(DateTime.makeUnsafe(0))
      }).pipe(Effect.provide(OpenIntents.layer), withProvider)
      yield* settle
      yield* settle
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 40]
      ])
    })
  )
})
