/** The money of a booking that is paid by card and by hand, while it is cancelled, confirmed, refunded and credited. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billing, billingPg } from "./Billing.ts"
import { seller } from "./BookingSeller.ts"
import { cards } from "./CardBusiness.ts"

const rounds = Array.from({ length: 4 }, (_, round) => round)

/** A business with cards that sells transfers at 90, and a pending booking with the link to pay it. */
const linked = Effect.gen(function* () {
  const owner = yield* cards
  const transfer = { kind: "transfer", pickup_address: "Here", dropoff_address: "There" }
  const sold = yield* seller(owner, transfer)
  const id = yield* sold.book()
  const invoice = record(yield* sold.link(id))
  const path = `/invoices/${String(invoice["invoice_id"])}`
  return {
    ...owner,
    ...sold,
    id,
    invoice,
    path,
    entriesOf: owner.ledger(invoice),
    invoiceNow: Effect.map(owner.send("GET", path), record),
    payments: Effect.map(owner.send("GET", `${path}/payments`), records),
    refund: (payment: Readonly<Record<string, unknown>> | undefined) =>
      owner.send("POST", `${path}/payments/${String(payment?.["payment_id"])}/refund`, {})
  }
})

/** A booking of which 40 were paid in cash and 50 by card. */
const paidInParts = Effect.gen(function* () {
  const business = yield* linked
  const { id, invoice, pay, payByCard, statusOf, succeeded } = business
  record(yield* pay(id, 40))
  yield* payByCard(invoice)
  record(yield* succeeded)
  assert.deepStrictEqual(yield* statusOf(id), ["pending", "paid"])
  return business
})

billing("the money of a booking", (it) => {
  it.effect("is returned as it was paid, in cash and by card, and holds the booking until then", () =>
    Effect.gen(function* () {
      const { emulator, entriesOf, id, payments, read, refund, statusOf, step } = yield* paidInParts
      const [cash, card] = yield* payments
      record(yield* refund(card))
      assert.deepStrictEqual(yield* statusOf(id), ["pending", "partial"])
      record(yield* step(id, "confirm"))
      assert.deepStrictEqual(yield* statusOf(id), ["confirmed", "partial"])
      record(yield* refund(cash))
      assert.deepInclude(yield* read(id), { status: "confirmed", payment_status: "unpaid" })
      refusedAs(yield* refund(card), 409, "conflict")
      assert.deepStrictEqual(yield* entriesOf, [
        ["payment", 40],
        ["payment", 50],
        ["refund", 50],
        ["refund", 40]
      ])
      assert.deepStrictEqual(
        emulator.refunds().map(({ amount }) => amount),
        [5000]
      )
    })
  )

  it.effect("is returned as it was paid, if the invoice of its trip is credited in full", () =>
    Effect.gen(function* () {
      const { emulator, entriesOf, id, invoiceNow, path, read, send, statusOf, step } = yield* paidInParts
      const { trip_id } = record(yield* step(id, "confirm"))
      record(yield* send("POST", `${path}/credit-notes`, {}))
      assert.deepInclude(yield* invoiceNow, { amount_credited: 90, amount_to_refund: 0, trip_ids: [] })
      assert.deepInclude(yield* read(id), { trip_id, invoice_id: null })
      assert.deepStrictEqual(yield* statusOf(id), ["confirmed", "unpaid"])
      const entries = (yield* entriesOf).map(([kind, amount]) => `${String(kind)} ${String(amount)}`)
      assert.sameMembers(entries, [
        "payment 40",
        "payment 50",
        "credit 50",
        "credit 40",
        "excess_refund 50",
        "excess_refund 40"
      ])
      assert.deepStrictEqual(
        emulator.refunds().map(({ amount }) => amount),
        [5000]
      )
    })
  )
})

billingPg("the money of a booking", (it) => {
  it.effect("is taken once, if two customers pay the same link at once", () =>
    Effect.gen(function* () {
      for (const _ of rounds) {
        const { begin, emulator, entriesOf, id, invoice, link, statusOf, succeeded } = yield* linked
        const [one, two] = yield* Effect.all([begin(invoice), begin(invoice), link(id)], {
          concurrency: "unbounded"
        })
        const secret = record(one)["client_secret"]
        assert.strictEqual(record(two)["client_secret"], secret)
        const [intent = ""] = String(secret).split("_secret_")
        const pay = Effect.exit(emulator.pay(intent, "pm_card_visa"))
        yield* Effect.all([pay, pay], { concurrency: "unbounded" })
        assertStatuses(yield* Effect.all([succeeded, succeeded], { concurrency: "unbounded" }), [200, 200])
        assert.deepStrictEqual(yield* entriesOf, [["payment", 90]])
        assert.deepStrictEqual(yield* statusOf(id), ["pending", "paid"])
        refusedAs(yield* link(id), 422, "payment_link_failed")
        refusedAs(yield* begin(invoice), 422, "payment_link_failed")
      }
    })
  )

  it.effect(
    "stays in the ledger if the booking is cancelled while the card payment arrives, and is refunded",
    () =>
      Effect.gen(function* () {
        for (const round of rounds) {
          const {
            emulator,
            entriesOf,
            id,
            invoice,
            path,
            payByCard,
            payments,
            refund,
            send,
            statusOf,
            step,
            succeeded
          } = yield* linked
          if (round % 2 === 1) record(yield* step(id, "confirm"))
          yield* payByCard(invoice)
          const answers = yield* Effect.all([step(id, "cancel"), succeeded], { concurrency: "unbounded" })
          assertStatuses(answers, [200, 200])
          assert.deepStrictEqual(yield* statusOf(id), ["cancelled", "paid"])
          assert.deepStrictEqual(yield* entriesOf, [["payment", 90]])
          const [payment] = yield* payments
          record(yield* refund(payment))
          record(yield* send("POST", `${path}/void`))
          assert.deepStrictEqual(yield* statusOf(id), ["cancelled", "unpaid"])
          assert.strictEqual(emulator.charges()[0]?.amount_refunded, 9000)
        }
      })
  )

  it.effect("counts once, if it arrives by hand and by card at once, and the rest is to be refunded", () =>
    Effect.gen(function* () {
      for (const _ of rounds) {
        const { entriesOf, id, invoice, invoiceNow, pay, payByCard, statusOf, succeeded } = yield* linked
        yield* payByCard(invoice)
        const [byHand] = yield* Effect.all([pay(id, 90), succeeded], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* statusOf(id), ["pending", "paid"])
        const isTwice = byHand.status === 201
        assert.deepInclude(yield* invoiceNow, { amount_paid: 90, amount_to_refund: isTwice ? 90 : 0 })
        const kinds = (yield* entriesOf).map(([kind]) => String(kind)).toSorted()
        // The one that comes second is not needed: all of the card's is an excess, and a part by hand is credit.
        const twice = kinds.includes("excess") ? ["excess", "payment"] : ["credit", "payment", "payment"]
        assert.deepStrictEqual(kinds, isTwice ? twice : ["payment"])
      }
    })
  )
})
