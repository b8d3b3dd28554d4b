/** Random payments, remittances, uses of credit, refunds, reversals and credit notes of one customer. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { extent } from "../../../../test/faults/support/Extent.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { assertMoney, biller, line } from "./Billing.ts"

const Step = Schema.Struct({
  kind: Schema.Literals(["pay", "remit", "use", "refund", "reverse", "reverse", "credit"]),
  invoice: Schema.Literals([0, 1, 2]),
  entry: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  amount: Schema.Literals([1, 20, 50, 100, 130])
})
const Steps = Schema.Array(Step).check(Schema.isMinLength(6), Schema.isMaxLength(16))

/** Whether an entry brought money (1), returned or never was money (-1), or moved none (0). */
const directions: Readonly<Record<string, number>> = {
  payment: 1,
  excess: 1,
  reversal: 1,
  excess_reversal: 1,
  refund: -1,
  excess_refund: -1,
  correction: -1,
  excess_correction: -1,
  credit_used: -1,
  credit_returned: 1,
  from_credit: 1
}

const walk = Effect.fnUntraced(function* (steps: typeof Steps.Type) {
  const { customer, invoice, pay, read, send } = yield* biller(yield* openServer())
  const { customer_id } = yield* customer({ name: "Acme" })
  const made = yield* Effect.forEach([100, 70, 40], (unit_price) =>
    invoice({ customer_id, items: [{ ...line, unit_price }] })
  )
  for (const { amount, entry, invoice: at, kind } of steps) {
    const id = made[at]?.["invoice_id"]
    const path = `/invoices/${String(id)}`
    const listed = records(yield* send("GET", `${path}/payments`))
    const payment = listed[entry % Math.max(listed.length, 1)]
    const ofEntry = `${path}/payments/${Number(payment?.["payment_id"] ?? 999_999)}`
    const allocations = [
      { invoice_id: id, amount: Math.min(amount, 20) },
      { invoice_id: made[(at + 1) % 3]?.["invoice_id"], amount: 1 }
    ]
    const answer = yield* {
      pay: pay(id, amount),
      remit: send("POST", "/payments", { customer_id, amount: amount + 1, allocations }),
      use: send("POST", `${path}/apply-credit`),
      refund: send("POST", `${ofEntry}/refund`, { amount }),
      reverse: send("POST", `${ofEntry}/reverse`, { reason: "A typing error" }),
      credit: send("POST", `${path}/credit-notes`, {
        refund: false,
        items: [{ ...line, unit_price: Math.min(amount, 20) }]
      })
    }[kind]
    assert.include([200, 201, 404, 409, 422], answer.status, answer.text)
  }
  let credit = 0
  for (const { invoice_id } of made) {
    const now = yield* read(invoice_id)
    const entries = records(yield* send("GET", `/invoices/${String(invoice_id)}/payments`))
    const money = entries.reduce(
      (sum, { amount, kind }) => sum + (directions[String(kind)] ?? 0) * Number(amount),
      0
    )
    assert.strictEqual(Number(now["amount_paid"]) + Number(now["amount_to_refund"]), money)
    const rest = Number(now["total_amount"]) - Number(now["amount_credited"])
    const paid = Number(now["amount_paid"])
    assert.isAtMost(paid, rest)
    assert.strictEqual(now["status"], paid === 0 ? "unpaid" : paid < rest ? "partial" : "paid")
    credit += Number(now["amount_to_refund"])
  }
  const { balances } = record(yield* send("GET", `/customers/${String(customer_id)}/credit`))
  const [balance] = balances as ReadonlyArray<{ readonly amount: number }>
  assert.strictEqual(balance?.amount ?? 0, credit)
  yield* assertMoney
})

layer(PortsInMemory, { timeout: 600_000 })("the money of a customer", (it) => {
  it.effect.prop(
    "stays balanced after any payments, uses of credit, refunds, reversals and credit notes",
    { steps: Steps },
    ({ steps }) => walk(steps),
    { arbitrary: { runs: extent(200, 25) }, timeout: extent(600_000, 120_000) }
  )
})
