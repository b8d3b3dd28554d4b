/** Invoicing a month for all customers over HTTP, by the worker. */
import { MonthlyRunSweep, RateCounters, UseCases } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { messagesTo, setCredits } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { biller, billing, billingPg, wrongFields } from "./Billing.ts"

/** Does all work of the runs that waits, as one node does. */
const sweep = Effect.flatten(MonthlyRunSweep.makeSweep).pipe(
  Effect.provide(Layer.provide(UseCases, RateCounters.layerMemory))
)

const day = { trip_date: "2026-12-03T10:00:00Z" }

type Row = Readonly<Record<string, unknown>>

/** A business with two customers, and functions that complete trips and run a month. */
const given = Effect.gen(function* () {
  const owner = yield* biller(yield* openServer())
  const { send } = owner
  yield* setCredits(owner.businessId, 10)
  const email = `ada${owner.businessId}@example.com`
  const [one, two] = [
    (yield* owner.customer({ name: "Ada", email }))["customer_id"],
    (yield* owner.customer({ name: "Bob" }))["customer_id"]
  ]
  const completed = Effect.fnUntraced(function* (customer_id: unknown, change: object = {}) {
    const { trip_id } = yield* owner.trip({ customer_id, total_amount: 50, ...day, ...change })
    record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
    return trip_id
  })
  const start = (body: object = {}) => send("POST", "/invoices/monthly", { month: "2026-12", ...body })
  const report = (run: Row) => Effect.map(send("GET", `/invoice-runs/${String(run["run_id"])}`), record)
  return {
    ...owner,
    one,
    two,
    email,
    completed,
    start,
    report,
    invoices: Effect.map(send("GET", "/invoices"), records)
  }
})

const customersOf = (run: Row) => run["customers"] as ReadonlyArray<Row>

billing("a monthly run", (it) => {
  it.effect("raises an invoice for each customer and currency, and reports what is left out", () =>
    Effect.gen(function* () {
      const { completed, invoices, one, report, start, trip, two } = yield* given
      const trips = [yield* completed(one), yield* completed(one), yield* completed(one, { currency: "EUR" })]
      const unpriced = yield* completed(one, { total_amount: null })
      const { trip_id: later } = yield* trip({ customer_id: two, total_amount: 50, ...day })
      yield* trip({ total_amount: 50, ...day })
      const answer = yield* start()
      assert.strictEqual(answer.status, 202)
      const run = record(answer)
      assert.deepInclude(run, { status: "running", month: "2026-12", trips_without_customer: 1 })
      assert.deepStrictEqual(yield* invoices, [])
      yield* sweep
      const done = yield* report(run)
      assert.strictEqual(done["status"], "finished")
      const made = yield* invoices
      assert.deepStrictEqual(
        made.map(({ currency, total_amount, trip_ids }) => [currency, total_amount, trip_ids]),
        [
          ["USD", 100, trips.slice(0, 2)],
          ["EUR", 50, [trips[2]]]
        ]
      )
      const left = { trip_id: unpriced, reason: "no_price" }
      assert.deepStrictEqual<unknown>(
        customersOf(done).map(({ currency, customer_id, invoice_id, left_out, outcome }) => [
          customer_id,
          currency,
          outcome,
          invoice_id,
          left_out
        ]),
        [
          [one, "EUR", "made", made[1]?.["invoice_id"], []],
          [one, "USD", "made", made[0]?.["invoice_id"], [left]],
          [two, "USD", "nothing", null, [{ trip_id: later, reason: "not_completed" }]]
        ]
      )
    })
  )

  it.effect("makes nothing twice: an unfinished run is continued, and a further one finds nothing", () =>
    Effect.gen(function* () {
      const { completed, invoices, one, report, start } = yield* given
      yield* completed(one)
      const run = record(yield* start())
      assert.strictEqual(record(yield* start())["run_id"], run["run_id"])
      yield* sweep
      yield* sweep
      const again = record(yield* start())
      assert.notStrictEqual(again["run_id"], run["run_id"])
      yield* sweep
      assert.deepInclude(yield* report(again), { status: "finished", customers: [] })
      assert.lengthOf(yield* invoices, 1)
    })
  )

  it.effect("emails each invoice once, and reports why one was not sent", () =>
    Effect.gen(function* () {
      const { completed, email, invoices, one, report, start, two } = yield* given
      yield* completed(one)
      yield* completed(two)
      const run = record(yield* start({ send: true }))
      yield* sweep
      yield* sweep
      const done = yield* report(run)
      assert.strictEqual(done["status"], "finished")
      assert.deepStrictEqual(
        customersOf(done).map(({ outcome, sending }) => [outcome, sending]),
        [
          ["made", "sent"],
          ["made", "refused"]
        ]
      )
      assert.include(String(customersOf(done)[1]?.["reason"]), "to required")
      assert.lengthOf(yield* messagesTo(email), 1)
      assert.deepStrictEqual(
        (yield* invoices).map(({ sent_at }) => sent_at === null),
        [true, false]
      )
    })
  )

  it.effect("names each wrong field, and is 404 for another business", () =>
    Effect.gen(function* () {
      const { report, send, start } = yield* given
      assert.deepStrictEqual(wrongFields(yield* start({ month: "December", send: 1, tax_rate: 101 })), {
        month: "invalid",
        send: "invalid",
        tax_rate: "out_of_range"
      })
      const other = yield* given
      const run = record(yield* other.start())
      assert.deepInclude(yield* other.report(run), { status: "finished" })
      refusedAs(yield* send("GET", `/invoice-runs/${String(run["run_id"])}`), 404, "not_found")
      assert.isDefined(report)
    })
  )
})

billingPg("monthly runs of several nodes", (it) => {
  it.effect("bill each trip once, also if a customer is invoiced by hand meanwhile", () =>
    Effect.gen(function* () {
      const { completed, invoices, one, report, send, start, two } = yield* given
      for (const customer of [one, one, two, two]) yield* completed(customer)
      const byHand = send("POST", `/customers/${String(one)}/invoices`, { month: "2026-12" })
      const [first, second] = yield* Effect.all([start(), start()], { concurrency: "unbounded" })
      assert.strictEqual(record(first)["run_id"], record(second)["run_id"])
      yield* Effect.all([sweep, byHand, sweep, sweep], { concurrency: "unbounded" })
      // A node leaves an item to another one that works on it.
      yield* sweep
      const done = yield* report(record(first))
      assert.strictEqual(done["status"], "finished")
      const made = yield* invoices
      assert.lengthOf(made, 2)
      assert.lengthOf(new Set(made.flatMap(({ trip_ids }) => trip_ids as ReadonlyArray<number>)), 4)
    })
  )
})
