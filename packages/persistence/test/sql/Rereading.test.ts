import { assert, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { rereading } from "../../src/sql/lists/Rereading.ts"
import { client, Database, withClient } from "./Database.ts"

const Live = client().pipe(Layer.provideMerge(Database.layer))

/** Reads that fail with an SQLSTATE, and how often they ran. */
const makeFailingRead = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP SEQUENCE IF EXISTS runs CASCADE`
  yield* sql`CREATE SEQUENCE runs`
  yield* sql`
    CREATE OR REPLACE FUNCTION failing(code text) RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN PERFORM nextval('runs'); RAISE EXCEPTION USING ERRCODE = code; END $$`
  const runs = Effect.map(
    sql<{ runs: number }>`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS runs FROM runs`,
    ([row]) => row?.runs
  )
  return { runs, read: (code: string) => sql`SELECT failing(${code})` }
})

layer(Live, { excludeTestServices: true })("a shared read", (it) => {
  it.effect.each([
    ["57P01", 4],
    ["57P02", 4],
    ["57P05", 4],
    // A conflict: the client itself retries it three times.
    ["40001", 4],
    ["25006", 1],
    ["53300", 1],
    ["57014", 1],
    ["57P03", 1],
    ["55P03", 1],
    ["22012", 1]
  ] as const)("that always ends with %s runs %s times", ([code, expected]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { read, runs } = yield* makeFailingRead
      assert.isTrue(Exit.isFailure(yield* Effect.exit(rereading(sql, read(code)))))
      assert.strictEqual(yield* runs, expected)
    }).pipe(withClient({ max: 2 }))
  )

  it.effect("in a transaction fails at once, because the transaction ended with its session", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { read, runs } = yield* makeFailingRead
      const error = yield* Effect.flip(sql.withTransaction(rereading(sql, read("57P01"))))
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.strictEqual(yield* runs, 1)
    }).pipe(withClient({ max: 2 }))
  )

  it.effect("that is interrupted in a pause does not run again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const failed = yield* Deferred.make<void>()
      let runs = 0
      const lost = new SqlError.SqlError({
        reason: new SqlError.ConnectionError({
          cause: Object.assign(new Error("terminated"), { code: "57P01", severity: "FATAL" }),
          operation: "execute"
        })
      })
      const read = Effect.suspend(() => {
        runs += 1
        Deferred.doneUnsafe(failed, Effect.void)
        return Effect.fail(lost)
      })
      const fiber = yield* Effect.forkChild(rereading(sql, read))
      yield* Deferred.await(failed)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(runs, 1)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    })
  )
})

/** A client behind a proxy that cuts the connections of the first `cuts` reads. */
const withCuts = (
  cuts: number,
  body: (
    sql: SqlClient.SqlClient,
    read: Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>,
    state: { runs: number; admitsAfterCut: boolean }
  ) => Effect.Effect<void, SqlError.SqlError>
) =>
  Effect.gen(function* () {
    const { proxy, url } = yield* TestDatabase.proxied
    const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(pgLayer({ url, max: 2 })))
    const state = { runs: 0, admitsAfterCut: true }
    proxy.passage = (statement) => {
      if (!statement.includes("shared")) return "pass"
      state.runs += 1
      if (state.runs > cuts) return "pass"
      proxy.admits = state.admitsAfterCut
      return "cut"
    }
    yield* body(sql, rereading(sql, sql`SELECT 'shared' AS read`), state)
  }).pipe(Effect.scoped)

it.live("a shared read whose connections break three times succeeds at the fourth", () =>
  withCuts(3, (sql, read, state) =>
    Effect.gen(function* () {
      yield* sql`SELECT 1`
      assert.deepStrictEqual(yield* read, [{ read: "shared" }])
      assert.strictEqual(state.runs, 4)
    })
  )
)

it.live("a shared read fails at once if no new connection can be opened", () =>
  withCuts(1, (sql, read, state) =>
    Effect.gen(function* () {
      yield* sql`SELECT 1`
      state.admitsAfterCut = false
      const exit = yield* Effect.exit(read)
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(state.runs, 1)
    })
  )
)
