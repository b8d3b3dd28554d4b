import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { readRecord } from "../../../../scripts/statements/Record.ts"
import { notBound, statementFaults } from "../../../../test/support/StatementRules.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { tables } from "../../src/migrations/Tables.ts"
import { businessHash } from "../../src/sql/places/BusinessHash.ts"
import { placedText } from "../../src/sql/places/PlacedText.ts"
import { onShards } from "../../src/sql/places/ShardNames.ts"

const connected = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: Redacted.value(url) })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

describe("a statement that is read where its rows are", () => {
  it("reads one business, or copied tables only", () => {
    assert.deepStrictEqual(
      placedText("SELECT t.trip_id FROM trips t WHERE t.trip_id = $1 AND t.business_id = $2"),
      { business: 1, tables: ["trips"] }
    )
    assert.deepStrictEqual(placedText("SELECT value FROM platform_settings"), {
      business: undefined,
      tables: ["platform_settings"]
    })
  })

  it("neither writes, nor locks, nor reads a table that only the coordinator has or whose generations change", () => {
    for (const text of [
      "UPDATE trips SET notes = $1 WHERE business_id = $2",
      "WITH t AS (DELETE FROM trips WHERE business_id = $1 RETURNING trip_id) SELECT trip_id FROM t",
      "SELECT FROM business_counters WHERE business_id = $1 FOR NO KEY UPDATE",
      "SELECT FROM trips WHERE business_id = $1 FOR SHARE",
      "SELECT set_config('a', 'b', true) FROM trips WHERE business_id = $1",
      "SELECT nextval('s') FROM trips WHERE business_id = $1",
      "SELECT FROM audit_log WHERE business_id = $1",
      "SELECT FROM audit_history WHERE business_id = $1",
      "SELECT FROM event_history WHERE business_id = $1",
      "SELECT trip_id FROM trips WHERE deleted_at IS NULL",
      "SELECT 1",
      "BEGIN"
    ])
      assert.isUndefined(placedText(text), text)
  })

  it("binds each table of businesses to the business whose node reads it, in every recorded statement", async () => {
    const ofBusinesses = new Set(tables.filter(({ kind }) => kind === "business").map(({ name }) => name))
    const unbound: Array<string> = []
    for (const { name, text } of readRecord()) {
      if (placedText(text)?.business === undefined) continue
      const faults = await statementFaults(text, (table) => ofBusinesses.has(table))
      unbound.push(...faults.filter((fault) => fault.endsWith(notBound)).map((fault) => `${name}: ${fault}`))
    }
    assert.deepStrictEqual(unbound, [])
  })

  it("keeps the plain name of a table as its alias", () => {
    const names = new Map([
      ["trips", "trips_1"],
      ["drivers", "drivers_2"]
    ])
    assert.strictEqual(
      onShards(
        "SELECT trips.trip_id FROM trips JOIN drivers d ON true WHERE EXISTS (SELECT FROM drivers)",
        names
      ),
      "SELECT trips.trip_id FROM trips_1 AS trips JOIN drivers_2 d ON true WHERE EXISTS (SELECT FROM drivers_2 AS drivers)"
    )
  })
})

describe("on PostgreSQL", () => {
  it.live("the hash of a business is that of PostgreSQL", () =>
    Effect.gen(function* () {
      const client = yield* connected((yield* TestDatabase.create).url)
      const ids = [1, 2, 77, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 48 + 1, 2 ** 53 - 1]
      const { rows } = yield* Effect.promise(() =>
        client.query<{ hash: number }>("SELECT hashint8(id) AS hash FROM unnest($1::bigint[]) AS id", [ids])
      )
      assert.deepStrictEqual(
        ids.map(businessHash),
        rows.map(({ hash }) => hash)
      )
    }).pipe(Effect.scoped)
  )

  it.live(
    "every recorded statement that is read where its rows are runs on tables with the names of shards",
    () =>
      Effect.gen(function* () {
        const client = yield* connected((yield* TestDatabase.create).url)
        const names = new Map(tables.map(({ name }, index) => [name, `${name}_${102_000 + index}`]))
        const renaming = [...names].map(([name, shard]) => `ALTER TABLE ${name} RENAME TO ${shard}`)
        yield* Effect.promise(() => client.query(renaming.join(";")))
        const placed = readRecord().filter(({ text }) => placedText(text) !== undefined)
        assert.isAbove(placed.length, 300)
        const refused: Array<string> = []
        for (const { name, text } of placed)
          yield* Effect.promise(() =>
            client.query(`PREPARE placed AS ${onShards(text, names)}`).then(
              () => client.query("DEALLOCATE placed"),
              (error: unknown) => refused.push(`${name}: ${String(error)}`)
            )
          )
        assert.deepStrictEqual(refused, [])
      }).pipe(Effect.scoped)
  )
})
