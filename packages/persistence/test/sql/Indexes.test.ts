import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { TestPersistence } from "../support/TestPersistence.ts"
import { otherUsers, readBy } from "./IndexUsers.ts"

layer(TestPersistence)("the indexes of the schema", (it) => {
  it.effect("that enforce no rule are listed with a test of plans or a statement that uses them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ index: string; table: string }>`
        SELECT c.relname AS index, i.indrelid::regclass::text AS table
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = 'public'::regnamespace AND NOT i.indisunique AND NOT i.indisexclusion ORDER BY 1`
      const read = new Set<string>(Object.values(readBy).flat())
      assert.deepStrictEqual(
        rows.map(({ index }) => index).filter((index) => !read.has(index) && otherUsers[index] === undefined),
        [],
        "indexes without a user"
      )
      const existing = new Set(rows.map(({ index }) => index))
      assert.deepStrictEqual(
        [...read, ...Object.keys(otherUsers)].filter((index) => !existing.has(index)),
        [],
        "users of no index"
      )
      assert.deepStrictEqual(
        Object.keys(otherUsers).filter((index) => read.has(index)),
        [],
        "indexes that are listed twice"
      )
      for (const { index, table } of rows) {
        const file = otherUsers[index]?.[0]
        if (file !== undefined)
          assert.match(
            readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8"),
            new RegExp(`\\b${table}\\b`, "u"),
            index
          )
      }
    })
  )
})
