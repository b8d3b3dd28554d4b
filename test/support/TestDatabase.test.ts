import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Client } from "pg"
import { TestDatabase } from "./TestDatabase.ts"

const ask = (url: Redacted.Redacted, text: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: Redacted.value(url) })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  })

const tables = "select count(*)::int as n from pg_tables where schemaname = 'public'"

describe("TestDatabase", () => {
  it.effect(
    "gives each scope its own database with every table, and drops it even if a client is connected",
    () =>
      Effect.gen(function* () {
        const lingering = yield* Effect.scoped(
          Effect.gen(function* () {
            const [one, two] = yield* Effect.all([TestDatabase.create, TestDatabase.create], {
              concurrency: 2
            })
            yield* ask(one.url, "create table only_here ()")
            const [{ n: many } = {}] = yield* ask(one.url, tables)
            const [{ n: fewer } = {}] = yield* ask(two.url, tables)
            assert.isAbove(Number(fewer), 1)
            assert.strictEqual(many, Number(fewer) + 1)
            const client = new Client({ connectionString: Redacted.value(one.url) })
            client.on("error", () => undefined)
            yield* Effect.promise(() => client.connect())
            return one
          })
        )
        const other = yield* TestDatabase.empty
        assert.deepStrictEqual(
          yield* ask(other.url, `select datname from pg_database where datname = '${lingering.name}'`),
          []
        )
        assert.deepStrictEqual(yield* ask(other.url, tables), [{ n: 0 }])
      })
  )
})

layer(TestDatabase.layer)("TestDatabase.layer", (it) => {
  it.effect("is a client of a database with every table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ n: number }>`select count(*)::int as n from livery_migrations`
      assert.isAbove(row?.n ?? 0, 0)
    })
  )
})
