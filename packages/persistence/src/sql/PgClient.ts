/** Effect's `SqlClient` over `@effect/sql-pg`, with what that leaves open: see `SessionPool.ts` and `Transactions.ts`. */
import { PgClient } from "@effect/sql-pg"
import type { PgConnection } from "@effect/sql-pg"
import { Duration, Effect, Layer, Redacted, Result } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError } from "effect/sql"
import { userInfo } from "node:os"
import { registry } from "./ColumnTypes.ts"
import { LoneConnection, TransactionConnection } from "./Connections.ts"
import { readConnectionUrl } from "./ConnectionUrl.ts"
import { sqlErrorOf } from "./PgErrors.ts"
import { makePreparing, mostPrepared } from "./Preparing.ts"
import { makeSessionPool } from "./SessionPool.ts"
import { commit, withSlimContext } from "./Transactions.ts"

/** How to reach PostgreSQL. Durations of zero or infinity switch the limit off. */
export interface PgOptions {
  /** `postgresql://user:password@host:port/database`, or what `socketUrl` gives. */
  readonly url: Redacted.Redacted
  /** Connections at most, 10 by default. */
  readonly max?: number
  /**
   * Whether statements that come back are prepared once per connection, true by default. Set it to false behind a
   * pooler in transaction mode: sessions are then left as they are but for the time zone and the form of dates, and the
   * two timeouts below hold within transactions only (give the role its own for lone statements).
   */
  readonly prepare?: boolean
  /** Longest run of one statement on the server, 30 seconds by default. */
  readonly statementTimeout?: Duration.Input
  /** Longest pause within a transaction before the server ends it, 1 minute by default. */
  readonly idleInTransactionTimeout?: Duration.Input
  /** Longest wait for a connection of the pool, and for a new one to open: each 5 seconds by default. */
  readonly acquireTimeout?: Duration.Input
  /** How long an unused connection is kept, 30 seconds by default. */
  readonly idleTimeout?: Duration.Input
  /** The age about which a connection is replaced, 30 minutes by default, give or take a quarter. */
  readonly maxAge?: Duration.Input
  /** How the connections are called in `pg_stat_activity`, `livery` by default. */
  readonly applicationName?: string
}

/** Milliseconds, where zero means no limit to PostgreSQL and to the pool alike. */
const millis = (duration: Duration.Input): number => {
  const value = Duration.toMillis(duration)
  return Number.isFinite(value) ? Math.ceil(value) : 0
}

/** What a connection to that address is opened with. */
export const connectionConfig = (
  url: Redacted.Redacted,
  applicationName: string,
  connectTimeout: number
): Result.Result<PgConnection.Config, SqlError.SqlError> =>
  Result.mapBoth(readConnectionUrl(Redacted.value(url)), {
    onFailure: (refusal) => sqlErrorOf(SqlError.UnknownError, refusal.message, "connect", refusal),
    onSuccess: (address) => ({
      host: address.host,
      port: address.port,
      username: address.user ?? userInfo().username,
      password: address.password === undefined ? undefined : Redacted.make(address.password),
      database: address.database,
      ssl: address.tls,
      startupOptions: address.options,
      applicationName: address.applicationName ?? applicationName,
      connectTimeout: connectTimeout === 0 ? Duration.infinity : connectTimeout,
      // A path that is dead while nothing is under way is found within a minute.
      keepAlive: "30 seconds",
      types: registry
    })
  })

const settings = (values: Readonly<Record<string, string | number>>, isLocal: boolean) =>
  `SELECT ${Object.entries(values)
    .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
    .join(", ")}`

const make = Effect.fnUntraced(function* (options: PgOptions) {
  const prepare = options.prepare ?? true
  const acquireTimeout = millis(options.acquireTimeout ?? "5 seconds")
  const connection = yield* Effect.fromResult(
    connectionConfig(options.url, options.applicationName ?? "livery", acquireTimeout)
  )
  const limits = {
    statement_timeout: millis(options.statementTimeout ?? "30 seconds"),
    idle_in_transaction_session_timeout: millis(options.idleInTransactionTimeout ?? "1 minute")
  }
  const formats = { TimeZone: "UTC", DateStyle: "ISO" }
  const { lease, lend } = yield* makeSessionPool({
    connection: { ...connection, prepare, preparedStatementCacheSize: mostPrepared },
    max: options.max ?? 10,
    waitLimit: acquireTimeout,
    idleTimeout: options.idleTimeout ?? "30 seconds",
    maxAge: millis(options.maxAge ?? "30 minutes"),
    setup: settings(prepare ? { ...formats, ...limits } : formats, false)
  })
  const preparing = makePreparing(prepare)
  const lone = new LoneConnection(preparing, lend)
  const limitsOfTransaction = prepare ? undefined : settings(limits, true)
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.succeed(lone),
    borrower: (use) => use(lone),
    transactionAcquirer: Effect.map(
      lease,
      (leased) => new TransactionConnection(preparing, leased, limitsOfTransaction)
    ),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  return withSlimContext(client)
})

/**
 * The client of one database. It connects with the first statement, so that it builds while the server is away; it
 * fails only if the URL cannot be used. A failing COMMIT is an `SqlError`.
 */
export const layer = (options: PgOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))
