import { assert, describe, it } from "@effect/vitest"
import { faultOf } from "@livery/domain"
import { Effect, Exit, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { vi } from "vitest"
import { databaseProxy } from "../../../../test/support/DatabaseProxy.ts"
import {
  addressOf,
  canReplicate,
  type PairedServer,
  replicated
} from "../../../../test/support/Replication.ts"
import { layer as pgLayer, type PgOptions } from "../../src/sql/connections/PgClient.ts"
import { sharesSessions } from "../../src/sql/connections/Pooling.ts"
import { requireUsable } from "../../src/sql/schema/Usability.ts"
import { transactionMark } from "../../src/sql/transactions/TransactionMark.ts"

const clientOf = (url: Redacted.Redacted, options: Partial<PgOptions> = {}) =>
  Effect.flatMap(Layer.build(Layer.fresh(pgLayer({ url, ...options }))), (context) =>
    Effect.provide(SqlClient.SqlClient, context)
  )

const nowhere = join("/nonexistent", "postgres")

const add = (sql: SqlClient.SqlClient, id: number) => sql`INSERT INTO added VALUES (${id})`

/** A pair of servers with an empty table. */
const pair = Effect.tap(replicated, ({ primary }) =>
  Effect.promise(() => primary.ask("CREATE TABLE added (id integer PRIMARY KEY)"))
)

/** A pair of servers, of which the primary is behind a proxy, and their address. */
const proxiedPair = Effect.gen(function* () {
  const { primary, standby } = yield* pair
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => databaseProxy(Redacted.value(primary.url))),
    ({ close }) => Effect.promise(close)
  )
  const port = new URL(proxy.url).searchParams.get("port")
  const url = Redacted.make(
    `postgresql:///livery?user=livery&host=127.0.0.1,${encodeURIComponent(standby.host)}&port=${port},5432`
  )
  return { proxy, standby, url }
})

const idsOn = (server: PairedServer) =>
  Effect.promise(async () => {
    const rows = await server.ask("SELECT id FROM added ORDER BY id")
    return rows.map(({ id }) => Number(id))
  })

const promote = (server: PairedServer) => Effect.promise(() => server.ask("SELECT pg_promote()"))

/** Freezes the primary while it runs a statement, and promotes the standby. Gives the fiber of the statement. */
const freeze = Effect.fnUntraced(function* (
  { proxy, standby }: Pick<Effect.Success<typeof proxiedPair>, "proxy" | "standby">,
  sql: SqlClient.SqlClient
) {
  proxy.passage = () => "hold"
  proxy.cancels = false
  const held = yield* Effect.forkChild(Effect.exit(sql.withTransaction(add(sql, 2))))
  yield* Effect.promise(() => vi.waitUntil(() => proxy.held() > 0, { timeout: 60_000 }))
  yield* promote(standby)
  return held
})

