import { assert, layer } from "@effect/vitest"
import { BusinessId, Currency, type InvoiceQuery, InvoiceRepository } from "@livery/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { invoiceDraft } from "../../../../test/contract/InvoiceDraft.ts"
import { readsOf } from "../support/ReadsOf.ts"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const now = DateTime.makeUnsafe("2026-11-20T09:30:00Z")

/** The number of unpaid invoices, which does not depend on the number of all invoices. */
const unpaid = 20

/** A business with that many invoices. */
const billing = Effect.fnUntraced(function* (invoices: number, first = 1) {
  const sql = yield* SqlClient.SqlClient
  const business = BusinessId.make(yield* newBusiness())
  yield* sql`
    INSERT INTO invoices (business_id, number, status, currency, total_minor, paid_minor, payment_hash, created_at, updated_at)
    SELECT ${business}, 'INV-' || lpad(n::text, greatest(6, length(n::text)), '0'),
      CASE WHEN n % ${invoices / unpaid} = 0 THEN 'unpaid' ELSE 'paid' END, 'CHF', 100,
      CASE WHEN n % ${invoices / unpaid} = 0 THEN 0 ELSE 100 END, 'hash ' || n,
      now() - interval '1 year', now() - interval '1 year'
    FROM generate_series(${first}::int, ${first + invoices - 1}::int) n`
  yield* sql`INSERT INTO invoice_numbers (business_id, last_number) VALUES (${business}, ${first + invoices - 1})`
  return business
})

layer(TestPersistence)("invoices in the database", (it) => {
  it.effect("are filtered, searched, found and numbered without reading other invoices of the business", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const invoices = yield* InvoiceRepository
      const business = yield* billing(20_000)
      yield* billing(200)
      yield* sql`ANALYZE invoices`
      const readsOfInvoices = (work: Effect.Effect<unknown>) =>
        Effect.map(readsOf(["invoices"], work), ({ reads }) => reads)
      const list = (query: InvoiceQuery) => invoices.list(business, query, { page: 1, perPage: 20 })
      const given = invoiceDraft(business, { currency: Currency.make("CHF") })
      assert.isAtLeast(yield* readsOfInvoices(list({ status: "unpaid" })), unpaid)
      // A page and its total read each match once.
      assert.isAtMost(yield* readsOfInvoices(list({ status: "unpaid" })), 2 * unpaid)
      assert.isAtMost(yield* readsOfInvoices(list({ number: "INV-00123" })), 2 * 10)
      assert.isAtMost(yield* readsOfInvoices(list({ number: "INV-001234" })), 2)
      // PostgreSQL may plan a statement without its parameters after its first five executions.
      for (let nth = 0; nth < 8; nth++) {
        assert.isAtMost(yield* readsOfInvoices(list({ number: "INV-0012" })), 100 + 21)
        assert.isAtMost(yield* readsOfInvoices(list({ number: "INV-0012", status: "paid" })), 100 + 21)
        assert.isAtMost(yield* readsOfInvoices(list({ number: "INV-0012", status: "unpaid" })), 2)
        // More than 1,000 match: the count ends behind the thousandth.
        assert.isAtMost(yield* readsOfInvoices(list({ number: "INV-0", status: "paid" })), 1_001 + 21)
      }
      assert.isAtMost(yield* readsOfInvoices(invoices.findByHash(business, "hash 77")), 1)
      assert.isAtMost(yield* readsOfInvoices(invoices.insert(given, now)), 1)
      assert.isAtMost(
        yield* readsOfInvoices(invoices.raised(business, now, DateTime.add(now, { days: 31 }), 500)),
        1
      )
    })
  )

  it.effect("are the newest first and found by the beginning of their number, also beyond INV-999999", () =>
    Effect.gen(function* () {
      const invoices = yield* InvoiceRepository
      const business = yield* billing(40, 999_980)
      const numbers = (query: InvoiceQuery) =>
        Effect.map(invoices.list(business, query, { page: 1, perPage: 50 }), ({ items, total }) => {
          assert.strictEqual(total, items.length)
          return items.map(({ number }) => number)
        })
      const newestFirst = Array.from({ length: 40 }, (_, index) => `INV-${1_000_019 - index}`)
      assert.deepStrictEqual(yield* numbers({}), newestFirst)
      for (const prefix of [
        "",
        "I",
        "INV",
        "INV-",
        "INV-1",
        "INV-10",
        "INV-9",
        "INV-99998",
        "INV-1000001",
        "INV-999999"
      ])
        assert.deepStrictEqual(
          yield* numbers({ number: prefix }),
          newestFirst.filter((number) => number.startsWith(prefix)),
          prefix
        )
      for (const prefix of [
        "INV-0",
        "INV-01000000",
        "INV-1e6",
        "INV--1",
        "X",
        "INV-%",
        "INV-1000001 ",
        "INV-10000010000100001"
      ])
        assert.deepStrictEqual(yield* numbers({ number: prefix }), [], prefix)
      assert.lengthOf(yield* numbers({ number: "INV-1", status: "unpaid" }), 10)
    })
  )
})
