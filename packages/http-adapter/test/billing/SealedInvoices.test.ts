import { FileStore, InvoiceRenderer } from "@livery/domain"
import { assert } from "@effect/vitest"
import { migrations } from "@livery/persistence"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { messagesTo } from "../support/People.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billing, billingPg, line } from "./Billing.ts"
import { invoicePrinter, isPdf, pathOf, rendererThat } from "./InvoicePrinting.ts"

/** A business with an invoice, and functions that read it and its PDF. */
const printed = Effect.gen(function* () {
  const owner = yield* invoicePrinter(yield* openServer())
  const made = yield* owner.invoice({ notes: "Thank you" })
  const path = pathOf(made)
  const { send } = owner
  return {
    ...owner,
    made,
    path,
    now: Effect.map(send("GET", path), record),
    pdf: Effect.map(send("GET", `${path}/pdf`), ({ bytes }) => bytes),
    /** Changes everything that the PDF of an invoice has from elsewhere. */
    changeElsewhere: Effect.gen(function* () {
      const seller = {
        business_name: "Other",
        address: "Elsewhere 1",
        locale: "fr-FR",
        iban: null,
        logo_url: null
      }
      record(yield* send("PATCH", "/settings/business", { ...seller, timezone: "Pacific/Auckland" }))
      const customer = `/customers/${String(owner.customer["customer_id"])}`
      record(yield* send("PATCH", customer, { name: "Someone", company: null, address: "Nowhere" }))
    })
  }
})

interface Snapshot {
  readonly invoice: { readonly credited_minor: number }
}

const other = [{ ...line, unit_price: 1, tax_rate: 19 }]

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

