import { assert } from "@effect/vitest"
import { migrations } from "@livery/persistence"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { record } from "../support/TestServer.ts"
import { assertStatuses, billingPg, line } from "./Billing.ts"
import { isPdf, pathOf } from "./InvoicePrinting.ts"
import { other, printed } from "./PrintedInvoice.ts"

interface Snapshot {
  readonly invoice: { readonly credited_minor: number }
}

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
