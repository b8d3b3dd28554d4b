import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { company, wrong } from "../support/Fleet.ts"
import { excursion } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { seller } from "./QuoteSeller.ts"

/** The references of the records that a list has. */
const listedBy = ({ send }: Pick<Effect.Success<ReturnType<typeof company>>, "send">, list: string) =>
  Effect.fnUntraced(function* (query: string) {
    return records(yield* send("GET", `${list}?${query}`)).map(({ reference }) => reference)
  })

layer(Ports, { timeout: 60_000 })("the list of quotes", (it) => {
  it.effect("is filtered by reference and by days of the creation on the business's clock", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const owner = yield* seller(server)
      const listed = listedBy(owner, "/quotes")
      // 09:30 UTC on the 20th is 22:30 on the 20th in Auckland; two hours later, it is the 21st there.
      record(yield* owner.send("PATCH", "/settings/business", { timezone: "Pacific/Auckland" }))
      const one = String((yield* owner.quote())["reference"])
      yield* TestClock.adjust("2 hours")
      const two = String((yield* owner.quote())["reference"])
      assert.deepStrictEqual(yield* listed(""), [two, one])
      assert.deepStrictEqual(yield* listed("date_to=2026-11-20"), [one])
      assert.deepStrictEqual(yield* listed("date_from=2026-11-21"), [two])
      assert.deepStrictEqual(yield* listed("date_from=2026-11-20&date_to=2026-11-21"), [two, one])
      assert.deepStrictEqual(yield* listed("date_from=2026-11-22"), [])
      assert.deepStrictEqual(yield* listed(`reference=${one.toLowerCase()}`), [one])
      assert.deepStrictEqual(yield* listed(`reference=${one}&date_from=2026-11-21`), [])
      assert.deepStrictEqual(yield* listed(`reference=${one.slice(0, -1)}`), [])
      assert.deepStrictEqual(yield* listed(`reference=${one}&status=draft`), [one])
      assert.deepStrictEqual(yield* listed(`reference=${one}&status=sent`), [])
      const other = yield* seller(server)
      assert.deepStrictEqual(yield* listedBy(other, "/quotes")(`reference=${one}`), [])
    })
  )

  it.effect("shows no total until every item has an amount", () =>
    Effect.gen(function* () {
      const { quote, send, step } = yield* seller(yield* openServer())
      const items = [{ description: "Ride", amount: 90 }, { description: "Guide" }]
      const { quote_id } = yield* quote({ items })
      const shown = Effect.map(send("GET", `/quotes/${String(quote_id)}`), record)
      assert.deepInclude(yield* shown, { total_amount: null })
      assert.deepInclude(records(yield* send("GET", "/quotes"))[0], { total_amount: null })
      record(yield* step(quote_id, "price", { amounts: [90, 0] }))
      assert.deepInclude(yield* shown, { total_amount: 90 })
    })
  )
})

layer(Ports, { timeout: 60_000 })("the list of bookings", (it) => {
  it.effect("is filtered by reference, by days of the start and by payment status", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const owner = yield* company(server)
      const listed = listedBy(owner, "/bookings")
      record(yield* owner.send("PATCH", "/settings/business", { timezone: "America/New_York" }))
      const { product_id } = record(yield* owner.send("POST", "/products", excursion))
      const booked = Effect.fnUntraced(function* (starts_at: string) {
        const body = { product_id, starts_at, customer_name: "Ada" }
        const { booking_id, reference } = record(yield* owner.send("POST", "/bookings", body))
        return { path: `/bookings/${String(booking_id)}`, reference: String(reference) }
      })
      // On the 24th in New York, and one second later on the 25th.
      const one = yield* booked("2026-12-25T04:59:59Z")
      const two = yield* booked("2026-12-25T05:00:00Z")
      assert.deepStrictEqual(yield* listed(""), [two.reference, one.reference])
      assert.deepStrictEqual(yield* listed("date_to=2026-12-24"), [one.reference])
      assert.deepStrictEqual(yield* listed("date_from=2026-12-25&date_to=2026-12-25"), [two.reference])
      assert.deepStrictEqual(yield* listed(`reference=${one.reference.toLowerCase()}`), [one.reference])

      const pay = (path: string, amount: number) =>
        owner.send("POST", `${path}/payments`, { amount, method: "cash" })
      record(yield* pay(one.path, 20))
      assert.deepStrictEqual(yield* listed("payment_status=partial"), [one.reference])
      assert.deepStrictEqual(yield* listed("payment_status=unpaid"), [two.reference])
      record(yield* pay(one.path, 25))
      assert.deepStrictEqual(yield* listed("payment_status=paid"), [one.reference])
      // With the trip of the booking, the payments are those of the trip.
      record(yield* owner.send("POST", `${one.path}/confirm`, { email: false }))
      record(yield* owner.send("POST", `${two.path}/confirm`, { email: false }))
      assert.deepStrictEqual(yield* listed("payment_status=paid&status=confirmed"), [one.reference])
      assert.deepStrictEqual(yield* listed("payment_status=unpaid"), [two.reference])
      assert.deepStrictEqual(yield* listed("payment_status=paid&date_from=2026-12-25"), [])
      assert.deepStrictEqual(
        yield* listedBy(yield* company(server), "/bookings")("payment_status=unpaid"),
        []
      )
    })
  )

  it.effect("refuses wrong values, days in the wrong order and unknown filters, also that of quotes", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      for (const list of ["/quotes", "/bookings"])
        for (const [query, details] of [
          ["date_from=tomorrow&date_to=2026-02-30", { date_from: "invalid", date_to: "invalid" }],
          ["date_from=2026-11-21&date_to=2026-11-20", { date_to: "out_of_range" }],
          [`reference=${"x".repeat(101)}`, { reference: "too_long" }],
          ["reference=", { reference: "required" }],
          ["number=1", { number: "unknown_value" }]
        ] as const)
          assert.deepStrictEqual(
            refusedAs(yield* send("GET", `${list}?${query}`), 422, "invalid_request"),
            wrong(details),
            `${list}?${query}`
          )
      assert.deepStrictEqual(
        refusedAs(yield* send("GET", "/bookings?payment_status=free"), 422, "invalid_request"),
        wrong({ payment_status: "unknown_value" })
      )
      assert.deepStrictEqual(
        refusedAs(yield* send("GET", "/quotes?payment_status=paid"), 422, "invalid_request"),
        wrong({ payment_status: "unknown_value" })
      )
    })
  )
})
