import { assert, it, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { faultOf, isStatementStopped, StatementLimit } from "@livery/domain"
import type { DatabaseProxy } from "../../../../test/support/DatabaseProxy.ts"
import { eventually } from "../../../../test/support/Eventually.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { client, Database, failsAfter, withClient } from "./Database.ts"

const Live = client({ applicationName: "observer" }).pipe(Layer.provideMerge(Database.layer))

const ownPid = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
  return row?.pid ?? 0
})

layer(Live, { excludeTestServices: true })("a session", (it) => {
  it.effect("is replaced at its maximum age, after its current statement or transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pids = yield* Effect.replicateEffect(Effect.tap(ownPid, sql`SELECT pg_sleep(0.002)`), 5)
      assert.strictEqual(new Set(pids).size, 5)
      const [before, after] = yield* sql.withTransaction(
        Effect.all([Effect.tap(ownPid, sql`SELECT pg_sleep(0.002)`), ownPid])
      )
      assert.strictEqual(before, after)
    }).pipe(withClient({ max: 1, maxAge: "1 millis" }))
  )

  it.effect("is kept below its maximum age", () =>
    Effect.gen(function* () {
      const pids = yield* Effect.replicateEffect(ownPid, 5)
      assert.strictEqual(new Set(pids).size, 1)
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("on a read-only server is not used again after a refused write", () =>
    Effect.gen(function* () {
      const observer = yield* SqlClient.SqlClient
      yield* observer`CREATE TABLE written (id integer)`
      const [database] = yield* observer<{ name: string }>`SELECT current_database() AS name`
      const readOnly = (value: string) =>
        observer`ALTER DATABASE ${observer(database?.name ?? "")} SET default_transaction_read_only = ${observer.literal(value)}`
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const write = sql`INSERT INTO written VALUES (1)`
        yield* readOnly("on")
        const errors = [yield* Effect.flip(write), yield* Effect.flip(sql.withTransaction(write))]
        for (const { isRetryable, message, reason } of errors) {
          assert.strictEqual(reason._tag, "ConnectionError")
          assert.isTrue(isRetryable)
          assert.include(message, "read-only")
        }
        yield* readOnly("off")
        // The session that replaced it may still be read-only.
        yield* Effect.retry(write, { times: 1 })
        yield* sql.withTransaction(write)
      }).pipe(withClient({ max: 1 }))
    })
  )

  // 57P01 to 57P03: the server stops, has crashed or starts. 25006: it is read-only.
  it.effect.each(["57P01", "57P02", "57P03", "25006", "53300", "3D000"])(
    "is not used again after %s",
    (code) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const raise = sql.unsafe(`DO $$ BEGIN RAISE SQLSTATE '${code}'; END $$`)
        for (const meeting of [raise, sql.withTransaction(raise)]) {
          const before = yield* ownPid
          const error = yield* Effect.flip(meeting)
          assert.strictEqual(error.reason._tag, "ConnectionError")
          assert.isTrue(error.isRetryable)
          const after = yield* ownPid
          assert.notStrictEqual(after, before)
          assert.strictEqual(yield* ownPid, after)
        }
      }).pipe(withClient({ max: 1 }))
  )

  it.effect("is lent in the order of the requests", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const free = yield* Deferred.make<void>()
      const held = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(free)))
      )
      yield* Deferred.await(held)
      const served: Array<number> = []
      const waiting = yield* Effect.forEach(Array.from({ length: 300 }), (_, index) => {
        const serve = Effect.andThen(
          sql`SELECT 1`,
          Effect.sync(() => served.push(index))
        )
        return Effect.forkChild(index % 2 === 0 ? serve : sql.withTransaction(serve), {
          startImmediately: true
        })
      })
      yield* Deferred.succeed(free, undefined)
      yield* Fiber.joinAll([holder, ...waiting])
      assert.deepStrictEqual(
        served,
        served.toSorted((a, b) => a - b)
      )
      assert.strictEqual(served.length, 300)
    }).pipe(withClient({ max: 1, acquireTimeout: "1 minute" }))
  )
})

class Proxy extends Context.Service<Proxy, DatabaseProxy>()("@livery/persistence/test/Proxy") {}

const BehindProxy = Layer.unwrap(
  Effect.map(TestDatabase.proxied, ({ proxy, url }) =>
    Layer.merge(Layer.succeed(Proxy, proxy), pgLayer({ url, max: 1, statementTimeout: "7 seconds" }))
  )
).pipe(Layer.orDie)

const turn = Effect.promise(() => new Promise(setImmediate))

it.live("an interrupted caller continues at once, also on a dead network path", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const proxy = yield* Proxy
    yield* sql`SELECT 1`
    proxy.passage = (statement) => (statement.includes("dead") ? "hold" : "pass")
    const dead = sql`SELECT 'dead'`
    const asking = [dead, sql.withTransaction(dead), sql.withTransaction(sql.withTransaction(dead))]
    for (const [index, ask] of asking.entries()) {
      const fiber = yield* Effect.forkChild(ask)
      yield* eventually(() => proxy.held() > index)
      yield* Fiber.interrupt(fiber)
      // By then, the end of the connection would be noticed. The connection of the cancel request may be open too.
      yield* Effect.repeat(turn, { times: 100 })
      assert.isAtLeast(proxy.open(), 1, "the server has not answered to the cancelling yet")
      proxy.cutAll()
    }
    assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
  }).pipe(Effect.provide(BehindProxy))
)

