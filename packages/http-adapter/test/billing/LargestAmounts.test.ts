/** Amounts beyond the largest of their currency: 1,000,000,000 in a currency of three decimals. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { business } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

const largest = 1_000_000_000

const ride = {
  trip_date: "2030-12-24T17:30:00Z",
  pickup_address: "Airport",
  dropoff_address: "Hotel",
  customer_name: "Ada"
}

layer(Ports)("an amount in a currency of three decimals", (it) => {
  it.effect("is accepted up to 1,000,000,000; more is out of range, and too many decimals are invalid", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const send = (method: string, path: string, body: object) =>
        server.send(method, path, { credential: key, body })
      const currency = "KWD"
      const invoice = record(
        yield* send("POST", "/invoices", { currency, items: [{ description: "Ride", unit_price: 1 }] })
      )
      const trip = record(yield* send("POST", "/trips", { ...ride, currency }))
      for (const [method, path, field, bodyOf] of [
        ["POST", "/trips", "total_amount", (total_amount: number) => ({ ...ride, currency, total_amount })],
        [
          "PATCH",
          `/trips/${String(trip["trip_id"])}`,
          "total_amount",
          (total_amount: number) => ({ total_amount })
        ],
        ["POST", "/products", "price", (price: number) => ({ name: "Tour", currency, price })],
        [
          "POST",
          "/quotes",
          "items.0.amount",
          (amount: number) => ({ customer_name: "Ada", currency, items: [{ description: "Ride", amount }] })
        ],
        [
          "POST",
          "/quotes",
          "items.0.trip.total_amount",
          (total_amount: number) => ({
            customer_name: "Ada",
            currency,
            items: [{ description: "Ride", amount: 1, trip: { ...ride, total_amount } }]
          })
        ],
        [
          "POST",
          "/invoices",
          "items.0.unit_price",
          (unit_price: number) => ({ currency, items: [{ description: "Ride", unit_price }] })
        ]
      ] as const) {
        record(yield* send(method, path, bodyOf(largest)))
        for (const [amount, issue] of [
          [largest + 0.001, "out_of_range"],
          [largest + 1, "out_of_range"],
          [largest * 10, "out_of_range"],
          [1.0001, "invalid"],
          [largest + 0.0001, "invalid"]
        ] as const) {
          const answer = yield* send(method, path, bodyOf(amount))
          assert.deepStrictEqual<unknown>(
            refusedAs(answer, 422, "invalid_request"),
            [{ field, issue }],
            `${method} ${path} ${field} ${amount}`
          )
          if (issue === "out_of_range" && amount < largest * 10)
            assert.include(
              answer.body.error?.message,
              `${field} out_of_range (accepted: at most 1000000000.000 KWD)`
            )
        }
      }
      const payments = `/invoices/${String(invoice["invoice_id"])}/payments`
      const tooMuch = yield* send("POST", payments, { amount: largest + 1, method: "cash" })
      assert.deepStrictEqual<unknown>(refusedAs(tooMuch, 422, "invalid_request"), [
        { field: "amount", issue: "out_of_range" }
      ])
      assert.include(
        tooMuch.body.error?.message,
        "amount out_of_range (accepted: at most 1000000000.000 KWD)"
      )
    })
  )
})
