import { InvoiceRenderer } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { messagesTo } from "../support/People.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billing, billingPg, line, wrongFields } from "./Billing.ts"
import { pathOf, invoicePrinter, rendererThat } from "./InvoicePrinting.ts"

billing("the email of an invoice", (it) => {
  it.effect("has the PDF and the customer's address, costs one credit, and sets sent_at", () =>
    Effect.gen(function* () {
      const { creditsLeft, email, invoice, read, send } = yield* invoicePrinter(yield* openServer(), 2)
      const made = yield* invoice()
      yield* messagesTo("none")
      const sent = record(yield* send("POST", `${pathOf(made)}/email`))
      assert.deepStrictEqual(sent, {
        email_status: "queued",
        to: email,
        sent_at: "2026-11-20T09:30:00Z",
        email_credits: 1,
        missing_characters: []
      })
      const [message, ...others] = yield* messagesTo(email)
      assert.lengthOf(others, 0)
      assert.strictEqual(message?.subject, "Rechnung INV-000001 von Isar Chauffeurs")
      assert.strictEqual(message?.from_name, "Isar Chauffeurs")
      assert.include(
        message?.text,
        "Die Rechnung INV-000001 über 119.00 EUR ist angehängt. 119.00 EUR sind am 2026-12-04 fällig."
      )
      const [attachment] = message?.attachments ?? []
      assert.deepInclude(attachment, { file_name: "INV-000001.pdf", content_type: "application/pdf" })
      assert.deepStrictEqual(attachment?.content, (yield* send("GET", `${pathOf(made)}/pdf`)).bytes)
      assert.deepInclude(yield* read(made["invoice_id"]), {
        sent_at: "2026-11-20T09:30:00Z",
        email_status: "queued",
        email_failed_at: null
      })
      assert.strictEqual(yield* creditsLeft, 1)
    })
  )

  it.effect("is written in the language of the customer, as its PDF is", () =>
    Effect.gen(function* () {
      const { email, invoice, send } = yield* invoicePrinter(yield* openServer(), 2)
      const made = yield* invoice()
      record(yield* send("PATCH", `/customers/${String(made["customer_id"])}`, { language: "nl" }))
      record(yield* send("POST", `${pathOf(made)}/email`))
      const [message] = yield* messagesTo(email)
      assert.match(message?.subject ?? "", /^Factuur INV-000001 van/u)
    })
  )

  it.effect("goes to another address with a text of the business, if the request says so", () =>
    Effect.gen(function* () {
      const { invoice, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice()
      const to = `books${String(made["payment_hash"]).slice(-6)}@example.com`.toLowerCase()
      record(yield* send("POST", `${pathOf(made)}/email`, { to, message: "Dear Ada" }))
      const [message] = yield* messagesTo(to)
      assert.match(message?.text ?? "", /^Dear Ada\n\nDie Rechnung INV-000001/u)
    })
  )

  it.effect(
    "is refused if the PDF cannot show a text, names the text and the package, and is sent by force",
    () =>
      Effect.gen(function* () {
        const { creditsLeft, email, invoice, read, send } = yield* invoicePrinter(yield* openServer(), 2)
        const items = [{ ...line, description: "空港 東京" }]
        const made = yield* invoice({ items, notes: "🚗" })
        for (const step of ["open", "issued"]) {
          const answer = yield* send("POST", `${pathOf(made)}/email`)
          assert.deepStrictEqual(wrongFields(answer), { "items.0.description": "invalid", notes: "invalid" })
          for (const part of [
            '"空港 東京"',
            "@fontsource/noto-sans-sc",
            "@fontsource/noto-emoji",
            "force: true"
          ])
            assert.include(answer.body.error?.message, part)
          assert.deepStrictEqual([yield* creditsLeft, yield* messagesTo(email)], [2, []])
          const { sealed_at, sent_at } = yield* read(made["invoice_id"])
          assert.deepStrictEqual([sealed_at !== null, sent_at], [step === "issued", null])
          record(yield* send("POST", `${pathOf(made)}/issue`))
        }
        const sent = record(yield* send("POST", `${pathOf(made)}/email`, { force: true }))
        assert.deepInclude(sent, {
          email_status: "queued",
          missing_characters: ["空", "港", "東", "京", "🚗"]
        })
        const [message] = yield* messagesTo(email)
        assert.deepStrictEqual(
          message?.attachments?.[0]?.content,
          (yield* send("GET", `${pathOf(made)}/pdf`)).bytes
        )
      })
  )

  it.effect("is refused without a credit, sends nothing, and changes nothing", () =>
    Effect.gen(function* () {
      const { creditsLeft, email, invoice, read, send } = yield* invoicePrinter(yield* openServer(), 0)
      const made = yield* invoice()
      refusedAs(yield* send("POST", `${pathOf(made)}/email`, {}), 403, "usage_limit_reached")
      assert.deepStrictEqual([yield* creditsLeft, yield* messagesTo(email)], [0, []])
      assert.deepStrictEqual(yield* read(made["invoice_id"]), made)
    })
  )

  it.effect("is drawn again if the invoice was paid while it was drawn", () =>
    Effect.gen(function* () {
      const state = { meanwhile: Effect.void as Effect.Effect<unknown>, drawn: 0 }
      const renderer = yield* rendererThat(
        Effect.suspend(() => {
          state.drawn += 1
          return state.drawn === 1 ? Effect.asVoid(state.meanwhile) : Effect.void
        })
      )
      const server = yield* Effect.provideService(openServer(), InvoiceRenderer, renderer)
      const { creditsLeft, email, invoice, payment, send } = yield* invoicePrinter(server)
      const made = yield* invoice()
      state.meanwhile = payment(made["invoice_id"], 119)
      record(yield* send("POST", `${pathOf(made)}/email`, {}))
      assert.strictEqual(state.drawn, 2)
      const [message] = yield* messagesTo(email)
      assert.include(message?.text, "Es ist nichts offen.")
      assert.strictEqual(yield* creditsLeft, 4)
    })
  )

  it.effect("names every wrong field, and is refused for a void invoice and without an address", () =>
    Effect.gen(function* () {
      const { creditsLeft, invoice, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice({ customer_id: null })
      const path = `${pathOf(made)}/email`
      assert.deepStrictEqual(wrongFields(yield* send("POST", path, { to: "x", message: "x".repeat(5001) })), {
        to: "invalid",
        message: "too_long"
      })
      assert.deepStrictEqual(wrongFields(yield* send("POST", path, {})), { to: "required" })
      record(yield* send("POST", `${pathOf(made)}/void`))
      refusedAs(yield* send("POST", path, { to: "ada@example.com" }), 409, "conflict")
      assert.strictEqual(yield* creditsLeft, 5)
    })
  )
})

billingPg("the email of an invoice", (it) => {
  it.effect(
    "costs one credit each time under races, never more than the balance, and none if it is not sent",
    () =>
      Effect.gen(function* () {
        const { creditsLeft, email, invoice, send } = yield* invoicePrinter(yield* openServer(), 3)
        const all = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], () => invoice())
        const answers = yield* Effect.forEach(all, (made) => send("POST", `${pathOf(made)}/email`, {}), {
          concurrency: "unbounded"
        })
        assertStatuses(answers, [200, 200, 200, 403, 403, 403, 403, 403])
        assert.strictEqual(yield* creditsLeft, 0)
        assert.lengthOf(yield* messagesTo(email), 3)
      })
  )

  it.effect("is sent once for one Idempotency-Key", () =>
    Effect.gen(function* () {
      const { creditsLeft, email, invoice, send } = yield* invoicePrinter(yield* openServer())
      const made = yield* invoice()
      const once = send("POST", `${pathOf(made)}/email`, {}, { "idempotency-key": "send it" })
      assertStatuses(yield* Effect.all([once, once, once], { concurrency: "unbounded" }), [200, 200, 200])
      assert.strictEqual(yield* creditsLeft, 4)
      assert.lengthOf(yield* messagesTo(email), 1)
    })
  )
})
