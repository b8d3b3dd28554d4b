import { PlatformSettingRepository, PlatformSettings, type SettingKey, Transaction } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { growingTables, type GrowingName } from "../../src/platform/Generations.ts"
import { sweep } from "../../src/platform/Retention.ts"
import { TestPersistence } from "../support/TestPersistence.ts"

/** Runs the worker's sweep with these settings. */
const sweepWith = Effect.fnUntraced(function* (days: Partial<Record<SettingKey, number>>) {
  const settings = yield* PlatformSettingRepository
  const { run } = yield* Transaction
  const now = yield* DateTime.now
  for (const [key, value] of Object.entries(days) as ReadonlyArray<[SettingKey, number]>)
    yield* run(Effect.andThen(settings.lock(key, 1, now), settings.set(key, value, now)))
  yield* Effect.provideServiceEffect(sweep, PlatformSettings, PlatformSettings.make)
})

/** Adds a generation to a table, which ended that many hours more than so many days ago. */
const endGeneration = Effect.fnUntraced(function* (name: GrowingName, days: number, hours: number) {
  const sql = yield* SqlClient.SqlClient
  const { history, table } = growingTables[name]
  yield* sql.unsafe(`CREATE TABLE IF NOT EXISTS ${table}_0 PARTITION OF ${history} FOR VALUES IN (0)`)
  yield* sql`DELETE FROM table_generations WHERE table_name = ${table} AND generation = 0`
  yield* sql`
    INSERT INTO table_generations (table_name, generation, started_at, ended_at)
    VALUES (${table}, 0, now() - interval '4000 days',
      now() - make_interval(days => ${days}, hours => ${hours}))`
})

/** The tables that still have that generation. */
const kept = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names: Array<string> = []
  for (const [name, { table }] of Object.entries(growingTables)) {
    const [row] = yield* sql<{ there: boolean }>`SELECT to_regclass(${`${table}_0`}) IS NOT NULL AS there`
    if (row?.there) names.push(name)
  }
  return names.toSorted()
})

/** The setting of each table, and periods that all differ. */
const periods = [
  ["events", "event_retention_days", 20],
  ["deliveries", "delivery_retention_days", 8],
  ["positions", "position_retention_days", 12],
  ["audit", "audit_retention_days", 100]
] as const

const settings = Object.fromEntries(periods.map(([, key, days]) => [key, days]))

describe("the sweep of old data", () => {
  it.live("drops a generation of each table when its own period has passed, and not an hour before", () =>
    Effect.gen(function* () {
      for (const [name, , days] of periods) yield* endGeneration(name, days, -1)
      yield* sweepWith(settings)
      assert.deepStrictEqual(yield* kept, ["audit", "deliveries", "events", "positions"])
      for (const [name, , days] of periods) yield* endGeneration(name, days, 1)
      yield* sweepWith(settings)
      assert.deepStrictEqual(yield* kept, [])
    }).pipe(Effect.provide(Layer.fresh(TestPersistence)))
  )

  it.live(
    "keeps events for a day longer than the deliveries, whose last generation takes a fourth longer",
    () =>
      Effect.gen(function* () {
        const shorter = { ...settings, event_retention_days: 7, delivery_retention_days: 30 }
        yield* endGeneration("events", 39, -1)
        yield* sweepWith(shorter)
        assert.deepStrictEqual(yield* kept, ["events"])
        yield* endGeneration("events", 39, 1)
        yield* sweepWith(shorter)
        assert.deepStrictEqual(yield* kept, [])
      }).pipe(Effect.provide(Layer.fresh(TestPersistence)))
  )
})
