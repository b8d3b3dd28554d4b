/** Random steps of the invoices of one customer, compared with their model after each step. */
import { assert, layer } from "@effect/vitest"
import { InvoiceStatus } from "@livery/domain"
import { Effect, Schema } from "effect"
import { extent } from "../../../../test/faults/support/Extent.ts"
import {
  invoiceAnswer,
  type InvoiceModel,
  type InvoiceStep
} from "../../../../test/support/models/InvoiceModel.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { assertMoney, biller } from "./Billing.ts"

type Row = Readonly<Record<string, unknown>>

const Step = Schema.Struct({
  kind: Schema.Literals([
    "draft",
    "issue",
    "change",
    "correct",
    "void",
    "remove",
    "pay",
    "pay",
    "remit",
    "use",
    "refund",
    "reverse",
    "reverse",
    "credit"
  ]),
  invoice: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
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

/** A line whose price contains its tax, so that the total of an invoice is the price. */
const priced = (unit_price: number, trip_id?: unknown) => ({
  description: "Transfer",
  unit_price,
  tax_rate: 10,
  tax_included: true,
  ...(trip_id === undefined ? {} : { trip_id })
})

const decodeStatus = Schema.decodeUnknownSync(InvoiceStatus)

/** What a sealed invoice keeps. */
const sealedFields = ["number", "items", "total_amount", "tax_total", "issued_on", "sealed_at"] as const

const made = Effect.gen(function* () {
  const { customer, invoice, pay, send, trip } = yield* biller(yield* openServer())
  const { customer_id } = yield* customer({ name: "Acme" })
  const { trip_id } = yield* trip({ customer_id, total_amount: 100 })
  const first = yield* invoice({ customer_id, trip_ids: [trip_id], items: [priced(100, trip_id)] })
  const ids = [first["invoice_id"]]
  for (const price of [70, 40])
    ids.push((yield* invoice({ customer_id, items: [priced(price)] }))["invoice_id"])
  const sealed = new Map<unknown, Row>()
  let drawn = ids.length

  const read = (id: unknown) =>
    Effect.map(send("GET", `/invoices/${String(id)}`), (answer) =>
      answer.status === 404 ? undefined : record(answer)
    )
  const entriesOf = (id: unknown) =>
    Effect.map(send("GET", `/invoices/${String(id)}/payments?per_page=100`), (answer) =>
      answer.status === 404 ? [] : records(answer)
    )
  const creditOf = Effect.map(send("GET", `/customers/${String(customer_id)}/credit`), (answer) => {
    const [balance] = record(answer)["balances"] as ReadonlyArray<{ readonly amount: number }>
    return balance?.amount ?? 0
  })
  const modelOf = Effect.fnUntraced(function* (id: unknown, now: Row | undefined) {
    const entries = yield* entriesOf(id)
    const model: InvoiceModel = {
      status: now === undefined ? "gone" : decodeStatus(now["status"]),
      isSealed: (now?.["sealed_at"] ?? null) !== null,
      total: Number(now?.["total_amount"]),
      credited: Number(now?.["amount_credited"]),
      due: Number(now?.["amount_due"]),
      hasEntries: entries.length > 0,
      credit: yield* creditOf
    }
    return { entries, model }
  })

  const take = Effect.fnUntraced(function* (step: typeof Step.Type, path: string) {
    const at = step.invoice % ids.length
    const id = ids[at]
    const now = yield* read(id)
    const { entries, model } = yield* modelOf(id, now)
    const address = `/invoices/${String(id)}`
    const { amount, kind } = step
    const entry = `${address}/payments/${Number(entries[step.entry % entries.length]?.["payment_id"] ?? 999_999)}`
    const reason = "A typing error"
    const allocations = [
      { invoice_id: id, amount: Math.min(amount, 20) },
      { invoice_id: ids[(at + 1) % ids.length], amount: 1 }
    ]
    const credited = Math.min(amount, 20)
    const lines = ((now?.["items"] ?? []) as ReadonlyArray<Row>).map(({ trip_id: of }) =>
      priced(model.total + 1, of ?? undefined)
    )
    const answer = yield* {
      draft: send("POST", "/invoices", { draft: true, customer_id, items: [priced(amount)] }),
      issue: send("POST", `${address}/issue`),
      change: send("PATCH", address, { items: lines.length === 0 ? [priced(1)] : lines }),
      correct: send("POST", `${address}/correct`, amount > 50 ? { items: [priced(amount)] } : {}),
      void: send("POST", `${address}/void`),
      remove: send("DELETE", address),
      pay: pay(id, amount),
      remit: send("POST", "/payments", { customer_id, amount: amount + 1, allocations }),
      use: send("POST", `${address}/apply-credit`),
      refund: send("POST", `${entry}/refund`, { amount }),
      reverse: send("POST", `${entry}/reverse`, { reason }),
      credit: send("POST", `${address}/credit-notes`, { refund: false, items: [priced(credited)] })
    }[kind]
    if (kind === "remit" || kind === "refund" || kind === "reverse")
      assert.include([201, 404, 409, 422], answer.status, `${path}: ${answer.text}`)
    else if (kind !== "draft") {
      const expected = invoiceAnswer(
        model,
        kind === "credit" ? { credit: credited } : (kind satisfies InvoiceStep)
      )
      assert.strictEqual(answer.status < 300 ? "ok" : answer.status, expected, `${path}: ${answer.text}`)
    }
    if (answer.status >= 300) return
    if (kind === "draft" || kind === "correct") ids.push(record(answer)["invoice_id"])
    if (kind === "correct" || (kind === "issue" && model.status === "draft")) drawn += 1
  })

  /** Checks the invoices, the credit of the customer, and the trip, against the ledgers of the invoices. */
  const check = Effect.fnUntraced(function* (path: string) {
    let credit = 0
    const numbers: Array<unknown> = []
    const owners: Array<Row> = []
    for (const id of ids) {
      const now = yield* read(id)
      if (now === undefined) continue
      const entries = yield* entriesOf(id)
      const money = entries.reduce(
        (sum, { amount, kind }) => sum + (directions[String(kind)] ?? 0) * Number(amount),
        0
      )
      const [paid, rest] = [
        Number(now["amount_paid"]),
        Number(now["total_amount"]) - Number(now["amount_credited"])
      ]
      assert.strictEqual(paid + Number(now["amount_to_refund"]), money, path)
      if (now["status"] === "draft")
        assert.deepInclude(now, { number: null, amount_due: 0, sealed_at: null }, path)
      else if (now["status"] === "void") assert.deepInclude(now, { amount_paid: 0, trip_ids: [] }, path)
      else {
        assert.isAtMost(paid, rest, path)
        assert.strictEqual(now["status"], paid === 0 ? "unpaid" : paid < rest ? "partial" : "paid", path)
        assert.strictEqual(now["amount_due"], rest - paid, path)
      }
      if (entries.length > 0) assert.isNotNull(now["sealed_at"], path)
      if (now["number"] !== null) numbers.push(now["number"])
      const kept = Object.fromEntries(sealedFields.map((name) => [name, now[name]]))
      if (now["sealed_at"] !== null) {
        assert.deepStrictEqual(kept, sealed.get(id) ?? kept, path)
        sealed.set(id, kept)
      }
      if (now["corrected_by_invoice_id"] !== null) {
        assert.strictEqual(rest, 0, path)
        assert.deepInclude(yield* read(now["corrected_by_invoice_id"]), { corrects_invoice_id: id }, path)
      }
      if ((now["trip_ids"] as ReadonlyArray<unknown>).length > 0) owners.push(now)
      credit += Number(now["amount_to_refund"])
    }
    assert.strictEqual(yield* creditOf, credit, path)
    assert.strictEqual(new Set(numbers).size, drawn, `${path}: each number is drawn once and stays readable`)
    assert.isAtMost(owners.length, 1, path)
    const status = owners[0]?.["status"] ?? "unpaid"
    const { payment_status } = record(yield* send("GET", `/trips/${String(trip_id)}`))
    assert.strictEqual(payment_status, status, path)
    yield* assertMoney
  })
  return { take, check }
})

layer(PortsInMemory, { timeout: 600_000 })("the invoices of a customer", (it) => {
  it.effect.prop(
    "are answered as their model says and stay balanced, after any drafts, changes, issues, corrections, payments, uses of credit, refunds, reversals, credit notes, voids and deletions",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const { check, take } = yield* made
        for (const [index, step] of steps.entries()) {
          const path = steps
            .slice(0, index + 1)
            .map(({ amount, entry, invoice, kind }) => `${kind} ${invoice} ${entry} ${amount}`)
            .join(", ")
          yield* take(step, path)
          yield* check(path)
        }
      }),
    { arbitrary: { runs: extent(200, 25) }, timeout: extent(600_000, 120_000) }
  )
})
