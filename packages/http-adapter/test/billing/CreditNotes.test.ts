import { PaymentProvider, Unavailable } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, countsOf, line, wrongFields } from "./Billing.ts"
import { cards } from "./CardBusiness.ts"

type Send = Effect.Success<ReturnType<typeof biller>>["send"]
type Invoice = Readonly<Record<string, unknown>>

const notesOf = (send: Send) => {
  const path = (invoice: Invoice) => `/invoices/${String(invoice["invoice_id"])}`
  return {
    path,
    credit: (invoice: Invoice, body: object = {}) => send("POST", `${path(invoice)}/credit-notes`, body),
    entries: (invoice: Invoice) =>
      Effect.map(send("GET", `${path(invoice)}/payments`), (answer) =>
        records(answer).map(({ amount, kind, reference }) => [kind, amount, reference])
      )
  }
}

const books = Effect.gen(function* () {
  const owner = yield* biller(yield* openServer())
  return { ...owner, ...notesOf(owner.send) }
})

/** The part of an item of 100 that a note takes back. */
const part = (unit_price: number, tax_rate = 0) => ({
  items: [{ description: "Delay", unit_price, tax_rate }]
})

billing("a credit note", (it) => {
  it.effect("has negative lines with their taxes, and refunds what was paid beyond the rest", () =>
    Effect.gen(function* () {
      const { credit, entries, events, invoice, path, payment, read, send } = yield* books
      const made = yield* invoice({ items: [{ ...line, tax_rate: 10 }] })
      yield* payment(made["invoice_id"], 60)
      yield* payment(made["invoice_id"], 50)
      const note = record(yield* credit(made, { ...part(50, 10), reason: "complaint", notes: "Late" }))
      assert.deepInclude(note, {
        invoice_id: made["invoice_id"],
        number: "CN-000001",
        reason: "complaint",
        currency: "USD",
        subtotal: -50,
        tax_total: -5,
        total_amount: -55,
        refund_amount: 55,
        notes: "Late"
      })
      assert.deepStrictEqual(note["items"], [
        {
          description: "Delay",
          quantity: -1,
          unit_price: 50,
          tax_rate: 10,
          taxes: [{ name: null, rate: 10 }],
          tax_included: false,
          amount: -50,
          gross_amount: null,
          trip_id: null
        }
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "paid",
        total_amount: 110,
        amount_credited: 55,
        amount_paid: 55,
        amount_due: 0,
        amount_to_refund: 0
      })
      assert.deepStrictEqual(yield* entries(made), [
        ["payment", 60, null],
        ["payment", 50, null],
        ["credit", 50, "CN-000001"],
        ["credit", 5, "CN-000001"],
        ["excess_refund", 50, "CN-000001"],
        ["excess_refund", 5, "CN-000001"]
      ])
      const list = `${path(made)}/credit-notes`
      assert.deepStrictEqual(records(yield* send("GET", list)), [note])
      assert.deepStrictEqual(record(yield* send("GET", `${list}/${String(note["credit_note_id"])}`)), note)
      assert.deepInclude(countsOf(yield* events), { "payment.succeeded": 2, "invoice.paid": 1 })
    })
  )

  it.effect(
    "without items credits the whole remaining amount, and frees the trips and their payment status",
    () =>
      Effect.gen(function* () {
        const { credit, events, invoice, payment, paymentStatusOf, read, trip } = yield* books
        const { trip_id } = yield* trip({ total_amount: 33.33 })
        const made = yield* invoice({ trip_ids: [trip_id], tax_rate: 7.7 })
        yield* payment(made["invoice_id"], 35.9)
        assert.strictEqual(yield* paymentStatusOf(trip_id), "paid")
        const first = record(yield* credit(made, part(11.11, 7.7)))
        assert.strictEqual(yield* paymentStatusOf(trip_id), "paid")
        const second = record(yield* credit(made))
        assert.strictEqual(Number(first["total_amount"]) + Number(second["total_amount"]), -35.9)
        assert.deepInclude(yield* read(made["invoice_id"]), {
          status: "unpaid",
          amount_due: 0,
          amount_paid: 0,
          amount_credited: 35.9,
          allowed_transitions: [],
          trip_ids: []
        })
        assert.strictEqual(yield* paymentStatusOf(trip_id), "unpaid")
        refusedAs(yield* credit(made), 409, "conflict")
        assert.deepInclude(yield* invoice({ trip_ids: [trip_id] }), { trip_ids: [trip_id] })
        assert.deepStrictEqual(countsOf(yield* events), {
          "invoice.created": 2,
          "payment.succeeded": 1,
          "invoice.paid": 1,
          "invoice.updated": 6
        })
      })
  )

  it.effect("makes a partly paid invoice paid when it credits the amount due", () =>
    Effect.gen(function* () {
      const { credit, events, invoice, payment, read } = yield* books
      const made = yield* invoice()
      yield* payment(made["invoice_id"], 60)
      assert.deepInclude(record(yield* credit(made, part(40))), { refund_amount: 0 })
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid", amount_paid: 60, amount_due: 0 })
      assert.deepInclude(countsOf(yield* events), { "invoice.paid": 1 })
    })
  )

  it.effect("with refund false leaves the amount to be refunded, which the next refund returns first", () =>
    Effect.gen(function* () {
      const { credit, entries, invoice, path, payment, read, send } = yield* books
      const made = yield* invoice()
      const { payment_id } = yield* payment(made["invoice_id"], 100)
      record(yield* credit(made, { ...part(30), refund: false }))
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "paid",
        amount_paid: 70,
        amount_to_refund: 30
      })
      const refunded = record(
        yield* send("POST", `${path(made)}/payments/${String(payment_id)}/refund`, { amount: 40 })
      )
      const listed = records(yield* send("GET", `${path(made)}/payments`)).slice(2)
      assert.deepStrictEqual(refunded, { ...listed[0], refunded_amount: 40, entries: listed })
      assert.deepStrictEqual((yield* entries(made)).slice(2), [
        ["excess_refund", 30, null],
        ["refund", 10, null]
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "partial",
        amount_due: 10,
        amount_to_refund: 0
      })
    })
  )

  it.effect("is refused beyond what the invoice charges at a rate, with every wrong field named", () =>
    Effect.gen(function* () {
      const { credit, invoice, payment, trip } = yield* books
      const made = yield* invoice({ items: [{ ...line, tax_rate: 10 }] })
      yield* payment(made["invoice_id"], 10)
      for (const body of [part(100.01, 10), part(1, 0)])
        assert.deepStrictEqual(wrongFields(yield* credit(made, body)), { items: "out_of_range" })
      const added = [{ ...line, tax_rate: 10, quantity: -1 }]
      const refused = yield* credit(made, { items: added })
      assert.deepStrictEqual(wrongFields(refused), { "items.0.quantity": "out_of_range" })
      assert.match(refused.body.error?.message ?? "", /positive quantities.*100\.00 USD without tax at 10 %/u)
      const bad = { items: [{ unit_price: 1.001 }], reason: "whim", refund: "no", notes: 7 }
      assert.deepStrictEqual(wrongFields(yield* credit(made, bad)), {
        "items.0.description": "required",
        reason: "unknown_value",
        refund: "invalid",
        notes: "invalid"
      })
      const { trip_id } = yield* trip()
      assert.deepStrictEqual(
        wrongFields(yield* credit(made, { items: [{ ...line, tax_rate: 10, trip_id }] })),
        { "items.0.trip_id": "not_found" }
      )
      assert.deepInclude(record(yield* credit(made, part(1, 10))), { number: "CN-000001" })
    })
  )

  it.effect(
    "needs an item in a list of items; a null list credits all that is left, as an absent one does",
    () =>
      Effect.gen(function* () {
        const { credit, entries, invoice, payment, read } = yield* books
        const made = yield* invoice()
        yield* payment(made["invoice_id"], 100)
        assert.deepStrictEqual(wrongFields(yield* credit(made, { items: [] })), { items: "required" })
        assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid", amount_credited: 0 })
        assert.deepStrictEqual(yield* entries(made), [["payment", 100, null]])
        assert.deepInclude(record(yield* credit(made, { items: null })), { total_amount: -100 })
      })
  )

  it.effect("is for an invoice that was issued; such an invoice is neither changed, voided nor deleted", () =>
    Effect.gen(function* () {
      const { credit, invoice, path, send, server, trip } = yield* Effect.gen(function* () {
        const server = yield* openServer()
        const owner = yield* biller(server)
        return { ...owner, ...notesOf(owner.send), server }
      })
      const made = yield* invoice()
      refusedAs(yield* credit(made), 409, "conflict")
      record(yield* server.send("GET", `/public/invoices/${String(made["payment_hash"])}`))
      record(yield* credit(made, part(10)))
      const { trip_id } = yield* trip()
      for (const [method, suffix, body] of [
        ["PATCH", "", { items: [{ ...line, unit_price: 90 }] }],
        ["POST", "/trips", { trip_ids: [trip_id] }],
        ["POST", "/void", undefined],
        ["DELETE", "", { force: true }]
      ] as const)
        refusedAs(yield* send(method, `${path(made)}${suffix}`, body), 409, "conflict")
      const other = yield* invoice()
      record(yield* send("POST", `${path(other)}/void`))
      refusedAs(yield* credit(other), 409, "conflict")
      const stranger = notesOf((yield* biller(server)).send)
      refusedAs(yield* stranger.credit(made), 404, "not_found")
    })
  )

  it.effect("as a PDF names its number and its invoice; the same note gives the same bytes", () =>
    Effect.gen(function* () {
      const { credit, invoice, path, payment, send } = yield* books
      const made = yield* invoice()
      yield* payment(made["invoice_id"], 100)
      const { credit_note_id } = record(yield* credit(made, part(30)))
      const pdf = `${path(made)}/credit-notes/${String(credit_note_id)}/pdf`
      const answer = yield* send("GET", pdf)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "application/pdf")
      assert.strictEqual(answer.headers.get("content-disposition"), 'inline; filename="CN-000001.pdf"')
      assert.strictEqual((yield* send("GET", pdf)).text, answer.text)
      refusedAs(yield* send("GET", `${path(made)}/credit-notes/999999/pdf`), 404, "not_found")
    })
  )
})

