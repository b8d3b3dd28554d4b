/** The connections to a database, and Effect's `SqlClient` over them. `PgClient.ts` makes the client of a whole database. */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import type { Redacted, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import type { SqlError, Statement } from "effect/sql"
import { type ConnectionOptions, connectionConfigs } from "./ConnectionConfig.ts"
import { type Lend, LoneConnection, TransactionConnection } from "./Connections.ts"
import { makeOutages } from "./Outages.ts"
import { makePreparing, maxPreparedStatements, type Preparing } from "./Preparing.ts"
import { makeReplicaReads, unrecorded } from "./ReplicaReads.ts"
import { isReplica, takesWrites } from "./Servers.ts"
import { makeSessionPool, type SessionPoolOptions } from "./SessionPool.ts"
import { outcomeOf } from "../transactions/TransactionMark.ts"

/** The connection to PostgreSQL and its limits. A duration of zero or infinity turns a limit off. */
export interface PgOptions {
  /**
   * `postgresql://user:password@host:port/database`, or a result of `socketUrl`. With several hosts, `host:port,host:port`,
   * the client uses the one that takes writes, and looks for it again after a fail-over.
   */
  readonly url: Redacted.Redacted
  /** A replica of that database, for {@link ReplicaRead}. */
  readonly replica?: {
    /** The same as `url`, of replicas: the client uses the first one that answers. */
    readonly url: Redacted.Redacted
    /** How long a read waits until the replica has all that was committed before; after that the primary answers. */
    readonly maxLag: Duration.Input
  }
  /** The most connections, 10 by default; as many to the replica. */
  readonly max?: number
  /**
   * Whether repeated statements are prepared once per connection, true by default. Set it to false behind a pooler in
   * transaction mode. Then only the time zone and the date format of sessions are set, and the two timeouts below apply
   * within transactions only; set them on the database role for other statements.
   */
  readonly prepare?: boolean
  /** The longest run of one statement on the server, 30 seconds by default. */
  readonly statementTimeout?: Duration.Input
  /** The longest pause within a transaction before the server ends it, 1 minute by default. */
  readonly idleInTransactionTimeout?: Duration.Input
  /** The longest wait for a connection of the pool, and for a new connection to open: 5 seconds each by default. */
  readonly acquireTimeout?: Duration.Input
  /** How long an unused connection is kept, 30 seconds by default. */
  readonly idleTimeout?: Duration.Input
  /** The age at which a connection is replaced, 30 minutes by default, randomly up to a quarter more or less. */
  readonly maxAge?: Duration.Input
  /** How long other connections query the outcome of a COMMIT whose answer was lost, 5 seconds by default. */
  readonly outcomeTimeout?: Duration.Input
  /** The name of the connections in `pg_stat_activity`, `livery` by default. */
  readonly applicationName?: string
  /** More settings of the sessions, by name. */
  readonly sessionSettings?: Readonly<Record<string, string>>
}

/** Converts to milliseconds, where zero means no limit to both PostgreSQL and the pool. */
const millis = (duration: Duration.Input): number => {
  const value = Duration.toMillis(duration)
  return Number.isFinite(value) ? Math.ceil(value) : 0
}

const settings = (values: Readonly<Record<string, string | number>>, isLocal: boolean) =>
  `SELECT ${Object.entries(values)
    .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
    .join(", ")}`

/** Whether the server is the coordinator of Citus. */
const isDistributed = "to_regclass('pg_dist_partition') IS NOT NULL AS is_distributed"

/** The connections to one database, which several clients may share. */
export interface ConnectionPool {
  readonly lend: Lend
  readonly preparing: Preparing
  readonly lone: LoneConnection
  readonly transactional: Effect.Effect<TransactionConnection, SqlError.SqlError, Scope.Scope>
}

/** Makes the pool of one database. It connects with the first statement. */
export const makePool = Effect.fnUntraced(function* (options: PgOptions) {
  const prepare = options.prepare ?? true
  const acquireTimeout = millis(options.acquireTimeout ?? "5 seconds")
  const limits = {
    statement_timeout: millis(options.statementTimeout ?? "30 seconds"),
    idle_in_transaction_session_timeout: millis(options.idleInTransactionTimeout ?? "1 minute")
  }
  const formats = {
    TimeZone: "UTC",
    DateStyle: "ISO",
    // PostgreSQL compiles a statement that it expects to read many rows, which takes longer than the bounded reads of a list.
    jit: "off",
    // After a statement about several businesses, Citus refuses to change a copied table in the same transaction if the statement
    // had several connections to a node.
    "citus.multi_shard_modify_mode": "sequential",
    // A SET LOCAL holds on the nodes too, which run the triggers. A plain PostgreSQL ignores both settings.
    "citus.propagate_set_commands": "local",
    ...options.sessionSettings
  }
  const sessions = Effect.fnUntraced(function* (
    address: Pick<ConnectionOptions, "url" | "purpose">,
    uses: Pick<SessionPoolOptions, "fitness" | "mustBeFit" | "outages">
  ) {
    const hosts = yield* Effect.fromResult(
      connectionConfigs({
        ...address,
        applicationName: options.applicationName ?? "livery",
        connectTimeout: acquireTimeout,
        prepare,
        preparedStatementCacheSize: maxPreparedStatements
      })
    )
    return yield* makeSessionPool({
      ...uses,
      hosts,
      max: options.max ?? 10,
      waitLimit: acquireTimeout,
      idleTimeout: options.idleTimeout ?? "30 seconds",
      maxAge: millis(options.maxAge ?? "30 minutes"),
      setup: `${settings(prepare ? { ...formats, ...limits } : formats, false)}, ${isDistributed}, ${uses.fitness.condition} AS is_fit`
    })
  })
  const { address, lease, lend } = yield* sessions(
    { url: options.url },
    { fitness: takesWrites, mustBeFit: false, outages: yield* makeOutages }
  )
  const { replica } = options
  const lendRead =
    replica === undefined
      ? lend
      : yield* makeReplicaReads({
          primary: lend,
          replica: yield* sessions(
            { url: replica.url, purpose: "reads" },
            { fitness: isReplica, mustBeFit: true, outages: unrecorded }
          ),
          maxLag: millis(replica.maxLag)
        })
  const preparing = makePreparing(prepare)
  const outcomeLimit = millis(options.outcomeTimeout ?? "5 seconds")
  const ofTransactions = {
    limits: prepare ? undefined : settings(limits, true),
    outcome: (mark: string) => outcomeOf(address, mark, outcomeLimit)
  }
  const pool: ConnectionPool = {
    lend: lendRead,
    preparing,
    lone: new LoneConnection(preparing, lendRead),
    transactional: Effect.map(lease, (leased) => new TransactionConnection(preparing, leased, ofTransactions))
  }
  return pool
})

/** A client of the pool that `current` returns at each statement, and whose statements `compiler` writes. */
export const makeClient = (
  current: () => ConnectionPool,
  compiler: Statement.Compiler = PgClient.makeCompiler()
) =>
  Effect.provide(
    SqlClient.make({
      driver: "pg",
      acquirer: Effect.sync(() => current().lone),
      borrower: (use) => use(current().lone),
      transactionAcquirer: Effect.suspend(() => current().transactional),
      compiler,
      prepareTransactionControls: true,
      commit: (connection) =>
        connection instanceof TransactionConnection
          ? connection.commit()
          : Effect.die(new Error("Only a transaction can be committed")),
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      spanAttributes: [["db.system.name", "postgresql"]]
    }),
    Reactivity.layer
  )
