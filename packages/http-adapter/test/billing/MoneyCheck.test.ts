// The check of `livery check money`: it reports each table of money whose row was changed past the API.
import { assert, layer } from "@effect/vitest"
import { MoneyCheck } from "@livery/domain"
import { Deferred, Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"
import { assertMoney, biller, line } from "./Billing.ts"

/** The reported values. */
const reports = Effect.flatMap(Effect.provide(MoneyCheck, MoneyCheck.layer), ({ run }) =>
  Effect.map(run(), (differences) => differences.map(({ what }) => what))
)

/** A business with a deleted invoice, and an invoice that has a trip, payments, a refund and credit notes. */
const bookedBusiness = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The test changes entries, which the database refuses otherwise.
  yield* sql`ALTER TABLE payments DISABLE TRIGGER USER`
  const owner = yield* biller(yield* openServer())
  const { businessId, invoice, payment, send, trip } = owner
  const { trip_id } = yield* trip({ total_amount: 100 })
  const made = yield* invoice({ trip_ids: [trip_id], tax_rate: 7.7 })
  const path = `/invoices/${String(made["invoice_id"])}`
  yield* payment(made["invoice_id"], 60)
  const second = yield* payment(made["invoice_id"], 47.7)
  record(yield* send("POST", `${path}/payments/${String(second["payment_id"])}/refund`, { amount: 7.7 }))
  for (const unit_price of [20, 21]) {
    const body = { items: [{ ...line, unit_price, tax_rate: 7.7 }], refund: false }
    record(yield* send("POST", `${path}/credit-notes`, body))
  }
  const deleted = yield* invoice()
  record(yield* send("DELETE", `/invoices/${String(deleted["invoice_id"])}`))
  const free = yield* trip({ total_amount: 10 })
  return {
    businessId,
    sql,
    ids: {
      invoice: Number(made["invoice_id"]),
      deleted: Number(deleted["invoice_id"]),
      trip: Number(trip_id),
      free: Number(free["trip_id"])
    }
  }
})

type Ids = Effect.Success<typeof bookedBusiness>["ids"]

/** A change of one row: its table, its column, the new value as SQL, the condition that finds it, and a report. */
const changes: ReadonlyArray<
  readonly [table: string, column: string, value: string, where: (ids: Ids) => string, report: RegExp]
> = [
  ["invoices", "subtotal_minor", "1", ({ invoice }) => `invoice_id = ${invoice}`, /^subtotal$/u],
  ["invoices", "tax_minor", "1", ({ invoice }) => `invoice_id = ${invoice}`, /^tax$/u],
  ["invoices", "total_minor", "1", ({ invoice }) => `invoice_id = ${invoice}`, /^total$/u],
  ["invoices", "paid_minor", "paid_minor + 1", ({ invoice }) => `invoice_id = ${invoice}`, /^amount paid$/u],
  ["invoices", "credited_minor", "0", ({ invoice }) => `invoice_id = ${invoice}`, /^amount credited$/u],
  ["invoices", "excess_minor", "0", ({ invoice }) => `invoice_id = ${invoice}`, /^amount to refund$/u],
  [
    "invoice_snapshots",
    "snapshot",
    "jsonb_set(snapshot, '{invoice,lines,0,net_minor}', '1')",
    ({ invoice }) => `invoice_id = ${invoice}`,
    /^total of the snapshot$/u
  ],
  ["invoices", "sealed_at", "NULL", ({ invoice }) => `invoice_id = ${invoice}`, /^snapshot$/u],
  [
    "invoices",
    "sealed_at",
    "NULL",
    ({ invoice }) => `invoice_id = ${invoice}`,
    /^seal of an invoice that was emailed, viewed or paid$/u
  ],
  ["invoices", "sealed_at", "now()", ({ deleted }) => `invoice_id = ${deleted}`, /^snapshot$/u],
  ["invoices", "status", "'partial'", ({ invoice }) => `invoice_id = ${invoice}`, /^status$/u],
  ["invoices", "voided_at", "now()", ({ invoice }) => `invoice_id = ${invoice}`, /^status$/u],
  [
    "invoices",
    "deleted_at",
    "now()",
    ({ invoice }) => `invoice_id = ${invoice}`,
    /^status of a deleted invoice$/u
  ],
  ["invoices", "currency", "'EUR'", ({ invoice }) => `invoice_id = ${invoice}`, /^currency of payment \d+$/u],
  ["invoices", "number", "'INV-000007'", ({ invoice }) => `invoice_id = ${invoice}`, /^numbers$/u],
  [
    "invoices",
    "lines",
    `jsonb_set(lines, '{0,quantity}', '2')`,
    ({ invoice }) => `invoice_id = ${invoice}`,
    /^amount of line 1$/u
  ],
  [
    "invoices",
    "lines",
    `jsonb_set(lines, '{0,tax_rate}', '7.8')`,
    ({ invoice }) => `invoice_id = ${invoice}`,
    /^tax$/u
  ],
  ["invoices", "voided_at", "NULL", ({ deleted }) => `invoice_id = ${deleted}`, /^status$/u],
  ["payments", "amount_minor", "amount_minor - 1", () => "amount_minor = 6000", /^amount paid$/u],
  ["payments", "kind", "'excess'", () => "amount_minor = 6000", /^amount paid$/u],
  ["payments", "currency", "'EUR'", () => "amount_minor = 6000", /^currency of payment \d+$/u],
  [
    "payments",
    "refund_of",
    "payment_id",
    () => "kind = 'refund'",
    /^kind of the entry to which refund \d+ refers$/u
  ],
  [
    "payments",
    "invoice_id",
    "deleted",
    () => "kind = 'refund'",
    /^kind of the entry to which refund \d+ refers$/u
  ],
  [
    "payments",
    "reference",
    "'CN-000002'",
    () => "reference = 'CN-000001'",
    /^amount that credit note CN-000001 took from payments$/u
  ],
  ["credit_notes", "total_minor", "-1", () => "number = 'CN-000001'", /^total of credit note CN-000001$/u],
  ["credit_notes", "tax_minor", "-1", () => "number = 'CN-000001'", /^tax of credit note CN-000001$/u],
  ["credit_notes", "subtotal_minor", "-1", () => "number = 'CN-000001'", /^subtotal of credit note/u],
  [
    "credit_notes",
    "taxes",
    `jsonb_set(taxes, '{0,rate}', '8')`,
    () => "number = 'CN-000002'",
    /^taxes of credit note/u
  ],
  [
    "credit_notes",
    "refund_minor",
    "1",
    () => "number = 'CN-000002'",
    /^amount that credit note CN-000002 took/u
  ],
  ["credit_notes", "currency", "'EUR'", () => "number = 'CN-000002'", /^currency of credit note CN-000002$/u],
  ["credit_notes", "number", "'CN-000003'", () => "number = 'CN-000002'", /^numbers$/u],
  [
    "credit_notes",
    "lines",
    `jsonb_set(lines, '{0,unit_price_minor}', '1')`,
    () => "number = 'CN-000002'",
    /^amount of line 1 of credit note CN-000002$/u
  ],
  ["invoice_numbers", "last_number", "9", () => "true", /^numbers$/u],
  ["invoice_numbers", "last_credit_note", "1", () => "true", /^numbers$/u],
  ["trips", "payment_status", "'unpaid'", ({ trip }) => `trip_id = ${trip}`, /^payment status of trip \d+$/u],
  ["trips", "currency", "'EUR'", ({ trip }) => `trip_id = ${trip}`, /^currency of trip \d+$/u],
  [
    "trips",
    "invoice_id",
    "NULL",
    ({ trip }) => `trip_id = ${trip}`,
    /^payment status of trip \d+, which is on no/u
  ],
  [
    "trips",
    "payment_status",
    "'paid'",
    ({ free }) => `trip_id = ${free}`,
    /^payment status of trip \d+, which is/u
  ]
]

