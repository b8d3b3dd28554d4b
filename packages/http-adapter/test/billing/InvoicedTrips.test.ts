import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, countsOf, line, wrongFields } from "./Billing.ts"

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Whether an event says that trips were attached or detached. */
const isOfTrips = ({ change }: Readonly<Record<string, unknown>>) =>
  change === "attached" || change === "detached"

billing("invoices of trips", (it) => {
  it.effect("name the time of a trip on the clock of its pickup", () =>
    Effect.gen(function* () {
      const { invoice, trip } = yield* biller(yield* openServer())
      const there = { trip_date: "2026-12-24T23:30:00Z", pickup_timezone: "Asia/Tokyo" }
      const { trip_id } = yield* trip({ total_amount: 80, ...there })
      const { items } = yield* invoice({ trip_ids: [trip_id] })
      const [line] = items as ReadonlyArray<{ readonly description: string }>
      assert.include(line?.description, ", 2026-12-25 08:30 (Asia/Tokyo), ")
    })
  )

  it.effect("have a line for each, whose payment status follows", () =>
    Effect.gen(function* () {
      const { events, invoice, payment, paymentStatusOf, raise, send, trip } = yield* biller(
        yield* openServer()
      )
      const one = yield* trip({ total_amount: 80 })
      const two = yield* trip({ total_amount: 20 })
      const other = yield* trip({ total_amount: 20, currency: "EUR" })
      const made = yield* invoice({ trip_ids: [one["trip_id"]], tax_rate: 10 })
      const path = `/invoices/${String(made["invoice_id"])}`
      assert.deepInclude(made, { total_amount: 88, trip_ids: [one["trip_id"]] })
      assert.deepInclude((made["items"] as ReadonlyArray<object>)[0], {
        unit_price: 80,
        tax_rate: 10,
        trip_id: one["trip_id"]
      })
      const details: unknown = refusedAs(yield* raise({ trip_ids: [one["trip_id"]] }), 409, "conflict")
      const { reference, trip_id } = one
      assert.deepStrictEqual(details, [{ type: "trip", trip_id, reference, invoice_id: made["invoice_id"] }])
      const attach = (...trips: ReadonlyArray<unknown>) => send("POST", `${path}/trips`, { trip_ids: trips })
      const detach = (...trips: ReadonlyArray<unknown>) =>
        send("DELETE", `${path}/trips`, { trip_ids: trips })
      const mixed = yield* attach(two["trip_id"], other["trip_id"])
      assert.deepStrictEqual(wrongFields(mixed), { "trip_ids.1": "invalid" })
      assert.include(
        mixed.body.error?.message,
        `The invoice is in USD, the trip ${String(other["reference"])} in EUR`
      )
      assert.deepStrictEqual(wrongFields(yield* attach()), { trip_ids: "required" })
      assert.deepStrictEqual(wrongFields(yield* detach(two["trip_id"])), { "trip_ids.0": "not_found" })
      const attached = record(yield* attach(two["trip_id"], one["trip_id"]))
      assert.deepInclude(attached, { total_amount: 108, trip_ids: [one["trip_id"], two["trip_id"]] })
      // Attaching them again changes nothing.
      assert.deepStrictEqual(record(yield* attach(two["trip_id"])), attached)
      refusedAs(
        yield* send("POST", `/trips/${String(one["trip_id"])}/reopen`, { reason: "x" }),
        422,
        "invalid_request"
      )
      record(yield* send("PATCH", `/trips/${String(one["trip_id"])}`, { status: "completed" }))
      refusedAs(
        yield* send("POST", `/trips/${String(one["trip_id"])}/reopen`, { reason: "x" }),
        409,
        "conflict"
      )
      assert.deepInclude(record(yield* detach(two["trip_id"])), {
        total_amount: 88,
        trip_ids: [one["trip_id"]]
      })
      assert.strictEqual(yield* paymentStatusOf(two["trip_id"]), "unpaid")
      yield* payment(made["invoice_id"], 30)
      assert.strictEqual(yield* paymentStatusOf(one["trip_id"]), "partial")
      refusedAs(yield* detach(one["trip_id"]), 409, "conflict")
      yield* payment(made["invoice_id"], 58)
      assert.strictEqual(yield* paymentStatusOf(one["trip_id"]), "paid")
      refusedAs(yield* attach(two["trip_id"]), 409, "conflict")
      refusedAs(yield* detach(one["trip_id"]), 409, "conflict")
      refusedAs(yield* send("PATCH", path, { items: [line] }), 409, "conflict")
      assert.deepStrictEqual((yield* events).map(({ data }) => data).filter(isOfTrips), [
        { invoice_id: made["invoice_id"], change: "attached", trip_ids: [two["trip_id"]] },
        { invoice_id: made["invoice_id"], change: "detached", trip_ids: [two["trip_id"]] }
      ])
      assert.deepStrictEqual(countsOf(yield* events), {
        "invoice.created": 1,
        "invoice.updated": 3,
        "payment.succeeded": 2,
        "invoice.paid": 1
      })
      const timeline = records(yield* send("GET", `/trips/${String(two["trip_id"])}/timeline`))
      assert.deepStrictEqual(timeline.map(({ after }) => after).slice(1), [
        { invoice_id: made["invoice_id"], payment_status: "unpaid" },
        { invoice_id: null, payment_status: "unpaid" }
      ])
    })
  )

  it.effect("are for the customer of the trips, and for one of several only if the request names it", () =>
    Effect.gen(function* () {
      const { customer, invoice, raise, trip } = yield* biller(yield* openServer())
      const [{ customer_id }, other] = [yield* customer(), yield* customer()]
      const rides = [
        yield* trip({ customer_id }),
        yield* trip(),
        yield* trip({ customer_id: other["customer_id"] })
      ].map(({ trip_id }) => trip_id)
      const several = yield* raise({ trip_ids: rides })
      assert.deepStrictEqual(wrongFields(several), { trip_ids: "invalid" })
      assert.include(several.body.error?.message, "The trips are of several customers")
      assert.deepInclude(yield* invoice({ trip_ids: rides.slice(0, 2) }), { customer_id })
      assert.deepInclude(yield* invoice({ trip_ids: rides.slice(2), customer_id }), { customer_id })
    })
  )

  it.effect("are for no customer if the customer of the trips was deleted", () =>
    Effect.gen(function* () {
      const { customer, invoice, send, trip } = yield* biller(yield* openServer())
      const { customer_id } = yield* customer()
      const { trip_id } = yield* trip({ customer_id, customer_name: "Ada" })
      record(yield* send("PATCH", `/trips/${String(trip_id)}`, { status: "completed" }))
      record(yield* send("DELETE", `/customers/${String(customer_id)}`))
      const made = yield* invoice({ trip_ids: [trip_id] })
      assert.deepInclude(made, { customer_id: null, trip_ids: [trip_id] })
    })
  )

  it.effect("with items and trips have the items alone as their lines", () =>
    Effect.gen(function* () {
      const { invoice, trip } = yield* biller(yield* openServer())
      const { trip_id } = yield* trip({ total_amount: 80 })
      const made = yield* invoice({ items: [{ ...line, trip_id }], trip_ids: [trip_id] })
      assert.deepInclude(made, { total_amount: 100, trip_ids: [trip_id] })
    })
  )

  it.effect("lose a deleted trip with an event, and still credit its line alone", () =>
    Effect.gen(function* () {
      const { events, invoice, payment, read, send, trip } = yield* biller(yield* openServer())
      const [one, two] = [yield* trip({ total_amount: 80 }), yield* trip({ total_amount: 20 })]
      const { invoice_id } = yield* invoice({ trip_ids: [one["trip_id"], two["trip_id"]] })
      yield* payment(invoice_id, 100)
      const path = `/trips/${String(one["trip_id"])}`
      refusedAs(yield* send("DELETE", path), 409, "confirmation_required")
      record(yield* send("DELETE", path, { force: true }))
      assert.deepInclude(yield* read(invoice_id), { total_amount: 100, trip_ids: [two["trip_id"]] })
      assert.deepStrictEqual((yield* events).map(({ data }) => data).filter(isOfTrips), [
        { invoice_id, change: "detached", trip_ids: [one["trip_id"]] }
      ])
      const unbilled = yield* trip()
      record(yield* send("DELETE", `/trips/${String(unbilled["trip_id"])}`))
      assert.lengthOf(
        (yield* events).filter(({ data }) => isOfTrips(data)),
        1
      )
      const items = [{ description: "Ride", unit_price: 80, trip_id: one["trip_id"] }]
      const note = record(yield* send("POST", `/invoices/${String(invoice_id)}/credit-notes`, { items }))
      assert.deepInclude(note, { total_amount: -80, refund_amount: 80 })
    })
  )

  it.effect("fix the price, the fee and the currency of their trips, until the trips leave them", () =>
    Effect.gen(function* () {
      const { invoice, payment, send, trip } = yield* biller(yield* openServer())
      const { trip_id } = yield* trip({ total_amount: 80 })
      const path = `/trips/${String(trip_id)}`
      const { invoice_id } = yield* invoice({ trip_ids: [trip_id] })
      const refused = Effect.fnUntraced(function* () {
        for (const change of [{ total_amount: 500 }, { total_amount: null }, { currency: "EUR" }]) {
          const answer = yield* send("PATCH", path, { ...change, notes: "Changed" })
          const details: unknown = refusedAs(answer, 409, "conflict")
          assert.deepStrictEqual(details, [{ type: "invoice", invoice_id }])
          assert.include(answer.body.error?.message, `invoice_id ${String(invoice_id)}`)
        }
      })
      yield* refused()
      const kept = { total_amount: 80, currency: "usd", notes: "Same price" }
      assert.deepInclude(record(yield* send("PATCH", path, kept)), { total_amount: 80, notes: "Same price" })
      yield* payment(invoice_id, 80)
      yield* refused()
      // The fee that is sent with the cancellation is part of it.
      const cancelled = record(yield* send("PATCH", path, { status: "cancelled", cancellation_fee: 40 }))
      assert.deepInclude(cancelled, { status: "cancelled", cancellation_fee: 40 })
      for (const cancellation_fee of [41, null])
        refusedAs(yield* send("PATCH", path, { cancellation_fee }), 409, "conflict")
      record(yield* send("PATCH", path, { cancellation_fee: 40 }))
      record(yield* send("POST", `/invoices/${String(invoice_id)}/credit-notes`, {}))
      const free = record(yield* send("PATCH", path, { cancellation_fee: 30, total_amount: 90 }))
      assert.deepInclude(free, { cancellation_fee: 30, total_amount: 90 })
    })
  )
})

billingPg("invoices of trips", (it) => {
  it.effect("can take one trip once, also when two take it at once", () =>
    Effect.gen(function* () {
      const { invoice, send, trip } = yield* biller(yield* openServer())
      for (const _ of many(5)) {
        const { trip_id } = yield* trip({ total_amount: 80 })
        const [one, two] = [yield* invoice(), yield* invoice()]
        const answers = yield* Effect.forEach(
          [one, two],
          ({ invoice_id }) => send("POST", `/invoices/${String(invoice_id)}/trips`, { trip_ids: [trip_id] }),
          { concurrency: "unbounded" }
        )
        assertStatuses(answers, [200, 409])
      }
    })
  )
})