it.live(
  "a caller that is interrupted between two statements continues at once, also on a dead network path",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const proxy = yield* Proxy
      const open = yield* Deferred.make<void>()
      proxy.passage = (statement) => (statement.startsWith("ROLLBACK") ? "hold" : "pass")
      const pausing = Effect.andThen(Deferred.succeed(open, undefined), Effect.never)
      const fiber = yield* Effect.forkChild(sql.withTransaction(Effect.andThen(sql`SELECT 1`, pausing)))
      yield* Deferred.await(open)
      yield* Fiber.interrupt(fiber)
      yield* eventually(() => proxy.held() === 1)
      assert.isAtLeast(proxy.open(), 1, "the server has not answered to the ROLLBACK yet")
      proxy.passage = () => "pass"
      proxy.cutAll()
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    }).pipe(Effect.provide(BehindProxy))
)

it.live("a statement is stopped at its reader's limit, which leaves out the wait for a session", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SELECT 1`
    const holder = yield* Effect.forkChild(sql`SELECT pg_sleep(0.4)`)
    yield* Effect.yieldNow
    const limited = <A, E>(statement: Effect.Effect<A, E>) =>
      Effect.provideService(statement, StatementLimit, 200)
    assert.deepStrictEqual(yield* limited(sql`SELECT 1 AS one`), [{ one: 1 }])
    yield* Fiber.join(holder)
    const stopped = yield* Effect.exit(limited(sql`SELECT pg_sleep(60)`))
    assert.isTrue(Exit.isFailure(stopped) && isStatementStopped(stopped.cause))
    assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
  }).pipe(Effect.provide(BehindProxy))
)

it.live(
  "a database that is silent beyond a reader's limit is unavailable, and its statement not called slow",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const proxy = yield* Proxy
      yield* sql`SELECT 1`
      proxy.passage = (statement) => (statement.includes("dead") ? "hold" : "pass")
      const silent = yield* Effect.exit(Effect.provideService(sql`SELECT 'dead'`, StatementLimit, 50))
      assert.isTrue(Exit.isFailure(silent) && !isStatementStopped(silent.cause))
      assert.strictEqual(Exit.isFailure(silent) && faultOf(silent.cause)?._tag, "Unavailable")
      proxy.cutAll()
    }).pipe(Effect.provide(BehindProxy))
)

it.live(
  "a session gets its settings by a statement, because poolers refuse them in a connection's first message",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { startups } = yield* Proxy
      const settings = sql`SELECT current_setting('statement_timeout') AS limit, current_setting('TimeZone') AS zone,
        current_setting('jit') AS jit, current_setting('citus.multi_shard_modify_mode') AS connections`
      assert.deepStrictEqual(yield* settings, [
        { limit: "7s", zone: "UTC", jit: "off", connections: "sequential" }
      ])
      assert.strictEqual(startups.length, 1)
      assert.includeMembers(
        ["user", "database", "application_name", "client_encoding"],
        startups[0]?.slice() ?? []
      )
    }).pipe(Effect.provide(BehindProxy))
)

it.effect("a pool uses the machine's clock, also under a TestClock", () =>
  Effect.gen(function* () {
    const before = yield* ownPid
    yield* TestClock.adjust("10000 days")
    assert.strictEqual(yield* ownPid, before)
  }).pipe(
    Effect.provide(TestDatabase.layer),
    failsAfter("10 seconds", "the pool waits for the clock of the test")
  )
)

/** The messages of the logged lines. */
const lines: Array<string> = []
const Logged = Logger.layer([
  Logger.make(({ cause, message }) => {
    assert.isEmpty(cause.reasons, "no traces")
    lines.push(String(Array.isArray(message) ? message[0] : message))
  })
])

it.live("an outage is logged once at its beginning and once at its end", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const proxy = yield* Proxy
    yield* sql`SELECT 1`
    assert.deepStrictEqual(lines, [])
    proxy.admits = false
    proxy.cutAll()
    yield* Effect.replicateEffect(Effect.exit(sql`SELECT 1`), 20)
    yield* Effect.replicateEffect(Effect.exit(sql.withTransaction(sql`SELECT 1`)), 20)
    assert.deepStrictEqual(lines, ["the database does not answer"])
    proxy.admits = true
    yield* Effect.replicateEffect(sql`SELECT 1`, 20)
    assert.deepStrictEqual(lines, ["the database does not answer", "the database answers again"])
    yield* Effect.exit(sql`SELECT 1 / 0`)
    assert.lengthOf(lines, 2)
  }).pipe(Effect.provide(Layer.provideMerge(BehindProxy, Logged)))
)