layer(Ports, { timeout: 60_000 })("the check of money", (it) => {
  it.effect("reports every change of a row that holds money, and nothing once it is undone", () =>
    Effect.gen(function* () {
      const { businessId, ids, sql } = yield* bookedBusiness
      yield* assertMoney
      for (const [table, column, value, where, report] of changes) {
        const title = `${table}.${column} = ${value}`
        const key =
          { credit_notes: "credit_note_id", invoice_snapshots: "invoice_id", invoice_numbers: "business_id" }[
            table
          ] ?? `${table.slice(0, -1)}_id`
        const [of, id, changed] = [sql.literal(table), sql.literal(key), sql.literal(column)]
        const [row] = yield* sql<{ id: number; before: string | null; type: string }>`
          SELECT ${id} AS id, ${changed}::text AS before, pg_typeof(${changed})::text AS type
          FROM ${of} WHERE business_id = ${businessId} AND ${sql.literal(where(ids))}`
        if (row === undefined) return assert.fail(`no row for ${title}`)
        const set = (text: string) =>
          sql`UPDATE ${of} SET ${changed} = ${sql.literal(text)} WHERE business_id = ${businessId} AND ${id} = ${row.id}`
        yield* set(value === "deleted" ? String(ids.deleted) : value)
        const reported = yield* reports
        assert.isTrue(
          reported.some((what) => report.test(what)),
          `${title}: ${reported.join("; ") || "nothing is reported"}`
        )
        yield* set(row.before === null ? "NULL" : `'${row.before.replaceAll("'", "''")}'::${row.type}`)
        yield* assertMoney
      }
    })
  )

  it.effect("reports a missing row of numbers", () =>
    Effect.gen(function* () {
      const { businessId, sql } = yield* bookedBusiness
      yield* sql`DELETE FROM invoice_numbers WHERE business_id = ${businessId}`
      assert.deepStrictEqual(yield* reports, ["numbers"])
      yield* sql`INSERT INTO invoice_numbers (business_id, last_number, last_credit_note) VALUES (${businessId}, 2, 2)`
    })
  )

  it.effect("sees a payment that is entered meanwhile entirely or not at all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { businessId, invoice, send } = yield* biller(yield* openServer())
      const { invoice_id } = yield* invoice()
      record(yield* send("POST", `/invoices/${String(invoice_id)}/issue`))
      const [locked, entered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const entry = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE payments IN ACCESS EXCLUSIVE MODE`
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(entered)
            yield* sql`
              INSERT INTO payments (business_id, invoice_id, kind, amount_minor, currency, method, received_at, created_at)
              VALUES (${businessId}, ${Number(invoice_id)}, 'payment', 10000, 'USD', 'cash', now(), now())`
            yield* sql`UPDATE invoices SET paid_minor = 10000, status = 'paid' WHERE invoice_id = ${Number(invoice_id)}`
          })
        )
      )
      yield* Deferred.await(locked)
      const check = yield* Effect.forkChild(reports)
      // The check has read the invoices, and waits for their entries.
      yield* sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.pipe(
        Effect.filterOrFail(
          ({ length }) => length > 0,
          () => "the check does not wait"
        ),
        Effect.retry(Schedule.recurs(5000))
      )
      yield* Deferred.succeed(entered, undefined)
      yield* Fiber.join(entry)
      assert.deepStrictEqual(yield* Fiber.join(check), [])
      yield* assertMoney
    })
  )
})