billingPg("an invoice that is issued while it is changed", (it) => {
  const all = { concurrency: "unbounded" } as const

  it.effect("is issued once by requests at once, with one PDF", () =>
    Effect.gen(function* () {
      const { now, path, send } = yield* printed
      const issues = yield* Effect.all(
        [1, 2, 3, 4].map(() => send("POST", `${path}/issue`)),
        all
      )
      assertStatuses(issues, [200, 200, 200, 200])
      assert.deepStrictEqual(record(issues[0] ?? assert.fail("no answer")), yield* now)
      const pdfs = yield* Effect.all(
        [1, 2, 3].map(() => send("GET", `${path}/pdf`)),
        all
      )
      for (const { bytes } of pdfs) assert.deepStrictEqual(bytes, pdfs[0]?.bytes)
    })
  )

  it.effect("has the new items if it is changed before it is paid, and refuses them after", () =>
    Effect.gen(function* () {
      const { invoice, pay, read, send } = yield* printed
      for (let round = 0; round < 8; round++) {
        const made = yield* invoice()
        const [changed, paid] = yield* Effect.all(
          [send("PATCH", pathOf(made), { items: other }), pay(made["invoice_id"], 1)],
          all
        )
        assert.strictEqual(paid.status, 201)
        assert.include([200, 409], changed.status)
        const total = (yield* read(made["invoice_id"]))["total_amount"]
        assert.strictEqual(total, changed.status === 200 ? 1.19 : 119)
      }
    })
  )

  it.effect("is either emailed or voided, if both happen at once", () =>
    Effect.gen(function* () {
      const { creditsLeft, invoice, read, send } = yield* printed
      for (let round = 0; round < 4; round++) {
        const made = yield* invoice()
        const before = yield* creditsLeft
        const [emailed, deleted] = yield* Effect.all(
          [send("POST", `${pathOf(made)}/email`, {}), send("DELETE", pathOf(made))],
          all
        )
        const { sealed_at, status } = yield* read(made["invoice_id"])
        assert.include([200, 409], emailed.status)
        assert.strictEqual(deleted.status, emailed.status === 200 ? 409 : 200)
        assert.deepStrictEqual(
          [status, sealed_at === null],
          emailed.status === 200 ? ["unpaid", false] : ["void", true]
        )
        assert.strictEqual(before - (yield* creditsLeft), emailed.status === 200 ? 1 : 0)
      }
    })
  )

  it.effect("has the same snapshot by the upgrade, if it was issued before it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId, customer, invoice, now, payment, path, send, trip } = yield* printed
      const { customer_id } = customer
      const ride = yield* trip({ currency: "EUR", total_amount: 50, po_number: "4500", cost_center: "Sales" })
      const ridden = yield* invoice({ customer_id: null, items: [], trip_ids: [ride["trip_id"]] })
      yield* payment(ridden["invoice_id"], 20)
      record(yield* send("GET", `/public/invoices/${String((yield* now)["payment_hash"])}`))
      const untouched = yield* invoice({ customer_id })
      // A trip that is deleted, and stays named by its line.
      const gone = yield* trip({ currency: "EUR", total_amount: 70, customer_name: "Grace" })
      const goneTrip = yield* invoice({ customer_id: null, items: [], trip_ids: [gone["trip_id"]] })
      yield* payment(goneTrip["invoice_id"], 1)
      record(yield* send("DELETE", `/trips/${String(gone["trip_id"])}`, { force: true }))
      const credited = yield* invoice({ customer_id, items: other })
      yield* payment(credited["invoice_id"], 0.5)
      const late = [{ ...line, unit_price: 0.5, tax_rate: 19 }]
      record(yield* send("POST", `${pathOf(credited)}/credit-notes`, { refund: false, items: late }))
      const second = yield* printed
      yield* second.payment(second.made["invoice_id"], 3)
      const rows = sql`
        SELECT i.number, i.sealed_at, s.snapshot FROM invoices i LEFT JOIN invoice_snapshots s USING (business_id, invoice_id)
        WHERE business_id IN (${businessId}, ${second.businessId}) ORDER BY business_id, number`
      const sealed = yield* rows
      assert.deepStrictEqual(
        sealed.map(({ snapshot }) => snapshot === null),
        [false, false, true, false, false, false]
      )
      // What the upgrade finds: no snapshots, an invoice that was deleted, and the names of an erased customer and of a trip.
      yield* sql`
        INSERT INTO retained_parties (business_id, kind, record_id, party, retained_at)
        SELECT business_id, 'customer', customer_id,
          jsonb_build_object('name', name, 'company', company, 'address', address, 'email', email, 'phone', phone), now()
        FROM customers WHERE customer_id = ${Number(customer_id)}`
      yield* sql`
        UPDATE customers SET name = 'Erased', company = NULL, address = NULL, email = NULL, phone = NULL
        WHERE customer_id = ${Number(customer_id)}`
      yield* sql`
        INSERT INTO retained_parties (business_id, kind, record_id, party, retained_at)
        SELECT business_id, 'trip', trip_id, jsonb_build_object('customer_name', customer_name), now()
        FROM trips WHERE trip_id = ${Number(gone["trip_id"])}`
      yield* sql`UPDATE trips SET customer_name = 'Erased' WHERE trip_id = ${Number(gone["trip_id"])}`
      yield* sql`DELETE FROM invoice_snapshots`
      yield* sql`UPDATE invoices SET sealed_at = NULL`
      yield* sql`
        UPDATE invoices SET deleted_at = now(), voided_at = now(), status = 'void'
        WHERE invoice_id = ${Number(untouched["invoice_id"])}`
      const upgrade = String(migrations["0021_sealed_invoices"])
      const statements = upgrade.slice(upgrade.indexOf("UPDATE invoices SET deleted_at")).split(/;\n/u)
      for (const statement of statements) if (statement.trim() !== "") yield* sql.unsafe(statement)
      const upgraded = yield* rows
      // The earlier PDF of a credited invoice stated what was credited when it was read.
      assert.deepInclude(
        upgraded.map(({ snapshot }) => (snapshot as Snapshot | null)?.invoice.credited_minor),
        60
      )
      // Fields that are younger than the upgrade, and what was credited after the invoice was issued.
      const later = new Set(["language", "buyer_reference", "credited_minor"])
      const asInstant = (name: string, value: unknown) =>
        later.has(name)
          ? undefined
          : typeof value === "string" && /^2026-12-\d\dT/u.test(value)
            ? Date.parse(value)
            : value
      const compared = (all: typeof sealed): unknown => JSON.parse(JSON.stringify(all), asInstant)
      assert.deepStrictEqual(compared(upgraded), compared(sealed))
      const deleted = record(yield* send("GET", pathOf(untouched)))
      assert.deepInclude(deleted, { status: "void", number: "INV-000003" })
      assert.isTrue(isPdf(yield* send("GET", `${path}/pdf`)))
    })
  )
})
