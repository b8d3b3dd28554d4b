import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Table, tables } from "../../src/migrations/Tables.ts"
import { TestPersistence } from "../support/TestPersistence.ts"

/** The names of the tables whose rows these are, with those of their histories. */
const named = (...kinds: ReadonlyArray<Table["kind"]>) =>
  tables
    .filter((table) => kinds.includes(table.kind))
    .flatMap(({ history, name }) => (history === undefined ? [name] : [history, name]))

const privacy = join(import.meta.dirname, "../../src/privacy")

interface Found {
  readonly found: string
}

/** The names that a query of the catalogue returns. It may use `is_global(table)`. */
const find = Effect.fnUntraced(function* (query: string) {
  const sql = yield* SqlClient.SqlClient
  const globals = named("copied", "platform")
    .map((table) => `'${table}'`)
    .join(", ")
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

  it.effect("no table has a trigger, beside the ones that keep the ledger of payments as it is", () =>
    Effect.gen(function* () {
      const found = yield* find(`
        SELECT DISTINCT g.tgname AS found FROM pg_trigger g JOIN tables t ON t.oid = g.tgrelid
        WHERE NOT t.is_global AND NOT g.tgisinternal`)
      // Citus places a table with triggers only with a setting that it calls unsafe. These two refuse and never write.
      assert.deepStrictEqual(found, ["payments_append_only", "payments_not_truncated"])
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

  it.effect(
    "a foreign key from a table of businesses goes to another one, or to a table that is copied",
    () =>
      Effect.gen(function* () {
        const copied = named("copied").map((name) => `'${name}'`)
        const found = yield* find(`
        SELECT r.conname AS found FROM pg_constraint r
        JOIN tables t ON t.oid = r.conrelid JOIN tables f ON f.oid = r.confrelid
        WHERE r.contype = 'f' AND f.is_global AND f.relname NOT IN (${copied.join(", ")})
          AND (NOT t.is_global OR t.relname IN (${copied.join(", ")}))`)
        assert.deepStrictEqual(found, [])
      })
  )
})

layer(TestPersistence)("the list of tables", (it) => {
  it.effect("has each table of the schema and its key", () =>
    Effect.gen(function* () {
      const found = yield* find(`
        SELECT t.relname || ' ' || coalesce((
          SELECT string_agg(c.attname, ' ' ORDER BY k.nth) FROM pg_index i
          CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, nth)
          JOIN columns c ON c.attrelid = i.indrelid AND c.attnum = k.attnum
          WHERE i.indrelid = t.oid AND i.indisprimary), 'history') AS found
        FROM tables t`)
      const listed = tables.flatMap(({ history, key, kind, name }) => [
        [name, ...(kind === "business" ? ["business_id"] : []), ...key].join(" "),
        ...(history === undefined ? [] : [`${history} history`])
      ])
      assert.deepStrictEqual(found, listed.toSorted())
    })
  )

  it.effect(
    "has each table after those that it refers to, and says which one may refer to a later row of itself",
    () =>
      Effect.gen(function* () {
        const pairs = yield* find(`
        SELECT t.relname || ' ' || f.relname AS found FROM pg_constraint r
        JOIN tables t ON t.oid = r.conrelid JOIN tables f ON f.oid = r.confrelid WHERE r.contype = 'f'`)
        const placeOf = (table: string | undefined) =>
          tables.findIndex(({ history, name }) => name === table || history === table)
        const early = pairs.filter((pair) => {
          const [from, to] = pair.split(" ")
          return from !== to && placeOf(from) <= placeOf(to)
        })
        assert.deepStrictEqual(early, [])
        // A refund refers to an earlier payment, which an export has before it.
        const moving = new Set(tables.flatMap(({ moves, name }) => (moves ? [name] : [])))
        const own = pairs
          .map((pair) => pair.split(" "))
          .filter(([from, to]) => from === to && moving.has(from ?? ""))
        assert.sameMembers(
          own.map(([from]) => from).filter((name) => name !== "payments"),
          tables.flatMap(({ name, refersToItself }) => (refersToItself === undefined ? [] : [name]))
        )
      })
  )

  it("names each table that an erasure changes", () => {
    const writes = /(?:UPDATE|DELETE FROM) ([a-z_]+)/gu
    const changed = globSync("*.ts", { cwd: privacy }).flatMap((file) =>
      [...readFileSync(join(privacy, file), "utf8").matchAll(writes)].map(([, name = ""]) => name)
    )
    // The unit of work of trips erases these, and a row of the previous idempotency keys moves to the current ones first.
    const others = [
      "trips",
      "trip_search",
      "assignments",
      "assignment_milestones",
      "notices",
      "notice_marks",
      "idempotency_keys_previous"
    ]
    const names = new Set([...changed, ...others])
    const erased = tables.filter(
      ({ history, name }) => names.has(name) || (history !== undefined && names.has(history))
    )
    assert.deepStrictEqual(
      erased.map(({ name }) => name).filter((name) => name !== "erasures"),
      tables.filter((table) => table.erased).map(({ name }) => name)
    )
  })
})
