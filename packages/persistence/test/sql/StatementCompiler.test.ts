import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { makeStatementCompiler } from "../../src/sql/statements/StatementCompiler.ts"

const compiler = makeStatementCompiler()
const sql = Statement.make(Effect.die("No statement runs"), compiler, [], undefined)

type Row = Record<"id" | "name", unknown>

const rows: readonly [Row, Row] = [
  { id: 1, name: "one" },
  { id: 2, name: "two" }
]

const statements = {
  "without a value": sql`SELECT 1`,
  "with values": sql`SELECT ${1}, ${"two"}, ${null} FROM t WHERE id = ${3}`,
  "with parts": sql`SELECT ${sql.literal("now()")}, ${sql("a name")} ${sql`WHERE ${sql.and([sql`id = ${1}`, sql`name = ${"x"}`])}`}`,
  "with a list": sql`SELECT 1 WHERE id IN ${sql.in([1, 2, 3])} AND name IN ${sql.in([])}`,
  "with rows to insert": sql`INSERT INTO t ${sql.insert([...rows]).returning("id")}`,
  "with a row to update": sql`UPDATE t SET ${sql.update({ id: 1, name: "one" }, ["id"])} WHERE id = ${1}`,
  "with rows to update": sql`UPDATE t SET name = v.name FROM ${sql.updateValues(rows, "v")} WHERE t.id = v.id`,
  "that was compiled before": sql.unsafe("SELECT $1, $2", ["one", 2])
}

const collectGarbage = () => {
  setFlagsFromString("--expose-gc")
  ;(runInNewContext("gc") as () => void)()
}

describe("the compiler of statements", () => {
  for (const [name, statement] of Object.entries(statements))
    it(`compiles a statement ${name} as Effect's compiler does, each time`, () => {
      const expected = PgClient.makeCompiler().compile(statement, false)
      assert.deepStrictEqual(compiler.compile(statement, false), expected)
      assert.deepStrictEqual(compiler.compile(statement, false), expected)
    })

  it("does not keep a statement after it was compiled", async () => {
    const compiled = Object.entries(statements).map(([name, statement]) => ({
      name,
      result: new WeakRef(compiler.compile(statement, false))
    }))
    // A reference is also kept until the end of the job that made it.
    await setImmediate()
    collectGarbage()
    const kept = compiled.filter(({ result }) => result.deref() !== undefined)
    assert.deepStrictEqual(
      kept.map(({ name }) => name),
      []
    )
    // The caller still has the statements.
    assert.lengthOf(Object.values(statements), compiled.length)
  })
})
