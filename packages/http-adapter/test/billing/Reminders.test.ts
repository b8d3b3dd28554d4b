import { InvoiceReminders, ReminderRepository, ReminderSweep } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { creditsOf, messagesTo, setCredits } from "../support/People.ts"
import { beginning } from "../support/TestPorts.ts"
import { openServer, record, type TestServer } from "../support/TestServer.ts"
import { biller, billingPg, line, wrongFields } from "./Billing.ts"

/** Reminders on the third and the tenth day. */
const dunning = { automatic: true, levels: [{ days: 3 }, { days: 10 }] }

/** A business in Berlin with payment terms, reminders and credits, and a customer with an address. */
const reminding = Effect.fnUntraced(function* (server: TestServer, credits = 10) {
  yield* TestClock.setTime(DateTime.toEpochMillis(beginning))
  const owner = yield* biller(server)
  const { businessId, send } = owner
  yield* setCredits(businessId, credits)
  const settings = { timezone: "Europe/Berlin", payment_terms_days: 14, dunning }
  record(yield* send("PATCH", "/settings/business", settings))
  const email = `ada${businessId}@example.com`
  const customer = yield* owner.customer({ name: "Ada", email })
  const raise = (body: object = {}) =>
    owner.invoice({ customer_id: customer["customer_id"], items: [line], ...body })
  return {
    ...owner,
    raise,
    /** An invoice that was emailed to the bookkeeper, with one more email credit for it. */
    sentInvoice: Effect.fnUntraced(function* (body: object = {}) {
      const made = yield* raise(body)
      yield* setCredits(businessId, (yield* creditsOf(businessId)) + 1)
      record(
        yield* send("POST", `/invoices/${String(made["invoice_id"])}/email`, { to: "books@example.com" })
      )
      return made
    }),
    /** Sends the due reminders, as one node does. */
    remind: Effect.gen(function* () {
      const { businesses } = yield* ReminderRepository
      const found = (yield* businesses(null, 10_000)).find(({ business_id }) => business_id === businessId)
      return found === undefined ? 0 : yield* (yield* InvoiceReminders).send(found)
    }).pipe(Effect.provide(InvoiceReminders.layer)),
    reminders: Effect.map(messagesTo(email), (messages) =>
      messages.filter(({ subject }) => subject.startsWith("Reminder"))
    ),
    setCredits: (count: number) => setCredits(businessId, count),
    credits: creditsOf(businessId)
  }
})

const goTo = (time: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(time)))

billingPg("the payment terms of a business", (it) => {
  it.effect("give an invoice its due date, on the business's clock, unless it has one of its own", () =>
    Effect.gen(function* () {
      const { raise, read, send } = yield* reminding(yield* openServer())
      assert.deepInclude(yield* raise(), { due_date: "2026-12-04", overdue: false })
      assert.deepInclude(yield* raise({ due_date: "2026-11-21" }), { due_date: "2026-11-21" })
      yield* goTo("2026-11-20T23:30:00Z")
      const made = yield* raise()
      assert.deepInclude(made, { due_date: "2026-12-05" })
      // The invoice is not overdue on its due date.
      yield* goTo("2026-12-05T22:59:59Z")
      assert.deepInclude(yield* read(made["invoice_id"]), { overdue: false })
      yield* goTo("2026-12-05T23:00:00Z")
      assert.deepInclude(yield* read(made["invoice_id"]), { overdue: true })
      record(yield* send("PATCH", "/settings/business", { payment_terms_days: null }))
      assert.deepInclude(yield* raise(), { due_date: null })
    })
  )

  it.effect("are checked: every wrong field is named, and nothing is written", () =>
    Effect.gen(function* () {
      const { send } = yield* reminding(yield* openServer())
      const levels = (...days: ReadonlyArray<unknown>) => ({ levels: days.map((one) => ({ days: one })) })
      const wrong = [
        [{ payment_terms_days: -1, dunning: levels(366) }, ["payment_terms_days", "dunning.levels.0.days"]],
        [
          { payment_terms_days: 1.5, dunning: levels(1, 2, 3, 4, 5, 6) },
          ["payment_terms_days", "dunning.levels"]
        ],
        [{ dunning: { levels: "3" } }, ["dunning.levels"]],
        [{ dunning: levels(14, 3, 3) }, ["dunning.levels.1.days", "dunning.levels.2.days"]],
        [{ dunning: { levels: [{ days: 3, fee: 5.005 }] } }, ["dunning.levels.0.fee"]],
        [
          { dunning: { levels: [{ days: 3, wordings: { de: { subject: "{{nummer}}", text: "x" } } }] } },
          ["dunning.levels.0.wordings.de.subject"]
        ]
      ] as const
      for (const [body, fields] of wrong)
        assert.sameMembers(Object.keys(wrongFields(yield* send("PATCH", "/settings/business", body))), [
          ...fields
        ])
      assert.deepInclude(record(yield* send("GET", "/settings/business")), {
        payment_terms_days: 14,
        dunning
      })
      assert.deepInclude(record(yield* send("PATCH", "/settings/business", { dunning: null })), {
        dunning: { automatic: false, levels: [] }
      })
    })
  )
})

