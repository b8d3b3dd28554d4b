import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { collecting, everyRoute } from "./support/EveryRoute.ts"
import { Ports } from "./support/TestPorts.ts"
import { openServer } from "./support/TestServer.ts"

/** Adds a column to each table, as the migrations of the next version may, and a table. */
const addColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`
  for (const { name } of tables)
    yield* sql`ALTER TABLE ${sql(name)} ADD COLUMN of_next_version integer NOT NULL DEFAULT 0`
  yield* sql`CREATE TABLE table_of_next_version (business_id bigint PRIMARY KEY)`
  return tables.length
})

layer(Ports, { timeout: 120_000 })("a running version", (it) => {
  it.effect("serves every route after the next version has added columns to its tables", () =>
    Effect.gen(function* () {
      const faults: Array<string> = []
      const server = collecting(yield* openServer(), faults)
      // In the first run, the connections prepare their statements.
      yield* everyRoute(server, Effect.void, "reading")
      assert.isAbove(yield* addColumns, 50)
      yield* everyRoute(server, Effect.void, "reading")
      assert.deepStrictEqual(faults, [])
    })
  )
})
