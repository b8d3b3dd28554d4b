import { assert, layer } from "@effect/vitest"
import { BusinessId, type InvoiceQuery, InvoiceRepository, maxCount, ProductRepository } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readsOf } from "../support/ReadsOf.ts"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

/** A business with that many invoices, half of them paid, and its list. */
const billing = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const invoices = yield* InvoiceRepository
  const business = BusinessId.make(yield* newBusiness())
  yield* sql`
    INSERT INTO invoices (business_id, number, status, currency, payment_hash, created_at, updated_at)
    SELECT ${business}, 'INV-' || lpad(n::text, 6, '0'), CASE WHEN n % 2 = 0 THEN 'paid' ELSE 'unpaid' END, 'CHF',
      'hash ' || n, now(), now()
    FROM generate_series(1, ${count}) n`
  const list = (page = 1, status?: InvoiceQuery["status"]) =>
    invoices.list(business, { status }, { page, perPage: 20 })
  const readsOfInvoices = (work: Effect.Effect<unknown>) =>
    Effect.map(readsOf(["invoices"], work), ({ reads }) => reads)
  return { business, list, readsOf: readsOfInvoices, sql }
})

layer(TestPersistence)("a list of more than 1,000 records", (it) => {
  it.effect("has no total, and its pages are complete", () =>
    Effect.gen(function* () {
      const { list, readsOf } = yield* billing(maxCount + 25)
      for (const page of [1, 2, 3]) assert.isBelow(yield* readsOf(list(page)), maxCount + 200)
      const first = yield* list()
      assert.deepStrictEqual([first.total, first.items.length, first.hasMore], [undefined, 20, true])
      const last = yield* list(52)
      assert.deepStrictEqual([last.total, last.items.length, last.hasMore], [undefined, 5, false])
    })
  )

  it.effect("has the same pages of each size if it is searched for a part of the number", () =>
    Effect.gen(function* () {
      const { business } = yield* billing(maxCount + 25)
      const invoices = yield* InvoiceRepository
      for (const perPage of [20, 7])
        for (const page of [1, 2, 3]) {
          const [all, found] = yield* Effect.forEach([{}, { number: "INV-0" }], (query) =>
            invoices.list(business, query, { page, perPage })
          )
          assert.lengthOf(all?.items ?? [], perPage)
          assert.deepStrictEqual(found?.items, all?.items, `page ${page} of ${perPage}`)
        }
    })
  )

  it.effect("has the totals of other filters, other businesses and other lists", () =>
    Effect.gen(function* () {
      const { business, list, sql } = yield* billing(maxCount + 25)
      const products = yield* ProductRepository
      const other = yield* billing(3)
      assert.isUndefined((yield* list()).total)
      assert.strictEqual((yield* list(1, "paid")).total, (maxCount + 24) / 2)
      assert.strictEqual((yield* other.list()).total, 3)
      assert.strictEqual((yield* products.list(business, undefined, { page: 1, perPage: 20 })).total, 0)
      yield* sql`UPDATE invoices SET status = 'paid' WHERE business_id = ${business} AND number = 'INV-000001'`
      assert.strictEqual((yield* list(1, "paid")).total, (maxCount + 26) / 2)
    })
  )
})

layer(TestPersistence)("a list of 1,000 records", (it) => {
  it.effect("has its exact total each time, also when a record is added", () =>
    Effect.gen(function* () {
      const { business, list, sql } = yield* billing(maxCount - 1)
      assert.strictEqual((yield* list()).total, maxCount - 1)
      const add = (number: string) => sql`
        INSERT INTO invoices (business_id, number, currency, payment_hash, created_at, updated_at)
        VALUES (${business}, ${number}, 'CHF', ${number}, now(), now())`
      yield* add("INV-001000")
      assert.strictEqual((yield* list()).total, maxCount)
      yield* add("INV-001001")
      assert.isUndefined((yield* list()).total)
    })
  )
})
