/** A month of invoices, payments, refunds, credit notes and voided invoices, by a seed. */
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { openServer, record, records } from "../support/TestServer.ts"
import { biller } from "./Billing.ts"

type Row = Readonly<Record<string, unknown>>

/** Numbers between 0 and 1 that follow from a seed. */
const generator = (seed: number) => {
  let state = seed + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const cents = (amount: unknown) => Math.round(Number(amount) * 100)

/**
 * A business in Germany with `count` invoices in November 2026, and the sums of its ledger as the API returns them, in cents.
 * Without a seed there are no invoices.
 */
export const randomMonth = Effect.fnUntraced(function* (seed: number) {
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-11-01T08:00:00Z")))
  const owner = yield* biller(yield* openServer())
  const { customer, invoice, send } = owner
  record(
    yield* send("PATCH", "/settings/business", { country: "DE", currency: "EUR", timezone: "Europe/Berlin" })
  )
  const next = generator(seed)
  const upTo = (most: number) => Math.floor(next() * most)
  const { customer_id } = yield* customer({
    name: "Zoë",
    company: 'Kröger "Tours"; KG',
    country: "DE",
    account_number: "10042",
    email: `zoe${seed}@example.com`
  })
  const made: Array<Row> = []
  const invoicedDays = seed === 0 ? 0 : 24
  for (let day = 0; day < invoicedDays; day++) {
    yield* TestClock.adjust("1 day")
    const isKnown = day % 2 === 0
    const item = () => ({
      description: "Ride",
      quantity: 1 + upTo(3),
      unit_price: (1 + upTo(20_000)) / 100,
      tax_rate: isKnown ? [19, 7, 0][upTo(3)] : 7
    })
    const one = yield* invoice({
      currency: "EUR",
      items: [item(), item(), ...(isKnown ? [{ ...item(), tax_rate: 19 }] : [])],
      ...(isKnown ? { customer_id } : {})
    })
    made.push(one)
    const path = `/invoices/${String(one["invoice_id"])}`
    const total = cents(one["total_amount"])
    const chance = next()
    if (chance < 0.15) {
      record(yield* send("POST", `${path}/void`))
      continue
    }
    if (chance < 0.8) {
      const amount = (chance < 0.5 ? total : Math.max(1, upTo(total))) / 100
      const method = ["cash", "bank_transfer", "card", "other"][upTo(4)]
      const { payment_id } = record(yield* send("POST", `${path}/payments`, { amount, method }))
      if (chance < 0.3)
        record(yield* send("POST", `${path}/payments/${String(payment_id)}/refund`, { amount: 0.01 }))
    }
    if (chance > 0.4 && chance < 0.9) {
      record(yield* send("POST", `${path}/issue`))
      record(
        yield* send("POST", `${path}/credit-notes`, {
          refund: chance < 0.6,
          ...(chance < 0.7 ? { items: [{ description: "Late", unit_price: 0.5, tax_rate: 7 }] } : {})
        }).pipe(
          Effect.flatMap((answer) =>
            answer.status === 201 ? Effect.succeed(answer) : send("POST", `${path}/credit-notes`, {})
          )
        )
      )
    }
  }
  const read = yield* Effect.forEach(made, ({ invoice_id }) =>
    Effect.gen(function* () {
      const path = `/invoices/${String(invoice_id)}`
      return {
        invoice: record(yield* send("GET", path)),
        notes: records(yield* send("GET", `${path}/credit-notes`)),
        entries: records(yield* send("GET", `${path}/payments`))
      }
    })
  )
  const sum = (of: (one: (typeof read)[number]) => number) => read.reduce((total, one) => total + of(one), 0)
  const inForce = (one: (typeof read)[number]) => one.invoice["status"] !== "void"
  const moved = (kind: unknown) => (kind === "payment" ? 1 : String(kind).endsWith("refund") ? -1 : 0)
  return {
    ...owner,
    ledger: {
      invoiced: sum((one) => (inForce(one) ? cents(one.invoice["total_amount"]) : 0)),
      credited: sum(({ notes }) => notes.reduce((total, note) => total + cents(note["total_amount"]), 0)),
      received: sum(({ entries }) =>
        entries.reduce((total, { amount, kind }) => total + moved(kind) * cents(amount), 0)
      ),
      due: sum(({ invoice: { amount_due } }) => cents(amount_due)),
      toRefund: sum(({ invoice: { amount_to_refund } }) => cents(amount_to_refund))
    }
  }
})
