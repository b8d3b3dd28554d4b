import { InvoiceRenderer } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, countsOf, line, wrongFields } from "./Billing.ts"
import { cards } from "./CardBusiness.ts"
import { invoicePrinter, pathOf } from "./InvoicePrinting.ts"

const all = { concurrency: "unbounded" } as const

/** A business with an issued invoice of 100, and functions that correct it. */
const issued = Effect.gen(function* () {
  const owner = yield* biller(yield* openServer())
  const made = yield* owner.invoice({ items: [line], notes: "Thank you", due_date: "2027-01-01" })
  const path = pathOf(made)
  record(yield* owner.send("POST", `${path}/issue`))
  const correct = (body: object, of = path) => owner.send("POST", `${of}/correct`, body)
  return { ...owner, made, path, correct, old: owner.read(made["invoice_id"]) }
})

billing("an invoice that is corrected", (it) => {
  it.effect("is credited in full, and replaced by an issued invoice with the changed fields", () =>
    Effect.gen(function* () {
      const { correct, events, made, old, path, read, send } = yield* issued
      const answer = yield* correct({ items: [{ ...line, unit_price: 80 }], reason: "price" })
      assert.strictEqual(answer.status, 201)
      const replaced = record(answer)
      assert.deepInclude(replaced, {
        number: "INV-000002",
        status: "unpaid",
        total_amount: 80,
        amount_due: 80,
        notes: "Thank you",
        due_date: "2027-01-01",
        corrects_invoice_id: made["invoice_id"],
        corrected_by_invoice_id: null
      })
      assert.isNotNull(replaced["sealed_at"])
      assert.deepStrictEqual(yield* read(replaced["invoice_id"]), replaced)
      assert.deepInclude(yield* old, {
        amount_credited: 100,
        amount_due: 0,
        corrects_invoice_id: null,
        corrected_by_invoice_id: replaced["invoice_id"]
      })
      const [note] = records(yield* send("GET", `${path}/credit-notes`))
      assert.deepInclude(note, { number: "CN-000001", reason: "price", total_amount: -100, refund_amount: 0 })
      assert.deepInclude(countsOf(yield* events), { "invoice.created": 2 })
    })
  )

  it.effect("has the parties as they are now on its new invoice, also without another change", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const blank = yield* InvoiceRenderer
      const renderer = InvoiceRenderer.of({
        render: (document) => {
          seen.push([document.kind === "statement" ? "" : document.number, document.seller.name])
          return blank.render(document)
        }
      })
      const { invoice, send } = yield* Effect.flatMap(openServer(), invoicePrinter).pipe(
        Effect.provideService(InvoiceRenderer, renderer)
      )
      const path = pathOf(yield* invoice())
      record(yield* send("POST", `${path}/issue`))
      record(yield* send("GET", `${path}/pdf`).pipe(Effect.as(yield* send("GET", path))))
      record(yield* send("PATCH", "/settings/business", { business_name: "Isar Limousines" }))
      const replaced = record(yield* send("POST", `${path}/correct`, {}))
      assert.strictEqual((yield* send("GET", `${pathOf(replaced)}/pdf`)).status, 200)
      assert.deepStrictEqual(seen, [
        ["INV-000001", "Isar Chauffeurs"],
        ["INV-000002", "Isar Limousines"]
      ])
    })
  )

  it.effect("keeps its trips and its bookings paid: they are on the new invoice", () =>
    Effect.gen(function* () {
      const { correct, events, invoice, payment, paymentStatusOf, read, trip } = yield* issued
      const ride = yield* trip({ total_amount: 50 })
      const trip_id = ride["trip_id"]
      const made = yield* invoice({ trip_ids: [trip_id] })
      yield* payment(made["invoice_id"], 50)
      const replaced = record(yield* correct({ notes: "Gate 4" }, pathOf(made)))
      assert.deepInclude(replaced, { status: "paid", amount_paid: 50, trip_ids: [trip_id] })
      assert.strictEqual(yield* paymentStatusOf(trip_id), "paid")
      assert.deepInclude(yield* read(made["invoice_id"]), {
        trip_ids: [],
        amount_paid: 0,
        amount_to_refund: 0
      })
      const updates = (yield* events).filter(({ type }) => type === "invoice.updated")
      assert.includeDeepMembers(
        updates.map(({ data }) => data),
        [{ invoice_id: made["invoice_id"], change: "detached", trip_ids: [trip_id] }]
      )
    })
  )

  for (const [title, paid, price, kept, left] of [
    ["all of what was paid, if the new invoice needs it", 60, 80, 60, 0],
    ["no more than its total of what was paid; the rest is to be refunded", 100, 80, 80, 20]
  ] as const)
    it.effect(`gives the new invoice ${title}`, () =>
      Effect.gen(function* () {
        const { correct, events, made, old, payment, read, send } = yield* issued
        yield* payment(made["invoice_id"], paid / 2)
        yield* payment(made["invoice_id"], paid / 2)
        const before = countsOf(yield* events)["payment.succeeded"]
        const replaced = record(yield* correct({ items: [{ ...line, unit_price: price }] }))
        assert.deepInclude(replaced, { amount_paid: kept, amount_due: price - kept })
        assert.deepInclude(yield* old, { amount_paid: 0, amount_to_refund: left })
        assert.strictEqual(countsOf(yield* events)["payment.succeeded"], before)
        const entries = records(yield* send("GET", `${pathOf(replaced)}/payments`))
        assert.strictEqual(
          entries.reduce((sum, { amount }) => sum + Number(amount), 0),
          kept
        )
        // What the new invoice has can be refunded there.
        record(
          yield* send("POST", `${pathOf(replaced)}/payments/${String(entries[0]?.["payment_id"])}/refund`, {})
        )
        assert.strictEqual((yield* read(replaced["invoice_id"]))["status"], "partial")
      })
    )

  it.effect("keeps card payments, which the provider refunds by the invoice that they were made for", () =>
    Effect.gen(function* () {
      const { invoice, payByCard, read, send, succeeded } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      yield* succeeded
      const total = Number((yield* read(made["invoice_id"]))["total_amount"])
      const replaced = record(yield* send("POST", `${pathOf(made)}/correct`, { notes: "Again" }))
      assert.deepInclude(replaced, { status: "unpaid", amount_paid: 0, amount_due: total })
      assert.deepInclude(yield* read(made["invoice_id"]), { amount_to_refund: total })
    })
  )

  it.effect("names every wrong field, and changes nothing then", () =>
    Effect.gen(function* () {
      const { correct, events, old } = yield* issued
      const before = [yield* old, yield* events]
      const body = {
        items: [{ ...line, trip_id: 99 }],
        customer_id: 999,
        untaxed_as: "exempt",
        reason: "price"
      }
      assert.deepStrictEqual(wrongFields(yield* correct(body)), {
        customer_id: "not_found",
        untaxed_reason: "required",
        "items.0.trip_id": "not_found"
      })
      assert.deepStrictEqual(wrongFields(yield* correct({ items: [] })), { items: "required" })
      assert.deepStrictEqual(wrongFields(yield* correct({ items: 5, reason: "mistake" })), {
        items: "invalid",
        reason: "unknown_value"
      })
      assert.deepStrictEqual([yield* old, yield* events], before)
    })
  )

  it.effect("was issued before, and is neither void nor credited in full", () =>
    Effect.gen(function* () {
      const { correct, invoice, path, send } = yield* issued
      const open = pathOf(yield* invoice())
      refusedAs(yield* correct({ notes: "x" }, open), 409, "conflict")
      record(yield* send("POST", `${open}/issue`))
      record(yield* send("POST", `${open}/void`))
      refusedAs(yield* correct({ notes: "x" }, open), 409, "conflict")
      record(yield* correct({ notes: "x" }))
      refusedAs(yield* correct({ notes: "y" }), 409, "conflict")
      refusedAs(yield* correct({ notes: "x" }, "/invoices/999999"), 404, "not_found")
      // The rest of an invoice that was credited in part is credited by the correction.
      const partly = pathOf(yield* invoice())
      record(yield* send("POST", `${partly}/issue`))
      record(
        yield* send("POST", `${partly}/credit-notes`, { items: [{ description: "Late", unit_price: 30 }] })
      )
      record(yield* correct({ notes: "x" }, partly))
      assert.deepInclude(record(yield* send("GET", partly)), { amount_credited: 100 })
      assert.lengthOf(records(yield* send("GET", `${path}/credit-notes`)), 1)
    })
  )

  it.effect("charges a trip that was deleted by a line that no longer names it", () =>
    Effect.gen(function* () {
      const { correct, invoice, send, trip } = yield* issued
      const ride = yield* trip({ total_amount: 50 })
      const made = yield* invoice({ trip_ids: [ride["trip_id"]] })
      record(yield* send("POST", `${pathOf(made)}/issue`))
      record(yield* send("DELETE", `/trips/${String(ride["trip_id"])}`, { force: true }))
      const replaced = record(yield* correct({ notes: "x" }, pathOf(made)))
      assert.deepInclude(replaced, { total_amount: 50, trip_ids: [] })
    })
  )
})

