import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { biller, billing, line } from "./Billing.ts"

billing("the list of invoices", (it) => {
  it.effect("is filtered by customer and by days of the creation on the business's clock", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const owner = yield* biller(server)
      // 09:30 UTC on the 20th is 22:30 on the 20th in Auckland; two hours later, it is the 21st there.
      record(yield* owner.send("PATCH", "/settings/business", { timezone: "Pacific/Auckland" }))
      const { customer_id } = record(yield* owner.send("POST", "/customers", { name: "Ada" }))
      const one = String((yield* owner.invoice({ items: [line], customer_id }))["number"])
      yield* TestClock.adjust("2 hours")
      const two = String((yield* owner.invoice())["number"])
      const listed = Effect.fnUntraced(function* (query: string) {
        return records(yield* owner.send("GET", `/invoices?${query}`)).map(({ number }) => number)
      })
      assert.deepStrictEqual(yield* listed(""), [two, one])
      assert.deepStrictEqual(yield* listed("date_to=2026-11-20"), [one])
      assert.deepStrictEqual(yield* listed("date_from=2026-11-21"), [two])
      assert.deepStrictEqual(yield* listed("date_from=2026-11-20&date_to=2026-11-21"), [two, one])
      assert.deepStrictEqual(yield* listed("date_from=2026-11-22"), [])
      assert.deepStrictEqual(yield* listed(`customer_id=${String(customer_id)}`), [one])
      assert.deepStrictEqual(yield* listed(`customer_id=${String(customer_id)}&date_from=2026-11-21`), [])
      assert.deepStrictEqual(yield* listed(`customer_id=${String(customer_id)}&status=paid`), [])
      assert.deepStrictEqual(yield* listed(`search=${one}&date_to=2026-11-20&status=unpaid`), [one])
      assert.deepStrictEqual(yield* listed(`search=${one}&date_from=2026-11-21`), [])
      const { send } = yield* company(server)
      assert.deepStrictEqual(records(yield* send("GET", `/invoices?customer_id=${String(customer_id)}`)), [])
    })
  )

  it.effect("refuses wrong values, days in the wrong order and unknown filters", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      for (const [query, details] of [
        ["date_from=tomorrow&date_to=2026-02-30", { date_from: "invalid", date_to: "invalid" }],
        ["date_from=2026-11-21&date_to=2026-11-20", { date_to: "out_of_range" }],
        ["customer_id=Ada", { customer_id: "invalid" }],
        ["customer_id=1.5", { customer_id: "invalid" }],
        ["customer_id=0", { customer_id: "out_of_range" }],
        ["payment_status=paid", { payment_status: "unknown_value" }]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(yield* send("GET", `/invoices?${query}`), 422, "invalid_request"),
          wrong(details),
          query
        )
    })
  )
})
