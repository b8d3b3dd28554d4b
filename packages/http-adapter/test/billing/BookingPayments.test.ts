import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, countsOf, wrongFields } from "./Billing.ts"
import { seller } from "./BookingSeller.ts"
import { cards } from "./CardBusiness.ts"

const transport = { kind: "transfer", pickup_address: "Here", dropoff_address: "There" }

const bookingSeller = Effect.gen(function* () {
  const owner = yield* biller(yield* openServer())
  return { ...owner, ...(yield* seller(owner)) }
})

billing("payments of a booking", (it) => {
  it.effect("are entered in the ledger of its one invoice, which its payment status follows", () =>
    Effect.gen(function* () {
      const { book, events, pay, read, send, statusOf } = yield* bookingSeller
      const id = yield* book()
      const first = record(yield* pay(id, 39, { tax_rate: 10 }))
      assert.deepInclude(first, { kind: "payment", amount: 39, method: "cash" })
      assert.deepStrictEqual(yield* statusOf(id), ["pending", "partial"])
      const { invoice_id, reference } = yield* read(id)
      const invoice = record(yield* send("GET", `/invoices/${String(invoice_id)}`))
      assert.deepInclude(invoice, {
        number: "INV-000001",
        status: "partial",
        total_amount: 99,
        amount_due: 60,
        trip_ids: []
      })
      const [item] = invoice["items"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      assert.strictEqual(item?.["description"], `${String(reference)}, 2026-12-24 10:00, Tour`)
      record(yield* pay(id, 60))
      assert.deepStrictEqual(yield* statusOf(id), ["pending", "paid"])
      refusedAs(yield* pay(id, 1), 422, "payment_link_failed")
      const path = `/invoices/${String(invoice_id)}/payments`
      const [payment] = records(yield* send("GET", path))
      record(yield* send("POST", `${path}/${String(payment?.["payment_id"])}/refund`, {}))
      assert.deepStrictEqual(yield* statusOf(id), ["pending", "partial"])
      assert.deepStrictEqual(countsOf(yield* events), {
        "invoice.created": 1,
        "payment.succeeded": 2,
        "invoice.paid": 1,
        "invoice.updated": 2
      })
    })
  )

  it.effect("and their link name the tax that takes the total over the limit, which the caller sent", () =>
    Effect.gen(function* () {
      const { book, link, pay } = yield* seller(yield* cards, { price: 10_000_000_000 })
      const id = yield* book()
      for (const answer of [yield* pay(id, 1, { tax_rate: 19 }), yield* link(id, { tax_rate: 19 })]) {
        assert.deepStrictEqual(wrongFields(answer), { tax_rate: "out_of_range" })
        assert.include(answer.body.error?.message, "With this tax")
      }
    })
  )

  it.effect("with wrong fields are 422, and raise no invoice", () =>
    Effect.gen(function* () {
      const { book, invoice, pay, read } = yield* bookingSeller
      const id = yield* book()
      assert.deepStrictEqual(wrongFields(yield* pay(id, 0, { method: "barter", tax_rate: 101 })), {
        amount: "out_of_range",
        method: "unknown_value",
        tax_rate: "out_of_range"
      })
      assert.deepInclude(yield* read(id), { invoice_id: null, payment_status: "unpaid" })
      assert.strictEqual((yield* invoice())["number"], "INV-000001")
    })
  )

  it.effect("beyond the amount due are taken, and the rest is to be refunded", () =>
    Effect.gen(function* () {
      const { book, pay, read } = yield* bookingSeller
      const id = yield* book()
      assert.deepInclude(record(yield* pay(id, 90.01)), { amount: 90.01 })
      assert.deepInclude(yield* read(id), { payment_status: "paid" })
    })
  )

  it.effect("are refused for a cancelled booking without an invoice, and with nothing to pay", () =>
    Effect.gen(function* () {
      const owner = yield* biller(yield* openServer())
      const { book, link, pay, statusOf, step } = yield* seller(owner)
      const free = yield* seller(owner, { price: 0 })
      const cancelled = yield* book()
      record(yield* step(cancelled, "cancel"))
      for (const [id, business] of [
        [cancelled, { link, pay }],
        [yield* free.book(), free]
      ] as const) {
        refusedAs(yield* business.link(id), 422, "payment_link_failed")
        refusedAs(yield* business.pay(id, 1), 422, "payment_link_failed")
      }
      assert.deepStrictEqual(yield* statusOf(cancelled), ["cancelled", "unpaid"])
      assert.strictEqual((yield* owner.invoice())["number"], "INV-000001")
    })
  )

  it.effect("stay with a booking that is cancelled, until they are refunded", () =>
    Effect.gen(function* () {
      const { book, pay, read, send, statusOf, step } = yield* bookingSeller
      const id = yield* book()
      const { payment_id } = record(yield* pay(id, 90))
      record(yield* step(id, "cancel"))
      assert.deepStrictEqual(yield* statusOf(id), ["cancelled", "paid"])
      const invoice = `/invoices/${String((yield* read(id))["invoice_id"])}`
      record(yield* send("POST", `${invoice}/payments/${String(payment_id)}/refund`, {}))
      assert.deepStrictEqual(yield* statusOf(id), ["cancelled", "unpaid"])
      record(yield* send("POST", `${invoice}/void`))
      assert.deepInclude(yield* read(id), { invoice_id: null, payment_status: "unpaid" })
      refusedAs(yield* pay(id, 90), 422, "payment_link_failed")
    })
  )

  it.effect("go to the invoice of its trip, which the booking keeps when it is confirmed", () =>
    Effect.gen(function* () {
      const owner = yield* biller(yield* openServer())
      const { book, pay, read, statusOf, step } = yield* seller(owner, transport)
      const paidBefore = yield* book()
      record(yield* pay(paidBefore, 50))
      const { invoice_id } = yield* read(paidBefore)
      const confirmed = record(yield* step(paidBefore, "confirm"))
      assert.deepInclude(confirmed, { status: "confirmed", payment_status: "partial", invoice_id })
      assert.deepStrictEqual((yield* owner.read(invoice_id))["trip_ids"], [confirmed["trip_id"]])
      record(yield* pay(paidBefore, 40))
      assert.deepStrictEqual(yield* statusOf(paidBefore), ["confirmed", "paid"])
      assert.strictEqual(yield* owner.paymentStatusOf(confirmed["trip_id"]), "paid")

      const paidAfter = yield* book({ starts_at: "2026-12-25T10:00:00Z" })
      const { trip_id } = record(yield* step(paidAfter, "confirm"))
      record(yield* pay(paidAfter, 90))
      assert.deepStrictEqual(yield* statusOf(paidAfter), ["confirmed", "paid"])
      assert.strictEqual(yield* owner.paymentStatusOf(trip_id), "paid")

      const invoiced = yield* book({ starts_at: "2026-12-26T10:00:00Z" })
      const other = record(yield* step(invoiced, "confirm"))
      const raised = yield* owner.invoice({ trip_ids: [other["trip_id"]] })
      assert.strictEqual((yield* read(invoiced))["invoice_id"], raised["invoice_id"])
      yield* owner.payment(raised["invoice_id"], 90)
      assert.deepStrictEqual(yield* statusOf(invoiced), ["confirmed", "paid"])
    })
  )

  it.effect("fix the price of the booking, and its deletion asks for confirmation", () =>
    Effect.gen(function* () {
      const { book, pay, send } = yield* bookingSeller
      const id = yield* book()
      record(yield* pay(id, 10))
      const path = `/bookings/${String(id)}`
      refusedAs(yield* send("PATCH", path, { participants_count: 2 }), 409, "conflict")
      record(yield* send("PATCH", path, { notes: "Late" }))
      refusedAs(yield* send("DELETE", path), 409, "confirmation_required")
      record(yield* send("DELETE", path, { force: true }))
    })
  )

  it.effect("of another business are 404, beyond the plan's invoices 402", () =>
    Effect.gen(function* () {
      const server: TestServer = yield* openServer()
      const owner = yield* biller(server, "free")
      const { book, pay } = yield* seller(owner)
      const other = yield* seller(yield* biller(server))
      const id = yield* book()
      refusedAs(yield* other.pay(id, 1), 404, "not_found")
      refusedAs(yield* other.link(id), 404, "not_found")
      for (let count = 0; count < 10; count++) yield* owner.invoice()
      refusedAs(yield* pay(id, 1), 402, "plan_limit_exceeded")
    })
  )
})

billing("the payment link of a booking", (it) => {
  it.effect("is 503 without a provider and raises no invoice; with a fault, a later request finishes", () =>
    Effect.gen(function* () {
      const without = yield* bookingSeller
      const unpaid = yield* without.book()
      refusedAs(yield* without.link(unpaid), 503, "payment_provider_unavailable")
      assert.isNull((yield* without.read(unpaid))["invoice_id"])
      const owner = yield* cards
      const { book, link } = yield* seller(owner, transport)
      const id = yield* book()
      yield* owner.emulator.fault({ operation: "payment_intents.create", kind: "refusal" })
      refusedAs(yield* link(id), 502, "payment_link_failed")
      assert.strictEqual(record(yield* link(id))["number"], "INV-000001")
      assert.lengthOf(owner.emulator.intents(), 1)
    })
  )
})

billingPg("payments of a booking", (it) => {
  it.effect("are all counted when several are made concurrently, up to the amount due, on one invoice", () =>
    Effect.gen(function* () {
      const { book, events, pay, statusOf } = yield* bookingSeller
      const id = yield* book()
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => pay(id, 30)),
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [201, 201, 201, 422, 422])
      assert.deepStrictEqual(yield* statusOf(id), ["pending", "paid"])
      assert.deepStrictEqual(countsOf(yield* events), {
        "invoice.created": 1,
        "payment.succeeded": 3,
        "invoice.paid": 1,
        "invoice.updated": 1
      })
    })
  )

  it.effect("raises its invoice once, and settles the booking when the customer pays", () =>
    Effect.gen(function* () {
      const owner = yield* cards
      const { book, link, statusOf } = yield* seller(owner)
      const id = yield* book()
      const answers = yield* Effect.all(
        Array.from({ length: 3 }, () => link(id, { tax_rate: 10 })),
        { concurrency: "unbounded" }
      )
      assertStatuses(answers, [201, 201, 201])
      const [first, ...others] = answers.map(record)
      assert.deepInclude(first, { number: "INV-000001", amount_due: 99, currency: "USD" })
      for (const other of others) assert.deepStrictEqual(other, first)
      assert.lengthOf(owner.emulator.intents(), 1)
      assert.deepStrictEqual(yield* statusOf(id), ["pending", "unpaid"])
      yield* owner.payByCard(first ?? {})
      for (let sent = 0; sent < 2; sent++) record(yield* owner.succeeded)
      assert.deepStrictEqual(yield* statusOf(id), ["pending", "paid"])
      refusedAs(yield* link(id), 422, "payment_link_failed")
      assert.deepStrictEqual(countsOf(yield* owner.events), {
        "invoice.created": 1,
        "payment.succeeded": 1,
        "invoice.paid": 1,
        "invoice.updated": 1
      })
    })
  )
})
