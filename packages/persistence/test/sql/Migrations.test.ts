import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrate, pending } from "../../src/sql/schema/Migrations.ts"
import type { Migrations } from "../../src/sql/schema/Migrations.ts"
import { client, Database, withClient } from "./Database.ts"

const one = { "0001_cars": "CREATE TABLE cars (id integer); CREATE TABLE seats (id integer);" }
const two: Migrations = {
  // Listed out of order, because the number decides.
  "0010_drivers": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE drivers (id integer)`
    yield* sql`INSERT INTO cars VALUES (${1})`
  }),
  ...one
}

const onDatabase = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.provide(body, Layer.fresh(client().pipe(Layer.provideMerge(Database.layer))))

const recorded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT migration_id, name, applied_at <= now() AS dated FROM livery_migrations ORDER BY 1`
})

it.live("migrations run once each, in the order of their numbers, and are recorded", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* pending(two), ["0001_cars", "0010_drivers"])
    assert.deepStrictEqual(yield* migrate(one), ["0001_cars"])
    assert.deepStrictEqual(yield* pending(two), ["0010_drivers"])
    assert.deepStrictEqual(yield* migrate(two), ["0010_drivers"])
    assert.deepStrictEqual(yield* migrate(two), [])
    assert.deepStrictEqual(yield* pending(two), [])
    assert.deepStrictEqual(yield* recorded, [
      { migration_id: 1, name: "0001_cars", dated: true },
      { migration_id: 10, name: "0010_drivers", dated: true }
    ])
  }).pipe(onDatabase)
)

it.live("four nodes at once on an empty database apply each migration once, and none fails", () =>
  Effect.gen(function* () {
    const many: Migrations = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [
        `${index + 1}_step`,
        `CREATE TABLE step_${index} (id integer); INSERT INTO step_${index} VALUES (1); SELECT pg_sleep(0.05)`
      ])
    )
    const runs = yield* Effect.all(
      Array.from({ length: 4 }, () => withClient({ max: 1, statementTimeout: "250 millis" })(migrate(many))),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(runs.flat().toSorted(), Object.keys(many).toSorted())
    assert.strictEqual((yield* recorded).length, 8)
  }).pipe(onDatabase)
)

it.live(
  "a failing migration leaves nothing of itself, keeps those before it and is named with its line",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const broken = { ...one, "0002_broken": "CREATE TABLE half (id integer);\n\nCREATE TABEL whole ();" }
      const error = yield* Effect.flip(migrate(broken))
      assert.strictEqual(
        error.message,
        'Migration 0002_broken failed in line 3: syntax error at or near "TABEL"'
      )
      assert.deepStrictEqual(yield* sql`SELECT to_regclass('half')::text AS half`, [{ half: null }])
      assert.deepStrictEqual(yield* pending(broken), ["0002_broken"])
      assert.deepStrictEqual(yield* migrate({ ...one, "0002_broken": "SELECT 1" }), ["0002_broken"])
    }).pipe(onDatabase)
)

it.live("a migration refused at its COMMIT is named too", () =>
  Effect.gen(function* () {
    const deferred = {
      "0001_deferred": `CREATE TABLE d (id integer UNIQUE DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO d VALUES (1), (1)`
    }
    const error = yield* Effect.flip(migrate(deferred))
    assert.include(error.message, "Migration 0001_deferred failed: duplicate key")
    assert.deepStrictEqual(yield* pending(deferred), ["0001_deferred"])
  }).pipe(onDatabase)
)

it.live("a database that a newer program has migrated is refused, and not changed", () =>
  Effect.gen(function* () {
    yield* migrate(two)
    const error = yield* Effect.flip(migrate(one))
    assert.strictEqual(error._tag, "DatabaseTooNew")
    assert.include(error.message, "0010_drivers")
    assert.strictEqual((yield* recorded).length, 2)
    assert.deepStrictEqual(yield* pending(one), [])
  }).pipe(onDatabase)
)

it.live("a database whose migrations were replaced is refused as such, not as a newer one", () =>
  Effect.gen(function* () {
    yield* migrate(two)
    const error = yield* Effect.flip(migrate({ "0001_vehicles": "SELECT 1" }))
    assert.strictEqual(error._tag, "DatabaseOfOtherMigrations")
    assert.include(error.message, "0001_cars, 0010_drivers")
    assert.strictEqual((yield* recorded).length, 2)
  }).pipe(onDatabase)
)

it.live("a migration that comes before an applied one is refused, not skipped", () =>
  Effect.gen(function* () {
    yield* migrate(two)
    const error = yield* Effect.flip(migrate({ ...two, "0005_late": "SELECT 1" }))
    assert.strictEqual(error._tag, "MigrationOutOfOrder")
    assert.include(error.message, "0005_late")
  }).pipe(onDatabase)
)

it.live("two migrations of one number are a defect, before anything runs", () =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(migrate({ ...one, "0001_seats": "SELECT 1" }))
    assert.strictEqual(exit._tag, "Failure")
    assert.strictEqual((yield* pending(one)).length, 1)
  }).pipe(onDatabase)
)
