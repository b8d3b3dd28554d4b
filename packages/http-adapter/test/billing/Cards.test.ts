import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { setStatus } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, biller, billing, billingPg, countsOf, line } from "./Billing.ts"
import { cards, notify, stripePath } from "./CardBusiness.ts"

billing("a card payment", (it) => {
  it.effect(
    "begins with a secret for the amount due, and the provider's notice makes the invoice paid, once",
    () =>
      Effect.gen(function* () {
        const { begin, emulator, events, invoice, ledger, payByCard, read, succeeded } = yield* cards
        const made = yield* invoice()
        const first = record(yield* begin(made))
        assert.deepInclude(first, { amount: 100, currency: "USD" })
        assert.deepStrictEqual(record(yield* begin(made)), first)
        yield* payByCard(made)
        assert.deepInclude(yield* read(made["invoice_id"]), { status: "unpaid" })
        for (let sent = 0; sent < 3; sent++)
          assert.deepStrictEqual(record(yield* succeeded), { received: true })
        assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid", amount_paid: 100 })
        assert.deepStrictEqual(yield* ledger(made), [["payment", 100]])
        assert.deepStrictEqual(countsOf(yield* events), {
          "invoice.created": 1,
          "payment.succeeded": 1,
          "invoice.paid": 1,
          "invoice.updated": 1
        })
        assert.lengthOf(emulator.intents(), 1)
        refusedAs(yield* begin(made), 422, "payment_link_failed")
      })
  )

  it.effect("in another currency than the invoice's is kept, and counts in no amount of the invoice", () =>
    Effect.gen(function* () {
      const { emulator, invoice, payByCard, read, send, server } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      const event = emulator.events().findLast(({ type }) => type === "payment_intent.succeeded")
      if (event === undefined) return assert.fail("no event")
      const inEuro = { ...event, data: { object: { ...event.data.object, currency: "eur" } } } as typeof event
      const { body, headers } = yield* emulator.notice(inEuro)
      record(yield* server.send("POST", stripePath, { text: body, headers }))
      const amounts = { status: "unpaid", amount_paid: 0, amount_due: 100, amount_to_refund: 0 }
      assert.deepInclude(yield* read(made["invoice_id"]), amounts)
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const [excess] = records(yield* send("GET", path))
      assert.deepInclude(excess, { kind: "excess", amount: 100, currency: "EUR" })
    })
  )

  it.effect("of an amount that is no longer due is cancelled, and another intent takes its place", () =>
    Effect.gen(function* () {
      const { begin, emulator, invoice, ledger, payByCard, payment, read, succeeded } = yield* cards
      const made = yield* invoice()
      yield* begin(made)
      yield* payment(made["invoice_id"], 40)
      assert.deepInclude(record(yield* begin(made)), { amount: 60 })
      const statuses = new Map(emulator.intents().map(({ amount, status }) => [amount, status]))
      assert.deepStrictEqual(
        [statuses.get(10_000), statuses.get(6_000)],
        ["canceled", "requires_payment_method"]
      )
      yield* payByCard(made)
      yield* succeeded
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid", amount_due: 0 })
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 40],
        ["payment", 60]
      ])
    })
  )

  it.effect("beyond the total, or after a void, is kept and does not count", () =>
    Effect.gen(function* () {
      const { events, invoice, ledger, payByCard, payment, read, send, succeeded } = yield* cards
      const beyond = yield* invoice()
      yield* payByCard(beyond)
      yield* payment(beyond["invoice_id"], 70)
      yield* succeeded
      assert.deepStrictEqual(yield* ledger(beyond), [
        ["payment", 70],
        ["excess", 70],
        ["payment", 30]
      ])
      assert.deepInclude(yield* read(beyond["invoice_id"]), { status: "paid", amount_paid: 100 })
      const voided = yield* invoice()
      yield* payByCard(voided)
      record(yield* send("POST", `/invoices/${String(voided["invoice_id"])}/void`))
      yield* succeeded
      assert.deepStrictEqual(yield* ledger(voided), [["excess", 100]])
      assert.deepInclude(yield* read(voided["invoice_id"]), { status: "void", amount_paid: 0 })
      assert.deepInclude(countsOf(yield* events), { "payment.succeeded": 4, "invoice.paid": 1 })
    })
  )

  it.effect("that the invoice no longer needs sends one payment.succeeded, of the kind excess", () =>
    Effect.gen(function* () {
      const { events, invoice, payByCard, payment, succeeded } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      yield* payment(made["invoice_id"], 100)
      for (let sent = 0; sent < 3; sent++) yield* succeeded
      const { invoice_id } = made
      assert.deepStrictEqual(
        (yield* events).filter(({ type }) => type === "payment.succeeded").map(({ data }) => data),
        [
          { invoice_id, amount: 100 },
          { invoice_id, amount: 100, kind: "excess", currency: "USD" }
        ]
      )
    })
  )

  it.effect("for an invoice that was deleted meanwhile is to be refunded", () =>
    Effect.gen(function* () {
      const { emulator, invoice, ledger, payByCard, read, send, succeeded } = yield* cards
      const made = yield* invoice()
      const path = `/invoices/${String(made["invoice_id"])}`
      yield* payByCard(made)
      record(yield* send("DELETE", path))
      yield* succeeded
      assert.deepInclude(yield* read(made["invoice_id"]), {
        number: made["number"],
        status: "void",
        amount_paid: 0,
        amount_due: 0,
        amount_to_refund: 100
      })
      assert.lengthOf(records(yield* send("GET", "/invoices")), 1)
      const [entry] = records(yield* send("GET", `${path}/payments`))
      record(yield* send("POST", `${path}/payments/${String(entry?.["payment_id"])}/refund`, {}))
      assert.lengthOf(emulator.refunds(), 1)
      assert.deepStrictEqual(yield* ledger(made), [
        ["excess", 100],
        ["excess_refund", 100]
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), { amount_to_refund: 0 })
      refusedAs(yield* send("DELETE", path, { force: true }), 409, "conflict")
    })
  )

  it.effect("is refunded at the provider, in parts, never twice for one request that is repeated", () =>
    Effect.gen(function* () {
      const { emulator, invoice, ledger, payByCard, read, send, server, succeeded } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      yield* succeeded
      const path = `/invoices/${String(made["invoice_id"])}/payments`
      const [entry] = records(yield* send("GET", path))
      const refund = (amount: number) =>
        send("POST", `${path}/${String(entry?.["payment_id"])}/refund`, { amount })
      // The request arrives twice: its key makes one refund.
      yield* emulator.fault({ operation: "refunds.create", kind: "duplicate" })
      record(yield* refund(30))
      assert.deepStrictEqual(
        emulator.refunds().map(({ amount }) => amount),
        [3_000]
      )
      record(yield* notify(server, emulator, "refund.created"))
      assert.deepStrictEqual(yield* ledger(made), [
        ["payment", 100],
        ["refund", 30]
      ])
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "partial", amount_due: 30 })
      refusedAs(yield* refund(70.01), 422, "invalid_request")
    })
  )

  it.effect("whose notice is altered, unsigned or not for an invoice of ours changes nothing", () =>
    Effect.gen(function* () {
      const { emulator, events, invoice, payByCard, read, server } = yield* cards
      const made = yield* invoice()
      yield* payByCard(made)
      const type = "payment_intent.succeeded"
      const altered = yield* notify(server, emulator, type, (body, signature) => [
        body.replaceAll("10000", "1"),
        signature
      ])
      refusedAs(altered, 400, "invalid_request")
      refusedAs(yield* notify(server, emulator, type, (body) => [body, ""]), 400, "invalid_request")
      refusedAs(yield* notify(server, emulator, type, (body) => [body, "t=1,v1=00"]), 400, "invalid_request")
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "unpaid" })
      assert.deepStrictEqual(countsOf(yield* events), { "invoice.created": 1 })
    })
  )

  it.effect("is 503 without a provider, and 404 for a hash of no invoice", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, invoice } = yield* biller(server)
      const made = yield* invoice()
      const path = `/public/invoices/${String(made["payment_hash"])}`
      refusedAs(yield* server.send("POST", `${path}/pay`), 503, "payment_provider_unavailable")
      refusedAs(yield* server.send("POST", stripePath, { body: {} }), 503, "payment_provider_unavailable")
      for (const hash of [`inv_${businessId}_${"a".repeat(43)}`, "x", "inv_0_x"]) {
        refusedAs(yield* server.send("GET", `/public/invoices/${hash}`), 404, "not_found")
        refusedAs(yield* server.send("POST", `/public/invoices/${hash}/pay`), 404, "not_found")
      }
    })
  )

  it.effect(
    "of a suspended business is refused by its link as an absent one, until the business is active again",
    () =>
      Effect.gen(function* () {
        const { begin, businessId, invoice, server } = yield* cards
        const made = yield* invoice({ items: [line] })
        const path = `/public/invoices/${String(made["payment_hash"])}`
        yield* setStatus(businessId, "D")
        refusedAs(yield* server.send("GET", path), 404, "not_found")
        refusedAs(yield* begin(made), 404, "not_found")
        yield* setStatus(businessId, "A")
        record(yield* server.send("GET", path))
      })
  )

  it.effect("is 502 when the provider refuses, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const { begin, invoice, read } = yield* cards
      // Stripe charges no amount of that size.
      const made = yield* invoice({ items: [{ ...line, unit_price: 0.01 }] })
      refusedAs(yield* begin(made), 502, "payment_link_failed")
      assert.deepInclude(yield* read(made["invoice_id"]), { status: "unpaid" })
    })
  )

  it.effect("shows a public invoice without ids, notes and customer, which counts as viewed", () =>
    Effect.gen(function* () {
      const { customer, invoice, read, server } = yield* cards
      const { customer_id } = yield* customer({ email: "ada@example.com" })
      const made = yield* invoice({ customer_id, items: [line], notes: "A secret" })
      const shown = record(yield* server.send("GET", `/public/invoices/${String(made["payment_hash"])}`))
      assert.deepStrictEqual(Object.keys(shown).toSorted(), [
        "amount_credited",
        "amount_due",
        "amount_paid",
        "bank_account",
        "business",
        "business_name",
        "card",
        "created_at",
        "currency",
        "due_date",
        "items",
        "number",
        "overdue",
        "part_payments_allowed",
        "status",
        "subtotal",
        "tax_breakdown",
        "tax_total",
        "total_amount"
      ])
      assert.notMatch(JSON.stringify(shown), /_id"|secret|ada@/u)
      assert.isString((yield* read(made["invoice_id"]))["viewed_at"])
    })
  )
})

billingPg("a card payment", (it) => {
  it.effect(
    "gets the same intent when several begin at once, and its notice counts once when sent at once",
    () =>
      Effect.gen(function* () {
        const { begin, emulator, invoice, ledger, payByCard, succeeded } = yield* cards
        const made = yield* invoice()
        const answers = yield* Effect.all(
          Array.from({ length: 5 }, () => begin(made)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(new Set(answers.map((answer) => record(answer)["client_secret"])), 1)
        assert.lengthOf(emulator.intents(), 1)
        yield* payByCard(made)
        const notices = yield* Effect.all(
          Array.from({ length: 4 }, () => succeeded),
          { concurrency: "unbounded" }
        )
        assertStatuses(notices, [200, 200, 200, 200])
        assert.deepStrictEqual(yield* ledger(made), [["payment", 100]])
      })
  )
})
