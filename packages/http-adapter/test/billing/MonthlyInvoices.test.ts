import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, wrongFields } from "./Billing.ts"

/** A business in Zurich with a customer, and functions that complete trips and invoice a month. */
const monthly = Effect.fnUntraced(function* (plan: "free" | "fleet" = "fleet") {
  const server = yield* openServer()
  const owner = yield* biller(server, plan)
  const { send } = owner
  record(yield* send("PATCH", "/settings/business", { timezone: "Europe/Zurich" }))
  const { customer_id } = yield* owner.customer()
  const completed = Effect.fnUntraced(function* (body: object) {
    const { trip_id } = yield* owner.trip({ customer_id, total_amount: 50, ...body })
    record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
    return Number(trip_id)
  })
  const bill = (body: object, customer: unknown = customer_id) =>
    send("POST", `/customers/${String(customer)}/invoices`, body)
  return { ...owner, server, customer_id, completed, bill }
})

billing("the invoice of a month", (it) => {
  it.effect(
    "has the ended trips of a customer in the month on the business's clock, grouped on request",
    () =>
      Effect.gen(function* () {
        const { bill, completed, customer_id, paymentStatusOf, trip } = yield* monthly()
        const research = yield* completed({ trip_date: "2026-12-03T10:00:00Z", cost_center: "Research" })
        const sales = yield* completed({ trip_date: "2026-12-02T10:00:00Z", cost_center: "Sales" })
        const none = yield* completed({ trip_date: "2026-12-01T10:00:00Z" })
        // In Zurich, December begins and ends an hour before it does in UTC.
        const early = yield* completed({ trip_date: "2026-11-30T23:30:00Z", cost_center: "Sales" })
        yield* completed({ trip_date: "2026-12-31T23:30:00Z" })
        yield* trip({ customer_id, trip_date: "2026-12-05T10:00:00Z", total_amount: 50 })
        const answer = yield* bill({
          month: "2026-12",
          group_by: "cost_center",
          tax_rate: 10,
          notes: "December"
        })
        assert.strictEqual(answer.status, 201)
        const made = record(answer)
        assert.deepInclude(made, { customer_id, total_amount: 220, notes: "December", number: "INV-000001" })
        const items = made["items"] as ReadonlyArray<{ readonly trip_id: number }>
        assert.deepStrictEqual(
          items.map(({ trip_id }) => trip_id),
          [research, early, sales, none]
        )
        assert.strictEqual(yield* paymentStatusOf(sales), "unpaid")
        const further = yield* bill({ month: "2026-12" })
        refusedAs(further, 409, "conflict")
        assert.include(further.text, "no trips to invoice in USD in 2026-12")
        assert.lengthOf(record(yield* bill({ month: "2027-01" }))["items"] as ReadonlyArray<unknown>, 1)
      })
  )

  it.effect(
    "names the rides that it leaves out, also if it has none, so that no ride falls out of billing",
    () =>
      Effect.gen(function* () {
        const { bill, completed, customer_id, trip } = yield* monthly()
        const day = { trip_date: "2026-12-03T10:00:00Z" }
        const left_out = [
          { trip_id: yield* completed({ ...day, total_amount: null }), reason: "no_price" },
          { trip_id: yield* completed({ ...day, currency: "EUR" }), reason: "other_currency" },
          {
            trip_id: (yield* trip({ ...day, customer_id, total_amount: 50 }))["trip_id"],
            reason: "not_completed"
          }
        ]
        const none = refusedAs(yield* bill({ month: "2026-12" }), 409, "conflict")
        assert.deepStrictEqual(
          none,
          left_out.map((one) => ({ type: "trip", ...one }))
        )
        const priced = yield* completed(day)
        const made = record(yield* bill({ month: "2026-12" }))
        assert.deepInclude(made, { trip_ids: [priced], left_out })
      })
  )

  it.effect("names the month if its trips are more than one invoice may charge", () =>
    Effect.gen(function* () {
      const { bill, completed } = yield* monthly()
      yield* completed({ trip_date: "2026-12-03T10:00:00Z", total_amount: 10_000_000_000 })
      yield* completed({ trip_date: "2026-12-04T10:00:00Z" })
      const answer = yield* bill({ month: "2026-12" })
      assert.deepStrictEqual(wrongFields(answer), { month: "out_of_range" })
      assert.include(answer.body.error?.message, "invoice them in parts")
    })
  )

  it.effect("begins and ends at the midnights of the clock, also on a day on which it is changed", () =>
    Effect.gen(function* () {
      const { bill, completed, send } = yield* monthly()
      // In Havana, the clock is set back from 01:00 to 00:00 on 1 November 2026.
      record(yield* send("PATCH", "/settings/business", { timezone: "America/Havana" }))
      const last = yield* completed({ trip_date: "2026-11-01T03:59:59Z" })
      const first = yield* completed({ trip_date: "2026-11-01T04:00:00Z" })
      const repeated = yield* completed({ trip_date: "2026-11-01T05:30:00Z" })
      const end = yield* completed({ trip_date: "2026-12-01T04:59:59Z" })
      yield* completed({ trip_date: "2026-12-01T05:00:00Z" })
      assert.deepStrictEqual(record(yield* bill({ month: "2026-10" }))["trip_ids"], [last])
      assert.deepStrictEqual(record(yield* bill({ month: "2026-11" }))["trip_ids"], [first, repeated, end])
    })
  )

  it.effect("has the trips of its currency with a price, and cancelled ones with a fee", () =>
    Effect.gen(function* () {
      const { bill, completed, customer_id, send, trip } = yield* monthly()
      const trip_date = "2026-12-03T10:00:00Z"
      const dollars = yield* completed({ trip_date })
      const euros = yield* completed({ trip_date, currency: "EUR" })
      yield* completed({ trip_date, total_amount: 0 })
      const cancelled = Effect.fnUntraced(function* (cancellation_fee?: number) {
        const { trip_id } = yield* trip({ customer_id, trip_date, total_amount: 50 })
        const body = { status: "cancelled", cancel_reason: "no_show", cancellation_fee }
        record(yield* send("PATCH", `/trips/${String(trip_id)}`, body))
        return Number(trip_id)
      })
      const charged = yield* cancelled(20)
      yield* cancelled()
      assert.deepInclude(record(yield* bill({ month: "2026-12" })), {
        currency: "USD",
        total_amount: 70,
        trip_ids: [dollars, charged]
      })
      assert.deepInclude(record(yield* bill({ month: "2026-12", currency: "EUR" })), {
        currency: "EUR",
        total_amount: 50,
        trip_ids: [euros]
      })
    })
  )

  it.effect(
    "names every wrong field, counts towards the plan, and is 404 for another business's customer",
    () =>
      Effect.gen(function* () {
        const { bill, completed, customer_id, raise, server } = yield* monthly("free")
        assert.deepStrictEqual(
          wrongFields(yield* bill({ month: "2026-13", group_by: "driver", tax_rate: -1, currency: "XX" })),
          { month: "invalid", group_by: "unknown_value", tax_rate: "out_of_range", currency: "unknown_value" }
        )
        assert.deepStrictEqual(wrongFields(yield* bill({})), { month: "required" })
        yield* completed({ trip_date: "2026-12-03T10:00:00Z" })
        for (let count = 0; count < 10; count++) record(yield* raise())
        refusedAs(yield* bill({ month: "2026-12" }), 402, "plan_limit_exceeded")
        const other = yield* biller(server)
        const path = `/customers/${String(customer_id)}/invoices`
        refusedAs(yield* other.send("POST", path, { month: "2026-12" }), 404, "not_found")
      })
  )
})

billingPg("the invoice of a month", (it) => {
  it.effect("has each trip once when several requests raise it at the same time", () =>
    Effect.gen(function* () {
      const { bill, completed } = yield* monthly()
      yield* completed({ trip_date: "2026-12-03T10:00:00Z" })
      yield* completed({ trip_date: "2026-12-04T10:00:00Z" })
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => bill({ month: "2026-12" })),
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [201, 409, 409, 409])
    })
  )
})