billingPg("a reminder", (it) => {
  it.effect("is sent on each of the business's days after the due date, once, for one credit", () =>
    Effect.gen(function* () {
      const { credits, payment, remind, reminders, sentInvoice } = yield* reminding(yield* openServer())
      const made = yield* sentInvoice()
      yield* payment(made["invoice_id"], 40)
      yield* goTo("2026-12-07T07:59:00Z")
      assert.strictEqual(yield* remind, 0)
      yield* goTo("2026-12-07T08:00:00Z")
      assert.deepStrictEqual([yield* remind, yield* remind], [1, 0])
      yield* goTo("2026-12-14T08:00:00Z")
      assert.deepStrictEqual([yield* remind, yield* remind], [1, 0])
      const [first, ...others] = yield* reminders
      assert.lengthOf(others, 1)
      assert.include(first?.subject, String(made["number"]))
      assert.include(first?.text, "60.00 USD is due")
      assert.include(first?.text, "2026-12-04")
      assert.strictEqual(yield* credits, 8)
    })
  )

  it.effect("is not sent for an invoice that was paid, voided, deleted or never sent", () =>
    Effect.gen(function* () {
      const { payment, raise, remind, send, sentInvoice } = yield* reminding(yield* openServer())
      yield* raise()
      const [paid, voided, deleted] = [yield* sentInvoice(), yield* sentInvoice(), yield* sentInvoice()]
      yield* payment(paid["invoice_id"], 100)
      record(yield* send("POST", `/invoices/${String(voided["invoice_id"])}/void`))
      record(yield* send("DELETE", `/invoices/${String(deleted["invoice_id"])}`, { force: true }))
      yield* goTo("2027-01-31T12:00:00Z")
      assert.strictEqual(yield* remind, 0)
    })
  )

  it.effect("speaks the customer's language, and otherwise that of the business", () =>
    Effect.gen(function* () {
      const { remind, reminders, send, sentInvoice } = yield* reminding(yield* openServer())
      record(yield* send("PATCH", "/settings/business", { locale: "de-DE" }))
      const made = yield* sentInvoice()
      record(yield* send("PATCH", `/customers/${String(made["customer_id"])}`, { language: "en" }))
      yield* goTo("2026-12-07T12:00:00Z")
      yield* remind
      const [reminder] = yield* reminders
      assert.include(reminder?.text, "100.00 USD is due")
    })
  )

  it.effect("waits for an email credit, and is sent then", () =>
    Effect.gen(function* () {
      const { credits, remind, reminders, sentInvoice, setCredits } = yield* reminding(yield* openServer(), 1)
      yield* sentInvoice()
      yield* sentInvoice()
      yield* goTo("2026-12-07T12:00:00Z")
      yield* remind
      assert.lengthOf(yield* reminders, 1)
      assert.strictEqual(yield* credits, 0)
      assert.strictEqual(yield* remind, 0)
      yield* setCredits(5)
      assert.strictEqual(yield* remind, 1)
      assert.lengthOf(yield* reminders, 1)
      assert.strictEqual(yield* credits, 4)
    })
  )

  it.effect("costs nothing where the customer has no address, and does not hold up the others", () =>
    Effect.gen(function* () {
      const { credits, remind, reminders, sentInvoice } = yield* reminding(yield* openServer())
      yield* sentInvoice({ customer_id: null })
      yield* sentInvoice()
      yield* goTo("2026-12-07T12:00:00Z")
      assert.strictEqual(yield* remind, 1)
      assert.lengthOf(yield* reminders, 1)
      assert.deepStrictEqual([yield* remind, yield* credits], [0, 9])
    })
  )

  it.effect("is sent once when several nodes send at the same time", () =>
    Effect.gen(function* () {
      const { credits, remind, reminders, sentInvoice } = yield* reminding(yield* openServer())
      for (let index = 0; index < 4; index++) yield* sentInvoice()
      yield* goTo("2026-12-20T12:00:00Z")
      const sent = yield* Effect.all([remind, remind, remind], { concurrency: "unbounded" })
      assert.strictEqual(
        sent.reduce((sum, count) => sum + count, 0),
        4
      )
      assert.lengthOf(yield* reminders, 4)
      assert.strictEqual(yield* credits, 6)
    })
  )

  it.effect("is sent by the worker of a server", () =>
    Effect.gen(function* () {
      const { reminders, sentInvoice } = yield* reminding(yield* openServer())
      yield* sentInvoice()
      yield* goTo("2026-12-07T12:00:00Z")
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(Layer.fresh(ReminderSweep.layer))
          let sent = 0
          yield* eventuallyHolds(
            Effect.map(reminders, ({ length }) => {
              sent += length
              return sent > 0
            })
          )
          assert.strictEqual(sent, 1)
        })
      )
    })
  )
})
