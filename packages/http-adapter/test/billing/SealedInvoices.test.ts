import { FileStore, InvoiceRenderer } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { messagesTo } from "../support/People.ts"
import { record, records, refusedAs } from "../support/TestServer.ts"
import { billing } from "./Billing.ts"
import { isPdf, pathOf, rendererThat } from "./InvoicePrinting.ts"
import { other, printed } from "./PrintedInvoice.ts"

billing("an invoice that was issued", (it) => {
  for (const [cause, act] of [
    ["issued", ["POST", "/issue", undefined]],
    ["emailed", ["POST", "/email", {}]],
    ["paid in part", ["POST", "/payments", { amount: 9, method: "cash" }]],
    ["viewed by its link", "view"],
    ["printed by its link", "print"]
  ] as const)
    it.effect(`keeps its fields and the bytes of its PDF once it was ${cause}`, () =>
      Effect.gen(function* () {
        const { changeElsewhere, made, now, path, payment, pdf, send } = yield* printed
        assert.isNull(made["sealed_at"])
        yield* changeElsewhere
        const link = `/public/invoices/${String(made["payment_hash"])}`
        if (typeof act === "string")
          assert.strictEqual((yield* send("GET", act === "view" ? link : `${link}/pdf`)).status, 200)
        else record(yield* send(act[0], path + act[1], act[2]))
        const sealed = yield* now
        assert.strictEqual(sealed["sealed_at"], "2026-11-20T09:30:00Z")
        const before = yield* pdf
        for (const [field, value] of [
          ["items", other],
          ["due_date", "2027-01-01"],
          ["untaxed_as", "reverse_charge"],
          ["customer_id", null]
        ] as const) {
          const answer = yield* send("PATCH", path, { [field]: value, notes: "Never" })
          assert.deepStrictEqual(refusedAs(answer, 409, "conflict"), [{ type: "field", field }])
          assert.include(answer.body.error?.message, "INV-000001 was issued and does not change any more")
        }
        refusedAs(yield* send("POST", `${path}/trips`, { trip_ids: [1] }), 409, "conflict")
        assert.deepStrictEqual(yield* now, sealed)
        record(yield* send("PATCH", "/settings/business", { business_name: "Again", locale: "de-DE" }))
        yield* payment(made["invoice_id"], 100)
        const notes = record(
          yield* send("PATCH", path, { notes: "Called on Monday", due_date: sealed["due_date"] })
        )
        assert.strictEqual(notes["notes"], "Called on Monday")
        assert.deepStrictEqual(yield* pdf, before)
        assert.deepStrictEqual((yield* send("GET", `${link}/pdf`)).bytes, before)
      })
    )

  it.effect("changes as before until it is issued", () =>
    Effect.gen(function* () {
      const { changeElsewhere, path, pdf, send } = yield* printed
      const before = yield* pdf
      const changed = record(yield* send("PATCH", path, { items: other, due_date: null, customer_id: null }))
      assert.deepInclude(changed, { total_amount: 1.19, due_date: null, customer_id: null, sealed_at: null })
      yield* changeElsewhere
      assert.notDeepEqual(yield* pdf, before)
    })
  )

  it.effect("may be issued again without a change, and not once it is void", () =>
    Effect.gen(function* () {
      const { invoice, path, send } = yield* printed
      const issued = record(yield* send("POST", `${path}/issue`))
      assert.deepStrictEqual(record(yield* send("POST", `${path}/issue`)), issued)
      const voided = pathOf(yield* invoice())
      record(yield* send("POST", `${voided}/void`))
      refusedAs(yield* send("POST", `${voided}/issue`), 409, "conflict")
      refusedAs(yield* send("POST", "/invoices/999999/issue"), 404, "not_found")
    })
  )

  it.effect("is linked to a customer if it had none, and its document stays as it is", () =>
    Effect.gen(function* () {
      const { customer, invoice, send } = yield* printed
      const path = pathOf(yield* invoice({ customer_id: null }))
      record(yield* send("POST", `${path}/issue`))
      const before = (yield* send("GET", `${path}/pdf`)).bytes
      const { customer_id } = customer
      assert.deepInclude(record(yield* send("PATCH", path, { customer_id })), { customer_id })
      assert.deepStrictEqual((yield* send("GET", `${path}/pdf`)).bytes, before)
      refusedAs(yield* send("PATCH", path, { customer_id: null }), 409, "conflict")
    })
  )

  it.effect("is credited by notes with the parties that it was issued with", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const blank = yield* InvoiceRenderer
      const renderer = InvoiceRenderer.of({
        render: (document) => {
          seen.push([document.kind, document.seller.name, document.buyer.name, document.locale])
          return blank.render(document)
        }
      })
      const { changeElsewhere, path, send } = yield* Effect.provideService(printed, InvoiceRenderer, renderer)
      record(yield* send("POST", `${path}/issue`))
      yield* changeElsewhere
      const { credit_note_id } = record(yield* send("POST", `${path}/credit-notes`, {}))
      assert.isTrue(isPdf(yield* send("GET", `${path}/credit-notes/${String(credit_note_id)}/pdf`)))
      assert.deepStrictEqual(seen, [["credit_note", "Isar Chauffeurs", "Analytical Engines Ltd", "de-DE"]])
    })
  )

  it.effect("is drawn once, and again if the file store lost its PDF", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const state = { lost: false, drawn: 0 }
      const renderer = yield* rendererThat(Effect.sync(() => void (state.drawn += 1)))
      const store = FileStore.of({
        ...files,
        read: (name) => (state.lost && !name.includes("_") ? Effect.succeed(Option.none()) : files.read(name))
      })
      const { path, pdf, send } = yield* printed.pipe(
        Effect.provideService(InvoiceRenderer, renderer),
        Effect.provideService(FileStore, store)
      )
      record(yield* send("POST", `${path}/issue`))
      const first = yield* pdf
      assert.deepStrictEqual(yield* pdf, first)
      assert.strictEqual(state.drawn, 1)
      state.lost = true
      assert.deepStrictEqual(yield* pdf, first)
      state.lost = false
      assert.deepStrictEqual(yield* pdf, first)
      assert.strictEqual(state.drawn, 2)
    })
  )

  it.effect("is voided by DELETE, which has to be confirmed, and stays readable under its number", () =>
    Effect.gen(function* () {
      const { now, path, send } = yield* printed
      record(yield* send("POST", `${path}/issue`))
      refusedAs(yield* send("DELETE", path), 409, "confirmation_required")
      assert.deepStrictEqual(record(yield* send("DELETE", path, { force: true })), { deleted: true })
      assert.deepInclude(yield* now, { status: "void", number: "INV-000001", amount_due: 0 })
      const [listed] = records(yield* send("GET", "/invoices?search=INV-000001"))
      assert.strictEqual(listed?.["status"], "void")
    })
  )

  it.effect("is emailed with the PDF of the customer as it is at that moment", () =>
    Effect.gen(function* () {
      const state = { change: Effect.void as Effect.Effect<unknown, unknown>, drawn: 0 }
      const renderer = yield* rendererThat(
        Effect.suspend(() => {
          state.drawn += 1
          return state.drawn === 1 ? Effect.asVoid(Effect.orDie(state.change)) : Effect.void
        })
      )
      const { changeElsewhere, email, path, pdf, send } = yield* Effect.provideService(
        printed,
        InvoiceRenderer,
        renderer
      )
      state.change = changeElsewhere
      record(yield* send("POST", `${path}/email`, {}))
      assert.strictEqual(state.drawn, 2)
      const [message] = yield* messagesTo(email)
      assert.deepStrictEqual(message?.attachments?.[0]?.content, yield* pdf)
    })
  )
})
