import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records } from "../support/TestServer.ts"
import { biller, billing, line, wrongFields } from "./Billing.ts"

/** An invoice of 60: a ride of 100 with 10 % tax, less a voucher of 50 without tax. */
const items = [
  { ...line, tax_rate: 10 },
  { description: "Voucher", quantity: -1, unit_price: 50 }
]

const ride = (unit_price: number) => ({ description: "Ride", unit_price, tax_rate: 10 })

const reduced = Effect.gen(function* () {
  const owner = yield* biller(yield* openServer())
  const made = yield* owner.invoice({ items })
  const path = `/invoices/${String(made["invoice_id"])}`
  return {
    ...owner,
    made,
    credit: (body: object = {}) => owner.send("POST", `${path}/credit-notes`, body),
    kinds: Effect.map(owner.send("GET", `${path}/payments`), (answer) =>
      records(answer).map(({ amount, kind }) => [kind, amount])
    )
  }
})

billing("a credit note of an invoice with a deduction at another rate", (it) => {
  it.effect("credits at most the total, and what is left can still be credited", () =>
    Effect.gen(function* () {
      const { credit, kinds, made, payment, read } = yield* reduced
      yield* payment(made["invoice_id"], 60)
      const beyond = yield* credit({ items: [ride(100)] })
      assert.deepStrictEqual(wrongFields(beyond), { items: "out_of_range" })
      assert.strictEqual(
        beyond.body.error?.message,
        "The input is not valid: items out_of_range. " +
          "Of invoice INV-000001, 100.00 USD without tax at 10 %, 60.00 USD in all can be credited"
      )
      assert.deepInclude(record(yield* credit({ items: [ride(50)] })), {
        total_amount: -55,
        refund_amount: 55
      })
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "paid",
        amount_paid: 5,
        amount_credited: 55
      })
      assert.deepInclude(record(yield* credit()), { subtotal: 0, tax_total: -5, total_amount: -5 })
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "unpaid",
        amount_due: 0,
        amount_credited: 60
      })
      assert.deepStrictEqual(yield* kinds, [
        ["payment", 60],
        ["credit", 55],
        ["excess_refund", 55],
        ["credit", 5],
        ["excess_refund", 5]
      ])
    })
  )

  it.effect("credits ride and deduction together", () =>
    Effect.gen(function* () {
      const { credit, made, payment, read } = yield* reduced
      yield* payment(made["invoice_id"], 10)
      assert.deepInclude(record(yield* credit({ items })), { total_amount: -60, refund_amount: 10 })
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "unpaid",
        amount_due: 0,
        amount_to_refund: 0
      })
    })
  )
})
