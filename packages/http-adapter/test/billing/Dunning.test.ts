// Levels of reminders: fees, wordings, waivers, and the books after them.
import { InvoiceReminders, ReminderRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { messagesTo, setCredits } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertMoney, biller, billingPg, line, wrongFields } from "./Billing.ts"

type Row = Readonly<Record<string, unknown>>

const goTo = (time: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(time)))

const wordings = {
  de: { subject: "{{level}}. Mahnung {{number}}", text: "{{customer_name}}: {{fee}}, zusammen {{total}}" }
}

const dunning = {
  automatic: true,
  levels: [{ days: 3 }, { days: 10, fee: 5, wordings }, { days: 20, fee: 7.5 }]
}

/** A German customer with an invoice of 100 that is due on 2026-12-01, of a business with three levels. */
const given = Effect.gen(function* () {
  yield* goTo("2026-11-20T09:00:00Z")
  const owner = yield* biller(yield* openServer())
  const { businessId, send } = owner
  yield* setCredits(businessId, 20)
  record(yield* send("PATCH", "/settings/business", { currency: "EUR", timezone: "Europe/Berlin", dunning }))
  const email = `dunned${String(businessId)}@example.com`
  const { customer_id } = yield* owner.customer({ name: "Ada", email, language: "de" })
  const raise = (body: object = {}) =>
    owner.invoice({ customer_id, currency: "EUR", due_date: "2026-12-01", items: [line], ...body })
  const made = yield* raise()
  const path = `/invoices/${String(made["invoice_id"])}`
  record(yield* send("POST", `${path}/issue`))
  const sweep = Effect.gen(function* () {
    const { businesses } = yield* ReminderRepository
    const found = (yield* businesses(null, 10_000)).find(({ business_id }) => business_id === businessId)
    return found === undefined ? 0 : yield* (yield* InvoiceReminders).send(found)
  }).pipe(Effect.provide(InvoiceReminders.layer))
  return {
    ...owner,
    customer_id,
    made,
    mails: messagesTo(email),
    path,
    raise,
    sweep,
    remind: (body?: object) => send("POST", `${path}/remind`, body),
    /** Marks the invoice as sent, so that the sweeper reminds of it. */
    sent: send("POST", `${path}/email`).pipe(Effect.map(record)),
    invoiceNow: Effect.map(send("GET", path), record),
    fees: Effect.map(send("GET", "/invoices"), (answer) =>
      records(answer).filter(({ fee_of_invoice_id }) => fee_of_invoice_id === made["invoice_id"])
    )
  }
})

