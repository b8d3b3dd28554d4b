import { assert, describe, it } from "@effect/vitest"
import { isStatementStopped, ReplicaRead, StatementLimit } from "@livery/domain"
import { Effect, Exit, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { vi } from "vitest"
import {
  addressOf,
  canReplicate,
  type PairedServer,
  replicated
} from "../../../../test/support/Replication.ts"
import { layer as pgLayer, type PgOptions } from "../../src/sql/connections/PgClient.ts"

const patience = { timeout: 60_000, interval: 5 }

/** A node: a client of both servers. A read waits a minute for the replica, so that no outcome depends on the machine. */
const nodeOn = (
  { primary, standby }: { readonly primary: PairedServer; readonly standby: PairedServer },
  {
    maxLag = "1 minute",
    ...options
  }: Partial<PgOptions> & { readonly maxLag?: "1 minute" | "20 millis" } = {}
) => {
  const replica = { url: addressOf([standby.host], "&target_session_attrs=standby"), maxLag }
  return Effect.flatMap(
    Layer.build(Layer.fresh(pgLayer({ url: primary.url, replica, ...options }))),
    (context) => Effect.provide(SqlClient.SqlClient, context)
  )
}

/** Reads the number of rows as a list does, and whether the replica answered. */
const read = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ count: number; replica: boolean }>`
      SELECT count(*)::int AS count, pg_is_in_recovery() AS replica FROM added`,
    ([row]) => row ?? { count: -1, replica: false }
  ).pipe(Effect.provideService(ReplicaRead, true))

const untilFrom = (server: "primary" | "replica", sql: SqlClient.SqlClient) =>
  Effect.promise(() =>
    vi.waitFor(async () => {
      const { replica } = await Effect.runPromise(read(sql))
      assert.strictEqual(replica ? "replica" : "primary", server)
    }, patience)
  )

const add = (sql: SqlClient.SqlClient) => sql`INSERT INTO added DEFAULT VALUES`

const pair = Effect.tap(replicated, ({ primary }) =>
  Effect.promise(() => primary.ask("CREATE TABLE added (id integer GENERATED ALWAYS AS IDENTITY)"))
)

const test = (title: string, body: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(title, () => Effect.scoped(body()), 120_000)

describe.skipIf(!canReplicate())("a read that a replica may answer", () => {
  test("has every change that any node made before it, and the replica answers it", () =>
    Effect.gen(function* () {
      const servers = yield* pair
      const [one, other] = [yield* nodeOn(servers), yield* nodeOn(servers)]
      yield* untilFrom("replica", one)
      yield* untilFrom("replica", other)
      for (let count = 1; count <= 50; count++) {
        yield* add(one)
        const found = yield* Effect.all([read(one), read(other), read(one)], { concurrency: 3 })
        for (const answer of found) assert.deepStrictEqual(answer, { count, replica: true })
      }
    }))

  test("waits for a replica that is behind", () =>
    Effect.gen(function* () {
      const servers = yield* pair
      const sql = yield* nodeOn(servers)
      yield* untilFrom("replica", sql)
      yield* Effect.promise(() => servers.standby.ask("SELECT pg_wal_replay_pause()"))
      yield* add(sql)
      const reading = yield* Effect.forkChild(read(sql))
      yield* Effect.promise(() => servers.primary.ask("SELECT 1"))
      assert.isUndefined(reading.pollUnsafe())
      yield* Effect.promise(() => servers.standby.ask("SELECT pg_wal_replay_resume()"))
      yield* Effect.promise(() => vi.waitUntil(() => reading.pollUnsafe() !== undefined, patience))
      assert.deepStrictEqual(reading.pollUnsafe(), Exit.succeed({ count: 1, replica: true }))
    }))

  test("is answered by the primary while the replica is too far behind, and by the replica later", () =>
    Effect.gen(function* () {
      const servers = yield* pair
      const sql = yield* nodeOn(servers, { maxLag: "20 millis" })
      yield* untilFrom("replica", sql)
      yield* Effect.promise(() => servers.standby.ask("SELECT pg_wal_replay_pause()"))
      for (let count = 1; count <= 5; count++) {
        yield* add(sql)
        assert.deepStrictEqual(yield* read(sql), { count, replica: false })
      }
      yield* Effect.promise(() => servers.standby.ask("SELECT pg_wal_replay_resume()"))
      yield* untilFrom("replica", sql)
    }))

  test("is answered by the primary after the replica was killed, without a failure", () =>
    Effect.gen(function* () {
      const servers = yield* pair
      const sql = yield* nodeOn(servers)
      yield* untilFrom("replica", sql)
      yield* Effect.promise(async () => {
        await servers.primary.ask("ALTER SYSTEM RESET synchronous_standby_names")
        await servers.primary.ask("SELECT pg_reload_conf()")
        await servers.standby.kill()
      })
      for (let count = 1; count <= 5; count++) {
        yield* add(sql)
        assert.deepStrictEqual(yield* read(sql), { count, replica: false })
      }
    }))

  test("does not go to a server that was promoted", () =>
    Effect.gen(function* () {
      const servers = yield* pair
      const sql = yield* nodeOn(servers)
      yield* untilFrom("replica", sql)
      yield* Effect.promise(() => servers.standby.ask("SELECT pg_promote()"))
      yield* Effect.promise(() => servers.standby.ask("INSERT INTO added DEFAULT VALUES"))
      for (let time = 1; time <= 3; time++) assert.strictEqual((yield* read(sql)).count, 0)
    }))

  test("is stopped at its limit, and not repeated on the primary", () =>
    Effect.gen(function* () {
      const servers = yield* pair
      const sql = yield* nodeOn(servers)
      yield* untilFrom("replica", sql)
      const slow = sql`SELECT pg_sleep(600)`.pipe(
        Effect.provideService(ReplicaRead, true),
        Effect.provideService(StatementLimit, 50)
      )
      const exit = yield* Effect.exit(slow)
      assert(Exit.isFailure(exit))
      assert.isTrue(isStatementStopped(exit.cause))
      const running = "SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'"
      assert.lengthOf(yield* Effect.promise(() => servers.primary.ask(running)), 0)
    }))

  test("is the only one: other statements and transactions use the primary, and so does a write", () =>
    Effect.gen(function* () {
      const servers = yield* pair
      const sql = yield* nodeOn(servers)
      yield* untilFrom("replica", sql)
      const where = sql<{ replica: boolean }>`SELECT pg_is_in_recovery() AS replica`
      assert.deepStrictEqual(yield* where, [{ replica: false }])
      const inTransaction = sql.withTransaction(where).pipe(Effect.provideService(ReplicaRead, true))
      assert.deepStrictEqual(yield* inTransaction, [{ replica: false }])
      yield* Effect.provideService(add(sql), ReplicaRead, true)
      assert.strictEqual((yield* read(sql)).count, 1)
    }))
})
