import { assert, layer } from "@effect/vitest"
import type { BusinessId } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newBusiness, TestPersistence } from "../support/TestPersistence.ts"

const rows = 2000

/** Quotes and bookings that have all ended, and PostgreSQL's statistics of them. */
const populate = Effect.fnUntraced(function* (business: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const [product] = yield* sql<{ readonly product_id: number }>`
    INSERT INTO products (business_id, name, kind, price_minor, currency, duration_minutes, active, created_at, updated_at)
    VALUES (${business}, 'Tour', 'tour', 100, 'CHF', 90, true, now(), now()) RETURNING product_id`
  yield* sql`
    INSERT INTO quotes (business_id, reference, status, version, currency, items, created_at, updated_at)
    SELECT ${business}, 'Q-' || n, 'rejected', 1, 'CHF', '[]', now(), now() FROM generate_series(1, ${rows}::int) n`
  yield* sql`
    INSERT INTO bookings (business_id, reference, status, product_id, starts_at, ends_at, participants_count, total_minor,
      currency, created_at, updated_at)
    SELECT ${business}, 'B-' || n, 'completed', ${product?.product_id ?? 0}::bigint, now(), now() + interval '1 hour', 2, 100, 'CHF', now(), now()
    FROM generate_series(1, ${rows}::int) n`
  for (const table of ["quotes", "bookings"]) yield* sql`ANALYZE ${sql(table)}`.unprepared
})

const planOf = Effect.fnUntraced(function* (statement: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET LOCAL enable_seqscan = off`
      const plan = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN ${statement}`).unprepared
      return plan.map((line) => line["QUERY PLAN"]).join("\n")
    })
  )
})

layer(TestPersistence, { timeout: "60 seconds" })(
  "The index of what expires next, in all businesses",
  (it) => {
    it.effect.each([
      ["quotes", "IN ('draft', 'sent')", "valid_until"],
      ["bookings", "= 'pending'", "expires_at"]
    ] as const)("is read to expire %s, but not to find the open ones of a business", ([table, open, at]) =>
      Effect.gen(function* () {
        const business = yield* newBusiness()
        yield* populate(business)
        const condition = `status ${open} AND deleted_at IS NULL`
        // The statistics promise that no record is open, so that this index looks cheapest of all.
        const ofBusiness = yield* planOf(
          `SELECT * FROM ${table} WHERE business_id = ${business} AND ${condition}`
        )
        assert.notInclude(ofBusiness, `${table}_to_expire`)
        const due = yield* planOf(
          `SELECT * FROM ${table} WHERE ${condition} AND ${at} <= now() ORDER BY ${at} LIMIT 100`
        )
        assert.include(due, `${table}_to_expire`)
      })
    )
  }
)