billingPg("an invoice that is corrected by requests at once", (it) => {
  it.effect("is corrected once", () =>
    Effect.gen(function* () {
      const { correct, read, made, send } = yield* issued
      const answers = yield* Effect.all(
        [1, 2, 3, 4].map((round) => correct({ notes: `Round ${round}` })),
        all
      )
      assertStatuses(answers, [201, 409, 409, 409])
      assert.lengthOf(records(yield* send("GET", "/invoices")), 2)
      assert.strictEqual((yield* read(made["invoice_id"]))["amount_credited"], 100)
    })
  )

  it.effect(
    "has a payment on one of its two invoices, whether it came before the correction or after it",
    () =>
      Effect.gen(function* () {
        const { correct, invoice, pay, read, send } = yield* issued
        for (let round = 0; round < 6; round++) {
          const made = yield* invoice()
          record(yield* send("POST", `${pathOf(made)}/issue`))
          const [corrected, paid] = yield* Effect.all(
            [correct({ items: [{ ...line, unit_price: 90 }] }, pathOf(made)), pay(made["invoice_id"], 40)],
            all
          )
          // A payment after the correction is credit of the customer, on the old invoice.
          const { amount_paid } = yield* read(record(corrected)["invoice_id"])
          const { amount_to_refund } = yield* read(made["invoice_id"])
          assert.strictEqual(paid.status, 201)
          assert.deepInclude(
            [
              [40, 0],
              [0, 40]
            ],
            [amount_paid, amount_to_refund]
          )
        }
      })
  )
})
