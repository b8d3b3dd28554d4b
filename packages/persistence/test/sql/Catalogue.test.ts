import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence } from "../support/TestPersistence.ts"

/**
 * The tables that belong to no single business. They are few, so that a distributed database can copy each to every
 * node.
 */
const globalTables = [
  "api_keys",
  "audit_history",
  "audit_log",
  "business_members",
  "businesses",
  "devices",
  "erasures",
  "event_sequencer",
  "idempotency_keys",
  "idempotency_keys_previous",
  "installation",
  "linked_identities",
  "livery_migrations",
  "mail_counts",
  "mail_outbox",
  "plans",
  "platform_settings",
  "rate_counters",
  "refresh_tokens",
  "saas_coupons",
  "saas_invoices",
  "secret_check",
  "session_families",
  "table_generations",
  "users",
  "verification_codes",
  "webhook_claim_lock"
]

interface Found {
  readonly found: string
}

/** The names that a query of the catalogue returns. It may use `is_global(table)`. */
const find = Effect.fnUntraced(function* (query: string) {
  const sql = yield* SqlClient.SqlClient
  const globals = globalTables.map((table) => `'${table}'`).join(", ")
  const rows = yield* sql.unsafe<Found>(`
    WITH tables AS (
      SELECT oid, relname, relname IN (${globals}) AS is_global FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    ), columns AS (
      SELECT attrelid, attnum, attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped
    )
    ${query} ORDER BY 1`)
  return rows.map(({ found }) => found)
})

layer(TestPersistence)("the tables of businesses can be distributed by business_id", (it) => {
  it.effect("each of them has a business_id that is never null", () =>
    Effect.gen(function* () {
      const found = yield* find(`
        SELECT relname AS found FROM tables t WHERE NOT is_global AND NOT EXISTS (
          SELECT FROM pg_attribute WHERE attrelid = t.oid AND attname = 'business_id' AND attnotnull)`)
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("no unique index and no key is without the business_id", () =>
    Effect.gen(function* () {
      const found = yield* find(`
        SELECT i.indexrelid::regclass::text AS found FROM pg_index i JOIN tables t ON t.oid = i.indrelid
        WHERE NOT t.is_global AND (i.indisunique OR i.indisexclusion) AND NOT EXISTS (
          SELECT FROM columns c
          WHERE c.attrelid = i.indrelid AND c.attname = 'business_id' AND c.attnum = ANY (i.indkey::int2[]))`)
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("a foreign key between tables of businesses has the business_id on both sides", () =>
    Effect.gen(function* () {
      const found = yield* find(`
        SELECT r.conname AS found FROM pg_constraint r
        JOIN tables t ON t.oid = r.conrelid JOIN tables f ON f.oid = r.confrelid
        WHERE r.contype = 'f' AND NOT f.is_global AND (t.is_global OR NOT EXISTS (
          SELECT FROM unnest(r.conkey, r.confkey) AS pair (own, other)
          JOIN columns o ON o.attrelid = r.conrelid AND o.attnum = pair.own AND o.attname = 'business_id'
          JOIN columns p ON p.attrelid = r.confrelid AND p.attnum = pair.other AND p.attname = 'business_id'))`)
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("every table that is named as global exists", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* find("SELECT relname AS found FROM tables WHERE is_global"), globalTables)
    })
  )
})