billing("a credit note of an invoice that was paid by card", (it) => {
  it.effect("is refunded at the provider once, also when its notices arrive later", () =>
    Effect.gen(function* () {
      const owner = yield* cards
      const { emulator, invoice, ledger, payByCard, read, succeeded } = owner
      const { credit } = notesOf(owner.send)
      const made = yield* invoice()
      yield* payByCard(made)
      yield* succeeded
      record(yield* credit(made, part(30)))
      assert.deepStrictEqual(
        emulator.refunds().map(({ amount }) => amount),
        [3000]
      )
      for (const event of emulator.events()) {
        const { body, headers } = yield* emulator.notice(event)
        yield* owner.server.send("POST", "/public/payments/stripe", { text: body, headers })
      }
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["credit", 30],
        ["excess_refund", 30]
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "paid",
        amount_paid: 70,
        amount_to_refund: 0
      })
    })
  )

  it.effect(
    "and a refund that takes a part that it credited and another one, answers with both entries",
    () =>
      Effect.gen(function* () {
        const { invoice, payByCard, send, succeeded } = yield* cards
        const { credit, path } = notesOf(send)
        const made = yield* invoice()
        yield* payByCard(made)
        yield* succeeded
        record(yield* credit(made, { ...part(30), refund: false }))
        const [payment] = records(yield* send("GET", `${path(made)}/payments`))
        const refunded = record(
          yield* send("POST", `${path(made)}/payments/${String(payment?.["payment_id"])}/refund`, {
            amount: 50
          })
        )
        const listed = records(yield* send("GET", `${path(made)}/payments`)).slice(2)
        assert.deepStrictEqual(
          listed.map(({ amount, kind }) => [kind, amount]),
          [
            ["excess_refund", 30],
            ["refund", 20]
          ]
        )
        assert.deepStrictEqual(refunded, { ...listed[0], refunded_amount: 50, entries: listed })
      })
  )

  it.effect("stands when the provider refuses the refund, which can be requested again", () =>
    Effect.gen(function* () {
      const owner = yield* cards
      const { emulator, invoice, payByCard, read, send, succeeded } = owner
      const { credit, path } = notesOf(send)
      const made = yield* invoice()
      yield* payByCard(made)
      yield* succeeded
      yield* emulator.fault({ operation: "refunds.create", kind: "refusal" })
      record(yield* credit(made, part(30)))
      assert.deepInclude(yield* read(made["invoice_id"]), {
        status: "paid",
        amount_paid: 70,
        amount_to_refund: 30
      })
      const [payment] = records(yield* send("GET", `${path(made)}/payments`))
      record(
        yield* send("POST", `${path(made)}/payments/${String(payment?.["payment_id"])}/refund`, {
          amount: 30
        })
      )
      assert.lengthOf(emulator.refunds(), 1)
      assert.deepInclude(yield* read(made["invoice_id"]), { amount_paid: 70, amount_to_refund: 0 })
    })
  )

  it.effect("stands when the database fails during the refund, which can be requested again", () =>
    Effect.gen(function* () {
      const { invoice, key, payByCard, read, send, succeeded, withProvider } = yield* cards
      const { path } = notesOf(send)
      const made = yield* invoice()
      yield* payByCard(made)
      yield* succeeded
      const provider = yield* withProvider(PaymentProvider)
      const failing = yield* openServer().pipe(
        Effect.provideService(PaymentProvider, {
          ...provider,
          refundsOf: () =>
            Effect.die(new Unavailable({ reason: "The database is not reachable", retryAfterSeconds: 5 }))
        })
      )
      record(yield* failing.send("POST", `${path(made)}/credit-notes`, { credential: key, body: part(30) }))
      const toRefund = Effect.map(read(made["invoice_id"]), (now) => now["amount_to_refund"])
      assert.strictEqual(yield* toRefund, 30)
      const [payment] = records(yield* send("GET", `${path(made)}/payments`))
      const refund = `${path(made)}/payments/${String(payment?.["payment_id"])}/refund`
      record(yield* send("POST", refund, { amount: 30 }))
      assert.strictEqual(yield* toRefund, 0)
    })
  )
})

billingPg("a credit note", (it) => {
  it.effect(
    "is numbered without gaps, and credits no more than is left when several are issued at once",
    () =>
      Effect.gen(function* () {
        const { credit, invoice, payment, path, read, send } = yield* books
        const made = yield* invoice()
        yield* payment(made["invoice_id"], 100)
        const answers = yield* Effect.all(
          Array.from({ length: 5 }, () => credit(made, part(30))),
          { concurrency: "unbounded" }
        )
        assertStatuses(answers, [201, 201, 201, 422, 422])
        assert.deepInclude(record(yield* credit(made)), { number: "CN-000004", total_amount: -10 })
        assert.deepStrictEqual(
          records(yield* send("GET", `${path(made)}/credit-notes`)).map(({ number }) => number),
          ["CN-000001", "CN-000002", "CN-000003", "CN-000004"]
        )
        assert.deepInclude(yield* read(made["invoice_id"]), { amount_paid: 0, amount_to_refund: 0 })
      })
  )
})
