/** The amount of a ride stands on at most one invoice in force, also after its trip was detached from an invoice. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { record, refusedAs } from "../support/TestServer.ts"
import { billing, wrongFields } from "./Billing.ts"
import { cards } from "./CardBusiness.ts"
import { itemsOf, rides, ridesOn } from "./RideSeller.ts"

billing("the ride of a booking that was paid before it was confirmed", (it) => {
  it.effect("is charged by the line of the booking's invoice, which names its trip from then on", () =>
    Effect.gen(function* () {
      const { invoiceOf, ridden } = yield* rides
      const { invoice_id, trip_id } = yield* ridden(90)
      const invoice = yield* invoiceOf(invoice_id)
      assert.deepInclude(invoice, { status: "paid", total_amount: 90, trip_ids: [trip_id] })
      assert.deepStrictEqual(
        itemsOf(invoice).map((item) => [item["trip_id"], item["amount"]]),
        [[trip_id, 90]]
      )
    })
  )

  it.effect("stays on that invoice while payments cover its line", () =>
    Effect.gen(function* () {
      const { attach, detach, invoice, invoiceOf, month, raise, ridden } = yield* rides
      const { invoice_id, trip_id } = yield* ridden(40)
      refusedAs(yield* detach(invoice_id, trip_id), 409, "conflict")
      assert.deepInclude(yield* invoiceOf(invoice_id), { total_amount: 90, trip_ids: [trip_id] })
      refusedAs(yield* month, 409, "conflict")
      refusedAs(yield* raise({ trip_ids: [trip_id] }), 409, "conflict")
      refusedAs(yield* attach((yield* invoice())["invoice_id"], trip_id), 409, "conflict")
    })
  )

  it.effect("stays on it after the payments are refunded, because a paid invoice does not change", () =>
    Effect.gen(function* () {
      const { detach, invoiceOf, refundAll, ridden } = yield* rides
      const { invoice_id, trip_id } = yield* ridden(40)
      yield* refundAll(invoice_id)
      refusedAs(yield* detach(invoice_id, trip_id), 409, "conflict")
      assert.deepInclude(yield* invoiceOf(invoice_id), { total_amount: 90, trip_ids: [trip_id] })
    })
  )

  it.effect("leaves an invoice that was not issued with its line, and is then charged elsewhere, once", () =>
    Effect.gen(function* () {
      const { booking, detach, invoice_id, invoiceOf, month, payFor, read, trip_id } = yield* Effect.flatMap(
        rides,
        (business) => Effect.map(business.invoiced, (ride) => ({ ...business, ...ride }))
      )
      const detached = record(yield* detach(invoice_id, trip_id))
      assert.deepInclude(detached, { total_amount: 0, amount_due: 0, items: [], trip_ids: [] })
      assert.deepInclude(yield* read(booking), { invoice_id: null, payment_status: "unpaid" })
      const made = record(yield* month)
      assert.deepInclude(made, { total_amount: 90, trip_ids: [trip_id] })
      assert.strictEqual((yield* read(booking))["invoice_id"], made["invoice_id"])
      record(yield* payFor(booking, 90))
      assert.deepInclude(yield* invoiceOf(made["invoice_id"]), { status: "paid" })
      assert.deepInclude(yield* invoiceOf(invoice_id), { total_amount: 0, amount_paid: 0 })
      refusedAs(yield* payFor(booking, 1), 422, "payment_link_failed")
    })
  )

  it.effect("is charged again after its invoice is void or credited in full, on one invoice", () =>
    Effect.gen(function* () {
      const { invoiceOf, month, refundAll, ridden, send, void: end } = yield* rides
      const first = yield* ridden(40)
      yield* refundAll(first.invoice_id)
      record(yield* end(first.invoice_id))
      const again = record(yield* month)
      assert.deepInclude(again, { total_amount: 90, trip_ids: [first.trip_id] })
      record(
        yield* send("POST", `/invoices/${String(again["invoice_id"])}/payments`, {
          amount: 90,
          method: "cash"
        })
      )
      record(yield* send("POST", `/invoices/${String(again["invoice_id"])}/credit-notes`, {}))
      assert.deepInclude(yield* invoiceOf(again["invoice_id"]), { amount_credited: 90, trip_ids: [] })
      assert.deepInclude(record(yield* month), { total_amount: 90, trip_ids: [first.trip_id] })
      refusedAs(yield* month, 409, "conflict")
    })
  )
})

billing("a trip that no line of its invoice names", (it) => {
  it.effect("is detached only after a line names it, because an unnamed line may charge it", () =>
    Effect.gen(function* () {
      const { changeItems, detach, invoiced, invoiceOf, month } = yield* rides
      const { invoice_id, trip_id } = yield* invoiced
      const ride = { description: "The ride", unit_price: 80 }
      const water = { description: "Water", unit_price: 2 }
      record(yield* changeItems(invoice_id, [ride, water]))
      const details: unknown = refusedAs(yield* detach(invoice_id, trip_id), 409, "conflict")
      assert.deepStrictEqual(details, [{ type: "trip", trip_id }])
      assert.deepInclude(yield* invoiceOf(invoice_id), { total_amount: 82, trip_ids: [trip_id] })
      refusedAs(yield* month, 409, "conflict")
      record(yield* changeItems(invoice_id, [{ ...ride, trip_id }, water]))
      assert.deepInclude(record(yield* detach(invoice_id, trip_id)), { total_amount: 2, trip_ids: [] })
      assert.deepInclude(record(yield* month), { total_amount: 90 })
    })
  )

  it.effect("is detached if nothing on the invoice can charge it", () =>
    Effect.gen(function* () {
      const { detach, invoice, trip } = yield* rides
      const [one, two] = [yield* trip({ total_amount: 80 }), yield* trip({ total_amount: 80 })]
      const { invoice_id } = yield* invoice({
        items: [
          { description: "Included", unit_price: 0 },
          { description: "First", unit_price: 80, trip_id: one["trip_id"] }
        ],
        trip_ids: [one["trip_id"], two["trip_id"]]
      })
      const detached = record(yield* detach(invoice_id, two["trip_id"]))
      assert.deepInclude(detached, { total_amount: 80, trip_ids: [one["trip_id"]] })
    })
  )

  it.effect("of a booking whose invoice has several such lines when it is confirmed stays without one", () =>
    Effect.gen(function* () {
      const { server } = yield* cards
      const { book, changeItems, detach, invoiceOf, link, read, step } = yield* ridesOn(server)
      const booking = yield* book
      record(yield* link(booking))
      const { invoice_id } = yield* read(booking)
      const ride = { description: "The ride", unit_price: 90 }
      record(yield* changeItems(invoice_id, [ride, { description: "Water", unit_price: 2 }]))
      const { trip_id } = record(yield* step(booking, "confirm"))
      const invoice = yield* invoiceOf(invoice_id)
      assert.deepStrictEqual(
        [itemsOf(invoice).map((item) => item["trip_id"]), invoice["trip_ids"]],
        [[null, null], [trip_id]]
      )
      refusedAs(yield* detach(invoice_id, trip_id), 409, "conflict")
    })
  )
})

billing("a trip that was deleted while it was on an invoice", (it) => {
  it.effect("is still charged by its line there, and by no other invoice", () =>
    Effect.gen(function* () {
      const { attach, changeItems, deleteTrip, invoice, invoiceOf, month, payFor, ridden } = yield* rides
      const { booking, invoice_id, trip_id } = yield* ridden(40)
      yield* deleteTrip(trip_id)
      refusedAs(yield* month, 409, "conflict")
      const { invoice_id: other } = yield* invoice()
      assert.deepStrictEqual(wrongFields(yield* attach(other, trip_id)), { "trip_ids.0": "not_found" })
      // The items can be sent back as they were read.
      const items = itemsOf(yield* invoiceOf(invoice_id))
      assert.deepInclude(record(yield* changeItems(invoice_id, items)), { total_amount: 90 })
      assert.deepInclude(record(yield* payFor(booking, 50)), { invoice_id })
      assert.deepInclude(yield* invoiceOf(invoice_id), { status: "paid", amount_paid: 90 })
    })
  )

  it.effect("leaves the payment status of its booking to that invoice, until the invoice is void", () =>
    Effect.gen(function* () {
      const {
        deleteTrip,
        link,
        payFor,
        payment,
        read,
        refundAll,
        ridden,
        send,
        statusOf,
        void: end
      } = yield* rides
      const { booking, invoice_id, trip_id } = yield* ridden(40)
      yield* deleteTrip(trip_id)
      yield* payment(invoice_id, 50)
      assert.deepStrictEqual(yield* statusOf(booking), ["confirmed", "paid"])
      const listed = yield* send("GET", "/bookings?payment_status=paid")
      assert.include(listed.text, `"booking_id":${String(booking)},`)
      yield* refundAll(invoice_id)
      assert.deepStrictEqual(yield* statusOf(booking), ["confirmed", "unpaid"])
      record(yield* end(invoice_id))
      assert.deepInclude(yield* read(booking), { invoice_id: null, payment_status: "unpaid" })
      refusedAs(yield* payFor(booking, 1), 422, "payment_link_failed")
      refusedAs(yield* link(booking), 422, "payment_link_failed")
    })
  )
})

billing("the invoice of a booking that was reduced to nothing", (it) => {
  it.effect("stays the booking's only invoice, on which the amount can be restored", () =>
    Effect.gen(function* () {
      const { server } = yield* cards
      const { book, changeItems, invoiceOf, link, payFor, read } = yield* ridesOn(server)
      const booking = yield* book
      record(yield* link(booking))
      const { invoice_id } = yield* read(booking)
      const items = itemsOf(yield* invoiceOf(invoice_id))
      record(yield* changeItems(invoice_id, [{ description: "A present", unit_price: 0 }]))
      refusedAs(yield* payFor(booking, 90), 422, "payment_link_failed")
      assert.deepInclude(yield* read(booking), { invoice_id, payment_status: "unpaid" })
      record(yield* changeItems(invoice_id, items))
      assert.deepInclude(record(yield* payFor(booking, 90)), { invoice_id })
      refusedAs(yield* payFor(booking, 90), 422, "payment_link_failed")
    })
  )
})
