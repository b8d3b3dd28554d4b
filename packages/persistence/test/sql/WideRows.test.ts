import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"

type Row = Readonly<Record<string, unknown>>

const columns = Array.from({ length: 20 }, (_, at) => `c${at}`)
const wide = columns.map((name, at) => `$1::int + ${at} AS ${name}`).join(", ")

/** Runs a statement as often as it takes until it is prepared and its columns are known, and once more. */
const readOften = (text: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const results = []
    for (let at = 0; at < 4; at++) results.push(yield* sql.unsafe(text, parameters))
    return results
  })

const hasFastNames = (row: object): boolean => {
  setFlagsFromString("--allow-natives-syntax")
  return (runInNewContext("(row) => %HasFastProperties(row)") as (row: object) => boolean)(row)
}

describe("rows of many columns", () => {
  layer(TestDatabase.layer, { excludeTestServices: true })((it) => {
    it.effect("are the same, in the same order, each time their statement runs", () =>
      Effect.gen(function* () {
        const results = yield* readOften(
          `SELECT ${wide}, NULL::text AS empty, '2026-01-02T03:04:05Z'::timestamptz AS at, '{"a":[1]}'::jsonb AS json`,
          [1]
        )
        const [first] = results
        for (const rows of results) {
          assert.deepStrictEqual(rows, first)
          assert.deepStrictEqual(Object.keys(rows[0] ?? {}), [...columns, "empty", "at", "json"])
        }
      })
    )

    it.effect("follow the parameters of each run", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const first of [1, 2, 3, 4])
          assert.strictEqual((yield* sql.unsafe<Row>(`SELECT ${wide}`, [first]))[0]?.["c19"], first + 19)
      })
    )

    it.effect("are not stored as hash tables once their statement is prepared", () =>
      Effect.gen(function* () {
        const results = yield* readOften(`SELECT ${wide}, 1 AS last`, [1])
        assert.isTrue(hasFastNames(results.at(-1)?.[0] ?? {}))
      })
    )

    it.effect("an empty result has no rows, before and after its statement is prepared", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* readOften(`SELECT ${wide} WHERE false`, [1]), [[], [], [], []])
      })
    )

    it.effect.each([
      "SELECT * FROM renamed",
      "SELECT r.* FROM renamed r",
      "SELECT '(' AS text, * FROM renamed"
    ])("of %s have the columns that the table has now", (statement) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`CREATE TABLE renamed AS SELECT ${wide.replaceAll("$1", "1")}`)
        yield* readOften(statement)
        yield* sql`ALTER TABLE renamed RENAME COLUMN c7 TO former`
        const [row] = yield* sql.unsafe<Row>(statement)
        assert.strictEqual(row?.["former"], 8)
        assert.isFalse("c7" in (row ?? {}))
        yield* sql`DROP TABLE renamed`
      })
    )

    it.effect("of a write without rows leave its number of rows as it is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`CREATE TABLE written AS SELECT ${wide.replaceAll("$1", "1")}`)
        const update = sql.unsafe(`UPDATE written SET c0 = 2 RETURNING ${columns.join(", ")}`)
        for (let at = 0; at < 4; at++) {
          const result = (yield* update.raw) as { readonly rowCount: number; readonly command: string }
          assert.deepStrictEqual([result.rowCount, result.command], [1, "UPDATE"])
        }
        yield* sql`DROP TABLE written`
      })
    )
  })
})
