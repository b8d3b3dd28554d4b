/** Effect's `SqlClient` over `@effect/sql-pg`, with what that leaves open: see `SessionPool.ts` and `Connections.ts`. */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer } from "effect"
import type { Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { connectionConfig } from "./ConnectionConfig.ts"
import { LoneConnection, TransactionConnection } from "./Connections.ts"
import { makePreparing, mostPrepared } from "./Preparing.ts"
import { makeSessionPool } from "./SessionPool.ts"
import { withSlimContext } from "./SlimContext.ts"
import { outcomeOf } from "./TransactionMark.ts"

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
  /** How long a COMMIT whose answer was lost is asked for on other connections, 5 seconds by default. */
  readonly outcomeTimeout?: Duration.Input
  /** How the connections are called in `pg_stat_activity`, `livery` by default. */
  readonly applicationName?: string
}

/** Milliseconds, where zero means no limit to PostgreSQL and to the pool alike. */
const millis = (duration: Duration.Input): number => {
  const value = Duration.toMillis(duration)
  return Number.isFinite(value) ? Math.ceil(value) : 0
}

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
  const outcomeLimit = millis(options.outcomeTimeout ?? "5 seconds")
  const ofTransactions = {
    limits: prepare ? undefined : settings(limits, true),
    outcome: (mark: string) => outcomeOf(connection, mark, outcomeLimit)
  }
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.succeed(lone),
    borrower: (use) => use(lone),
    transactionAcquirer: Effect.map(
      lease,
      (leased) => new TransactionConnection(preparing, leased, ofTransactions)
    ),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit: (connection) =>
      connection instanceof TransactionConnection
        ? connection.commit()
        : Effect.die(new Error("Only a transaction can be committed")),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  return withSlimContext(client)
})

/**
 * The client of one database. It connects with the first statement, so that it builds while the server is away; it
 * fails only if the URL cannot be used. A COMMIT that fails is an `SqlError`, and nothing was written then; one whose
 * outcome is unknown has `OutcomeUnknown` as its cause, as has a lone statement that may have been carried out.
 */
export const layer = (options: PgOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))
