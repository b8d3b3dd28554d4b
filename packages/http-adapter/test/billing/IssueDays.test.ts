// The days of an invoice: of issue, of service and of payment.
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { biller, billing, line, wrongFields } from "./Billing.ts"

/** A business in Zurich shortly after its midnight, which is still yesterday in UTC. */
const afterMidnight = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2026-11-30T23:30:00Z")))
  const owner = yield* biller(yield* openServer())
  record(
    yield* owner.send("PATCH", "/settings/business", { timezone: "Europe/Zurich", payment_terms_days: 30 })
  )
  return owner
})

billing("the days of an invoice", (it) => {
  it.effect("it is issued today on the business's clock, or on an earlier day of the request", () =>
    Effect.gen(function* () {
      const { invoice, raise, send } = yield* afterMidnight
      const today = yield* invoice()
      assert.deepInclude(today, { issued_on: "2026-12-01", due_date: "2026-12-31", service_from: null })
      const earlier = yield* invoice({ items: [line], issued_on: "2026-11-15", service_to: "2026-11-14" })
      assert.deepInclude(earlier, {
        issued_on: "2026-11-15",
        due_date: "2026-12-15",
        service_from: "2026-11-14",
        service_to: "2026-11-14"
      })
      for (const issued_on of ["2026-12-02", "2025-11-29"])
        assert.deepStrictEqual(wrongFields(yield* raise({ items: [line], issued_on })), {
          issued_on: "out_of_range"
        })
      const wrongDays = { items: [line], service_from: "2026-11-02", service_to: "2026-11-01" }
      assert.deepStrictEqual(wrongFields(yield* raise(wrongDays)), { service_to: "out_of_range" })
      const path = `/invoices/${String(earlier["invoice_id"])}`
      assert.deepInclude(record(yield* send("PATCH", path, { issued_on: "2026-11-16" })), {
        issued_on: "2026-11-16"
      })
      record(yield* send("POST", `${path}/issue`))
      const refused = yield* send("PATCH", path, { issued_on: "2026-11-17", service_from: "2026-11-10" })
      const details = refusedAs(refused, 409, "conflict") ?? []
      assert.deepStrictEqual(
        details.map(({ field }) => field),
        ["issued_on", "service_from"]
      )
    })
  )

  it.effect("the days of service follow its trips, each on the clock of its pickup, until it is issued", () =>
    Effect.gen(function* () {
      const { invoice, send, trip } = yield* afterMidnight
      const ride = (trip_date: string, pickup_timezone: string) =>
        trip({ trip_date, pickup_timezone, total_amount: 10 })
      const late = yield* ride("2026-12-05T23:30:00Z", "Europe/Zurich")
      const abroad = yield* ride("2026-12-03T02:00:00Z", "America/New_York")
      const made = yield* invoice({ trip_ids: [late["trip_id"]], service_from: "2026-01-01" })
      assert.deepInclude(made, { service_from: "2026-12-06", service_to: "2026-12-06" })
      const path = `/invoices/${String(made["invoice_id"])}`
      const both = record(yield* send("POST", `${path}/trips`, { trip_ids: [abroad["trip_id"]] }))
      assert.deepInclude(both, { service_from: "2026-12-02", service_to: "2026-12-06" })
      const one = record(yield* send("DELETE", `${path}/trips`, { trip_ids: [late["trip_id"]] }))
      assert.deepInclude(one, { service_from: "2026-12-02", service_to: "2026-12-02" })
      record(
        yield* send("PATCH", `/trips/${String(abroad["trip_id"])}`, { trip_date: "2026-12-10T12:00:00Z" })
      )
      const issued = record(yield* send("POST", `${path}/issue`))
      assert.deepInclude(issued, { service_from: "2026-12-10", service_to: "2026-12-10" })
    })
  )

  it.effect("overdue ones are listed, from the day after they are due on the business's clock", () =>
    Effect.gen(function* () {
      const { invoice, payment, send } = yield* afterMidnight
      const due = (due_date: string) => invoice({ items: [line], due_date })
      const [late, later] = [yield* due("2026-11-30"), yield* due("2026-11-20")]
      const paid = yield* due("2026-11-10")
      yield* payment(paid["invoice_id"], 100)
      yield* due("2026-12-01")
      const listed = records(yield* send("GET", "/invoices?overdue=true"))
      assert.deepStrictEqual(
        listed.map(({ invoice_id, overdue }) => [invoice_id, overdue]),
        [later, late].map(({ invoice_id }) => [invoice_id, true])
      )
      assert.property(wrongFields(yield* send("GET", "/invoices?overdue=yes")), "overdue")
    })
  )

  it.effect("a customer's own terms of payment come before those of the business", () =>
    Effect.gen(function* () {
      const { customer, invoice, trip } = yield* afterMidnight
      const own = yield* customer({ name: "Ada", payment_terms_days: 10 })
      const usual = yield* customer({ name: "Zoe" })
      const due = (body: object) => Effect.map(invoice(body), ({ due_date }) => due_date)
      const { customer_id } = own
      assert.strictEqual(yield* due({ items: [line], customer_id }), "2026-12-11")
      assert.strictEqual(yield* due({ items: [line], customer_id: usual["customer_id"] }), "2026-12-31")
      const { trip_id } = yield* trip({ customer_id, total_amount: 10 })
      assert.strictEqual(yield* due({ trip_ids: [trip_id] }), "2026-12-11")
      assert.strictEqual(yield* due({ items: [line], customer_id, due_date: "2026-12-02" }), "2026-12-02")
    })
  )
})