const test = (title: string, body: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(title, () => Effect.scoped(body()), 120_000)

describe.skipIf(!canReplicate())("an address with several hosts", () => {
  test("leads to the server that takes writes, whatever its place", () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* pair
      const url = addressOf([nowhere, standby.host, primary.host])
      const sql = yield* clientOf(url)
      yield* add(sql, 1)
      yield* sql.withTransaction(add(sql, 2))
      assert.deepStrictEqual(yield* idsOn(primary), [1, 2])
      yield* Effect.provideService(requireUsable, SqlClient.SqlClient, sql)
      assert.isFalse(yield* sharesSessions(url))
    }))

  test("leads to the promoted standby after the primary was killed, and nothing acknowledged is lost", () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* pair
      const sql = yield* clientOf(addressOf([primary.host, standby.host]), { max: 4 })
      const acknowledged: Array<number> = []
      let next = 1
      const load = { isOn: true }
      const writer = Effect.gen(function* () {
        while (load.isOn) {
          const id = next++
          const exit = yield* Effect.exit(sql.withTransaction(add(sql, id)))
          if (Exit.isSuccess(exit)) acknowledged.push(id)
          else
            assert.isDefined(
              faultOf(exit.cause),
              "a failure of the database is a fault that a client can react to"
            )
        }
      })
      const writers = yield* Effect.forkChild(Effect.all([writer, writer, writer], { concurrency: 3 }))
      const untilMore = (count: number) => {
        const before = acknowledged.length
        return Effect.promise(() =>
          vi.waitUntil(() => acknowledged.length > before + count, { timeout: 60_000, interval: 5 })
        )
      }
      yield* untilMore(20)
      yield* Effect.promise(primary.kill)
      yield* promote(standby)
      yield* untilMore(20)
      load.isOn = false
      yield* Effect.promise(() => vi.waitUntil(() => writers.pollUnsafe() !== undefined, { timeout: 60_000 }))
      const kept = new Set(yield* idsOn(standby))
      assert.deepStrictEqual(
        acknowledged.filter((id) => !kept.has(id)),
        []
      )
    }))

  test("gives up every session of a server that has become read-only, after one failure", () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* pair
      const sql = yield* clientOf(addressOf([primary.host, standby.host]), { max: 4 })
      yield* Effect.all(
        [1, 2, 3, 4].map((id) => add(sql, id)),
        { concurrency: 4 }
      )
      yield* promote(standby)
      yield* Effect.promise(async () => {
        await primary.ask("ALTER SYSTEM SET default_transaction_read_only = on")
        await primary.ask("SELECT pg_reload_conf()")
        await vi.waitFor(async () => {
          const [row] = await primary.ask("SHOW default_transaction_read_only")
          assert.deepStrictEqual(row, { default_transaction_read_only: "on" })
        })
      })
      const exit = yield* Effect.exit(add(sql, 5))
      assert(Exit.isFailure(exit))
      assert.strictEqual(faultOf(exit.cause)?._tag, "Unavailable")
      yield* Effect.promise(() =>
        vi.waitFor(() => Effect.runPromise(add(sql, 6)), { timeout: 60_000, interval: 20 })
      )
      for (const id of [7, 8, 9, 10]) yield* add(sql, id)
      assert.includeMembers([...(yield* idsOn(standby))], [6, 7, 8, 9, 10])
    }))

  test("ends the statements that a frozen server holds, once another server takes writes", () =>
    Effect.gen(function* () {
      const { proxy, standby, url } = yield* proxiedPair
      const sql = yield* clientOf(url, { max: 1, acquireTimeout: "200 millis" })
      yield* add(sql, 1)
      const held = yield* freeze({ proxy, standby }, sql)
      // The only session is busy for ever.
      yield* Effect.promise(() =>
        vi.waitFor(() => Effect.runPromise(add(sql, 3)), { timeout: 60_000, interval: 20 })
      )
      yield* Effect.promise(() => vi.waitUntil(() => held.pollUnsafe() !== undefined, { timeout: 10_000 }))
      assert.deepStrictEqual(yield* idsOn(standby), [1, 3])
    }))

  test("leaves a frozen server that holds one statement, while other sessions are free", () =>
    Effect.gen(function* () {
      const { proxy, standby, url } = yield* proxiedPair
      const sql = yield* clientOf(url, { max: 4, statementTimeout: "5 minutes" })
      yield* add(sql, 1)
      const held = yield* freeze({ proxy, standby }, sql)
      yield* Effect.promise(() => vi.waitUntil(() => held.pollUnsafe() !== undefined, { timeout: 30_000 }))
      yield* add(sql, 3)
      assert.deepStrictEqual(yield* idsOn(standby), [1, 3])
    }))

  test("leaves the outcome of a lost COMMIT unknown if another server takes writes then", () =>
    Effect.gen(function* () {
      const { proxy, standby, url } = yield* proxiedPair
      const sql = yield* clientOf(url, { outcomeTimeout: "30 seconds" })
      yield* add(sql, 1)
      proxy.passage = (statement) => {
        if (!statement.startsWith("COMMIT")) return "pass"
        proxy.admits = false
        return "lose the answer"
      }
      const writing = yield* Effect.forkChild(
        Effect.exit(
          sql.withTransaction(sql`INSERT INTO added VALUES (2) RETURNING id, ${transactionMark(sql)}`)
        )
      )
      yield* Effect.promise(() => vi.waitUntil(() => !proxy.admits, { timeout: 60_000 }))
      yield* promote(standby)
      yield* Effect.promise(() => vi.waitUntil(() => writing.pollUnsafe() !== undefined, { timeout: 60_000 }))
      const exit = yield* Effect.flatten(Effect.succeed(writing.pollUnsafe() ?? Exit.die("not ended")))
      assert(Exit.isFailure(exit))
      assert.strictEqual(faultOf(exit.cause)?._tag, "OutcomeUnknown")
      // The standby had the change: asked by its number alone, it might have had another.
      assert.deepStrictEqual(yield* idsOn(standby), [1, 2])
    }))

  test("is refused with the reason of each host, and without the password", () =>
    Effect.gen(function* () {
      const { standby } = yield* pair
      const sql = yield* clientOf(addressOf([nowhere, standby.host], "&password=hunter2"))
      const { reason } = yield* Effect.flip(Effect.provideService(requireUsable, SqlClient.SqlClient, sql))
      assert.match(reason, /^The database cannot be used: No host of the database can be used: /u)
      assert.include(reason, `${nowhere}:5432 `)
      assert.include(reason, `ENOENT`)
      assert.include(reason, `${standby.host}:5432 takes no writes`)
      assert.notInclude(reason, "hunter2")
    }))
})
