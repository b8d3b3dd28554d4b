import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

layer(TestPersistence)("the ledger in the database", (it) => {
  it.effect("is append-only: no statement changes, deletes or truncates an entry", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const [invoice] = yield* sql<{ id: number }>`
        INSERT INTO invoices (business_id, number, currency, payment_hash, created_at, updated_at)
        VALUES (${business}, 'INV-000001', 'CHF', 'hash', now(), now()) RETURNING invoice_id AS id`
      yield* sql`
        INSERT INTO payments (business_id, invoice_id, kind, amount_minor, currency, method, received_at, created_at)
        VALUES (${business}, ${invoice?.id ?? 0}, 'payment', 100, 'CHF', 'cash', now(), now())`
      const ledger = sql`SELECT * FROM payments WHERE business_id = ${business}`
      const before = yield* ledger
      assert.lengthOf(before, 1)
      for (const change of [
        sql`UPDATE payments SET amount_minor = 1 WHERE business_id = ${business}`,
        sql`DELETE FROM payments WHERE business_id = ${business}`,
        sql`TRUNCATE payments CASCADE`
      ]) {
        const { cause } = yield* Effect.flip(change)
        assert.include(String(cause), "append-only")
      }
      assert.deepStrictEqual(yield* ledger, before)
    })
  )
})
