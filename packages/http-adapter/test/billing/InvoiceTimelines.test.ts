import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { billing, line } from "./Billing.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

billing("the timeline of an invoice", (it) => {
  it.effect("has each change with its author and time, and each has an event", () =>
    Effect.gen(function* () {
      const owner = yield* invoicePrinter(yield* openServer())
      const { businessId, customer, events, invoice, payment, send, trip } = owner
      const made = yield* invoice({ customer_id: null })
      const path = pathOf(made)
      const ride = yield* trip({ currency: "EUR", total_amount: 10 })
      const trip_ids = [ride["trip_id"]]
      record(yield* send("POST", `${path}/trips`, { trip_ids }))
      record(yield* send("DELETE", `${path}/trips`, { trip_ids }))
      record(yield* send("PATCH", path, { due_date: "2027-01-01", notes: "For Ada" }))
      record(yield* send("POST", `${path}/email`, { to: "ada@example.com" }))
      record(yield* send("GET", `/public/invoices/${String(made["payment_hash"])}`))
      record(yield* send("PATCH", path, { customer_id: customer["customer_id"] }))
      const paid = yield* payment(made["invoice_id"], 20)
      record(yield* send("POST", `${path}/payments/${String(paid["payment_id"])}/refund`, { amount: 5 }))
      record(yield* send("POST", `${path}/correct`, { items: [line] }))
      const entries = records(yield* send("GET", `${path}/timeline`))
      assert.deepStrictEqual(
        entries.map(({ change }) => change),
        [
          "created",
          "attached",
          "detached",
          "updated",
          "sealed",
          "emailed",
          "viewed",
          "customer_linked",
          "paid",
          "refunded",
          "credited",
          "credit_used",
          "corrected"
        ]
      )
      const updated = entries[3] ?? assert.fail("no entry")
      assert.deepInclude(updated, {
        at: "2026-11-20T09:30:00Z",
        fields: ["due_date", "notes"],
        after: { due_date: "2027-01-01" }
      })
      assert.match(String(updated["actor"]), /^(?:user|api_key):/u)
      assert.isString(updated["actor_name"])
      assert.strictEqual(entries[6]?.["actor"], "customer")
      // Neither notes nor addresses: the timeline is no place from which a person has to be erased.
      assert.notMatch(JSON.stringify(entries), /For Ada|ada@example\.com/u)
      const changes = (yield* events).flatMap(({ data, type }) =>
        type === "invoice.updated" && data["invoice_id"] === made["invoice_id"] ? [data["change"]] : []
      )
      assert.deepStrictEqual(
        changes,
        entries.map(({ change }) => change).filter((change) => change !== "created" && change !== "paid")
      )
      assert.isNumber(businessId)
    })
  )

  it.effect("has how an invoice ended, page by page", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* invoicePrinter(yield* openServer())
      const path = pathOf(yield* invoice())
      record(yield* send("POST", `${path}/issue`))
      record(yield* send("DELETE", path, { force: true }))
      record(yield* send("DELETE", path, { force: true }))
      const changes = (query: string) =>
        Effect.map(send("GET", `${path}/timeline${query}`), (answer) =>
          records(answer).map(({ change }) => change)
        )
      assert.deepStrictEqual(yield* changes(""), ["created", "issued", "voided"])
      assert.deepStrictEqual(yield* changes("?per_page=1&page=3"), ["voided"])
      refusedAs(yield* send("GET", "/invoices/999999/timeline"), 404, "not_found")
    })
  )
})