billingPg("an overdue invoice", (it) => {
  it.effect("climbs one level at a time, with a letter and a fee for each, and does not change itself", () =>
    Effect.gen(function* () {
      const { fees, invoiceNow, mails, made, path, send, sent, sweep } = yield* given
      yield* sent
      yield* mails
      const pdf = (yield* send("GET", `${path}/pdf`)).bytes
      // Overdue for long: it still begins with the first level.
      yield* goTo("2026-12-12T09:00:00Z")
      assert.deepStrictEqual([yield* sweep, yield* sweep], [1, 0])
      assert.deepInclude(yield* invoiceNow, { reminder_level: 1, reminder_fees: 0 })
      yield* goTo("2026-12-18T12:00:00Z")
      assert.strictEqual(yield* sweep, 0)
      yield* goTo("2026-12-19T09:00:00Z")
      assert.strictEqual(yield* sweep, 1)
      assert.deepInclude(yield* invoiceNow, {
        reminder_level: 2,
        last_reminder_at: "2026-12-19T09:00:00Z",
        reminder_fees: 5,
        total_amount: 100,
        amount_due: 100
      })
      assert.deepStrictEqual((yield* send("GET", `${path}/pdf`)).bytes, pdf)
      const [fee, ...others] = yield* fees
      assert.lengthOf(others, 0)
      assert.deepInclude(fee, {
        total_amount: 5,
        tax_total: 0,
        untaxed_as: "outside_scope",
        customer_id: made["customer_id"],
        due_date: "2026-12-19"
      })
      const [, letter] = yield* mails
      assert.strictEqual(letter?.subject, `2. Mahnung ${String(made["number"])}`)
      assert.strictEqual(letter?.text, "Ada: 5.00 EUR, zusammen 105.00 EUR")
      const entries = records(yield* send("GET", `${path}/timeline`))
      assert.deepInclude(entries.at(-1), {
        change: "reminded",
        after: { level: 2, fee: 5, fee_invoice_id: fee?.["invoice_id"] }
      })
      // A fee is not reminded of.
      yield* goTo("2027-02-01T09:00:00Z")
      assert.strictEqual(yield* sweep, 1)
      assert.strictEqual(yield* sweep, 0)
      assert.deepInclude(yield* invoiceNow, { reminder_level: 3, reminder_fees: 12.5 })
    })
  )

  it.effect("is reminded of once, with one fee, when several nodes sweep and a payment arrives", () =>
    Effect.gen(function* () {
      const { fees, invoiceNow, mails, made, payment, sent, sweep } = yield* given
      yield* sent
      yield* goTo("2026-12-12T09:00:00Z")
      yield* sweep
      yield* goTo("2026-12-22T09:00:00Z")
      yield* mails
      const [paid, ...counts] = yield* Effect.all(
        [Effect.as(payment(made["invoice_id"], 100), 0), sweep, sweep, sweep],
        { concurrency: "unbounded" }
      )
      const sentCount = counts.reduce((sum, count) => sum + count, paid)
      assert.isAtMost(sentCount, 1)
      assert.lengthOf(yield* mails, sentCount)
      assert.lengthOf(yield* fees, sentCount)
      assert.deepInclude(yield* invoiceNow, { status: "paid", reminder_level: 1 + sentCount })
      assert.strictEqual(yield* sweep, 0)
    })
  )

  it.effect(
    "is reminded of by hand: the next level, without a fee on request, and never before it is due",
    () =>
      Effect.gen(function* () {
        const { businessId, fees, invoiceNow, made, payment, raise, remind, send } = yield* given
        refusedAs(yield* remind(), 409, "conflict")
        yield* goTo("2026-12-05T09:00:00Z")
        assert.deepInclude(record(yield* remind({ to: "books@example.com" })), {
          level: 1,
          to: "books@example.com",
          fee: 0,
          fee_invoice_id: null
        })
        refusedAs(yield* remind(), 409, "confirmation_required")
        const second = record(yield* remind({ fee: false, force: true }))
        assert.deepInclude(second, { level: 2, fee: 0 })
        yield* goTo("2026-12-06T09:00:00Z")
        const third = record(yield* remind())
        assert.deepInclude(third, { level: 3, fee: 7.5 })
        // The last level again charges no further fee.
        assert.deepInclude(record(yield* remind({ force: true })), {
          level: 3,
          fee: 0,
          fee_invoice_id: null
        })
        assert.lengthOf(yield* fees, 1)
        const ofFee = `/invoices/${String(third["fee_invoice_id"])}/remind`
        refusedAs(yield* send("POST", ofFee), 409, "conflict")
        const nobody = yield* raise({ customer_id: null, due_date: "2026-12-02" })
        const other = `/invoices/${String(nobody["invoice_id"])}`
        refusedAs(yield* send("POST", `${other}/remind`), 409, "conflict")
        record(yield* send("POST", `${other}/issue`))
        assert.deepStrictEqual(wrongFields(yield* send("POST", `${other}/remind`)), { to: "required" })
        yield* payment(made["invoice_id"], 100)
        refusedAs(yield* remind(), 409, "conflict")
        yield* setCredits(businessId, 0)
        refusedAs(yield* send("POST", "/invoices/999999999/remind"), 404, "not_found")
        refusedAs(yield* remind(), 403, "usage_limit_reached")
        assert.deepInclude(yield* invoiceNow, { reminder_level: 3 })
      })
  )

  it.effect(
    "without a customer has no fee, because its invoice must name who owes it, until it has one",
    () =>
      Effect.gen(function* () {
        const { customer_id, raise, send } = yield* given
        const { invoice_id } = yield* raise({ customer_id: null, due_date: "2026-12-02" })
        const path = `/invoices/${String(invoice_id)}`
        record(yield* send("POST", `${path}/issue`))
        const remind = (day: string) =>
          Effect.andThen(
            goTo(`2026-12-${day}T09:00:00Z`),
            Effect.map(send("POST", `${path}/remind`, { to: "books@example.com", force: true }), record)
          )
        assert.deepInclude(yield* remind("05"), { level: 1, fee: 0 })
        assert.deepInclude(yield* remind("06"), { level: 2, fee: 0, fee_invoice_id: null })
        record(yield* send("PATCH", path, { customer_id }))
        assert.deepInclude(yield* remind("07"), { level: 3, fee: 7.5 })
      })
  )

  it.effect("climbs one level when two people remind of it by hand at once", () =>
    Effect.gen(function* () {
      const { invoiceNow, remind } = yield* given
      yield* goTo("2026-12-05T09:00:00Z")
      const answers = yield* Effect.all([remind(), remind(), remind()], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409, 409]
      )
      assert.deepInclude(yield* invoiceNow, { reminder_level: 1 })
    })
  )

  it.effect("keeps books, statement and tax report equal when a fee is paid, and when one is waived", () =>
    Effect.gen(function* () {
      const { customer_id, fees, invoiceNow, made, path, payment, remind, send } = yield* given
      yield* goTo("2026-12-05T09:00:00Z")
      for (let level = 0; level < 3; level++) record(yield* remind({ force: true }))
      const [third, second] = yield* fees
      record(yield* send("POST", `/invoices/${String(third?.["invoice_id"])}/void`))
      assert.deepInclude(yield* invoiceNow, { reminder_fees: 5 })
      assert.deepInclude(records(yield* send("GET", `${path}/timeline`)).at(-1), {
        change: "fee_voided",
        after: { fee_invoice_id: third?.["invoice_id"], fee: 7.5 }
      })
      // One transfer for the invoice and its fee: the excess pays the fee as credit.
      yield* payment(made["invoice_id"], 105)
      record(yield* send("POST", `/invoices/${String(second?.["invoice_id"])}/apply-credit`))
      yield* assertMoney
      const days = "from=2026-11-01&to=2026-12-31"
      const statement = record(yield* send("GET", `/customers/${String(customer_id)}/statement?${days}`))
      const [account] = statement["accounts"] as ReadonlyArray<Row>
      assert.strictEqual(account?.["closing_balance"], 0)
      const lines = (account?.["lines"] ?? []) as ReadonlyArray<Row>
      assert.deepStrictEqual(
        lines
          .map(({ amount, type }) => [type, amount])
          .filter(([type]) => type === "fee" || type === "voided"),
        [
          ["fee", 5],
          ["fee", 7.5],
          ["voided", -7.5]
        ]
      )
      const taxes = JSON.stringify(record(yield* send("GET", `/reports/tax?${days}`)))
      assert.include(taxes, "outside_scope")
      const journal = new TextDecoder().decode((yield* send("GET", `/exports/journal?${days}`)).bytes)
      assert.match(
        journal,
        /invoice,2026-12-05,INV-\d+,receivable,revenue,EUR,5\.00,0,0\.00,0%=0\.00,outside_scope/u
      )
    })
  )
})

billingPg("a wording of a level", (it) => {
  it.effect("is previewed with an example in the language, before it is stored", () =>
    Effect.gen(function* () {
      const { send } = yield* given
      const preview = (body: object) => send("POST", "/settings/dunning/preview", body)
      assert.deepStrictEqual(record(yield* preview({ language: "de", wording: wordings.de })), {
        subject: "2. Mahnung INV-000042",
        text: "Ada Lovelace: 5.00 EUR, zusammen 125.00 EUR"
      })
      assert.match(String(record(yield* preview({ language: "fr" }))["text"]), /Des frais de 5\.00 EUR/u)
      assert.deepStrictEqual(
        wrongFields(yield* preview({ language: "xx", wording: { subject: "", text: "{{sum}}" } })),
        { language: "unknown_value", "wording.subject": "required", "wording.text": "unknown_value" }
      )
    })
  )
})
