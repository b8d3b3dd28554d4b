import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layer } from "../../persistence/src/sql/connections/PgClient.ts"
import { eventuallyHolds } from "../../../test/support/Eventually.ts"
import { administer, TestDatabase } from "../../../test/support/TestDatabase.ts"
import { everyRoute } from "./support/EveryRoute.ts"
import { PortsOn } from "./support/TestPorts.ts"
import { openServer } from "./support/TestServer.ts"

/**
 * How many copies of each business there are when PostgreSQL analyzes the tables, and when the requests are made. The reads of a business's own
 * rows vary by more than a thousand, because an erasure may need more passes.
 */
const copies = { analyzed: 20, atLast: 2000 }

/** Tables whose rows belong to the installation. */
const ofInstallation = new Set([
  "event_sequencer",
  "installation",
  "livery_migrations",
  "plans",
  "rate_counters",
  "secret_check",
  "table_generations",
  "webhook_claim_lock"
])

/** Texts that are unique in the installation, so that a copy of their row has another one. */
const uniqueTexts = new Set([
  "api_keys.key_hash",
  "businesses.vendor_slug",
  "devices.device_token",
  "idempotency_keys.key",
  "linked_identities.subject",
  "mail_counts.key",
  "refresh_tokens.token_hash",
  "users.email",
  "verification_codes.code_hash"
])

/** Numbers that differ between the copies of a row: the business, and the ids of rows that belong to no business. */
const shifted = new Set([
  "audit_id",
  "business_id",
  "code_id",
  "created_by",
  "mail_id",
  "session_id",
  "view_id",
  "user_id"
])

/** The states of the rows when PostgreSQL analyzed the tables: all work has ended. */
const ended = [
  "UPDATE assignments SET status = 'completed', token_hash = NULL WHERE business_id > 1000000",
  "UPDATE trips SET status = 'completed', trip_date = trip_date - interval '1 year' WHERE business_id > 1000000",
  "UPDATE webhook_deliveries SET status = 'delivered', next_attempt_at = NULL WHERE business_id > 1000000",
  "UPDATE invoices SET status = 'paid' WHERE business_id > 1000000",
  "UPDATE quotes SET status = 'converted' WHERE business_id > 1000000",
  "UPDATE driver_invitations SET used_at = now() WHERE business_id > 1000000",
  "UPDATE verification_codes SET used_at = now() WHERE user_id > 1000000",
  "UPDATE session_families SET revoked_at = now() WHERE user_id > 1000000"
]

/** Tables that super-admins list as a whole. */
const listedWhole = new Set(["audit_log", "businesses", "users"])

interface Column {
  readonly table_name: string
  readonly column_name: string
}

/** Copies each row of a table with other ids. */
const copyOf = (table: string, columns: ReadonlyArray<string>, from: number, to: number) => {
  const values = columns.map((name) => {
    if (shifted.has(name)) return `${name} + n * 1000000::bigint`
    if (uniqueTexts.has(`${table}.${name}`)) return `${name} || ' ' || n`
    // The events of the copies have their positions in the feed.
    return name === "position" ? "sequence" : name
  })
  return `INSERT INTO ${table} (${columns.join(", ")}) OVERRIDING SYSTEM VALUE
          SELECT ${values.join(", ")} FROM original.${table}, generate_series(${from}, ${to}) n`
}

/** Fills the database with copies of its businesses, of which PostgreSQL's statistics know few, and none at work. */
const crowd = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<Column>`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name NOT IN (
      SELECT relname FROM pg_class WHERE relkind = 'p'
    ) ORDER BY ordinal_position`
  const tables = Map.groupBy(
    columns.filter(({ table_name }) => !ofInstallation.has(table_name)),
    ({ table_name }) => table_name
  )
  const names = [...tables.keys()]
  const run = (statements: ReadonlyArray<string>) =>
    sql.withTransaction(
      Effect.gen(function* () {
        // Copies need no triggers and no checks of foreign keys.
        yield* sql`SET LOCAL session_replication_role = replica`
        for (const statement of statements) yield* sql.unsafe(statement).unprepared
      })
    )
  const copied = (from: number, to: number) =>
    [...tables].map(([table, its]) => {
      const fields = its.map(({ column_name }) => column_name)
      return copyOf(table, fields, from, to)
    })
  yield* run([
    "CREATE SCHEMA original",
    ...names.map((name) => `CREATE TABLE original.${name} AS TABLE ${name}`),
    ...names.map((name) => `ALTER TABLE ${name} SET (autovacuum_enabled = false)`),
    ...copied(1, copies.analyzed),
    ...ended
  ])
  yield* run(names.map((name) => `ANALYZE ${name}`))
  yield* run(copied(copies.analyzed + 1, copies.atLast))
}).pipe(Effect.orDie)

/** Sessions report what they have read when they end, at the latest. */
const othersEnded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sessions = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  yield* eventuallyHolds(Effect.map(sessions, ({ length }) => length === 0))
})

/** How many rows and entries of indexes the requests of one business to every route read, by table. */
const readsOfRequests = (prepare: Effect.Effect<void, never, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const { name, url } = yield* TestDatabase.create
    // PostgreSQL would read a table of few pages whole, which says nothing about a larger one.
    yield* administer(Redacted.value(url), `alter database ${name} set enable_seqscan = off`)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const prepared = Effect.andThen(prepare, Effect.orDie(sql`SELECT pg_stat_reset()`))
      yield* everyRoute(
        yield* openServer(),
        Effect.provideService(prepared, SqlClient.SqlClient, sql),
        "reading"
      )
    }).pipe(Effect.provide(PortsOn.pipe(Layer.provideMerge(layer({ url })), Layer.orDie, Layer.fresh)))
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* othersEnded
      const rows = yield* sql<{ readonly name: string; readonly reads: number }>`
        SELECT relname AS name, (seq_tup_read + coalesce(
          (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid), 0))::int8 AS reads
        FROM pg_stat_user_tables t WHERE schemaname = 'public'`
      return new Map(rows.map(({ name: table, reads }) => [table, reads]))
    }).pipe(Effect.provide(Layer.fresh(layer({ url, max: 1 }))))
  }).pipe(Effect.scoped)

it.effect(
  "no request reads rows of other businesses, also with the statistics of a quiet hour",
  () =>
    Effect.gen(function* () {
      const alone = yield* readsOfRequests(Effect.void)
      const crowded = yield* readsOfRequests(crowd)
      const more = [...crowded].map(([table, reads]) => [table, reads - (alone.get(table) ?? 0)] as const)
      assert.isAbove(more.length, 40)
      // One statement that reads a table's rows of all businesses reads at least one row of each copy.
      assert.deepStrictEqual(
        more.filter(([table, reads]) => !listedWhole.has(table) && reads >= copies.atLast),
        []
      )
    }),
  240_000
)
