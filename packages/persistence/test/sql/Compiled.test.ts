import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { compiled } from "../../src/sql/statements/Compiled.ts"

layer(TestDatabase.layer, { excludeTestServices: true })("a compiled statement", (it) => {
  it.effect("is built once, and run with the values of each use", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let built = 0
      const sum = compiled<{ readonly a: number; readonly b: number }>(sql, ({ a, b }) => {
        built += 1
        return sql`SELECT ${a}::int + ${b}::int + ${a}::int + ${1}::int AS sum`
      })
      assert.deepStrictEqual(yield* sum({ a: 1, b: 10 }), [{ sum: 13 }])
      assert.deepStrictEqual(yield* sum({ a: 2, b: 20 }), [{ sum: 25 }])
      assert.strictEqual(built, 1)
    })
  )

  it.effect("is built again for other names, in any order and number", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE compiled (a int, b int DEFAULT 7)`
      const insert = compiled<{ readonly a?: number; readonly b?: number | null }>(
        sql,
        (row) => sql`INSERT INTO compiled ${sql.insert(row)} RETURNING a, b`
      )
      assert.deepStrictEqual(yield* insert({ a: 1, b: 2 }), [{ a: 1, b: 2 }])
      assert.deepStrictEqual(yield* insert({ b: 3, a: 4 }), [{ a: 4, b: 3 }])
      assert.deepStrictEqual(yield* insert({ a: 5 }), [{ a: 5, b: 7 }])
      assert.deepStrictEqual(yield* insert({ b: null }), [{ a: null, b: null }])
    })
  )
})
