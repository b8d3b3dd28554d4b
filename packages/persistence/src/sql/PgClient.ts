/**
 * Effect's `SqlClient` over `pg`: one pool, one callback per statement.
 *
 * What has to stay true here, whatever happens to the fiber or to the server:
 *
 * - A session is given back exactly once, and kept only when no transaction is open on it. One whose state
 *   is in doubt is dropped instead: to lose a connection is to roll back, and the pool opens another.
 * - What PostgreSQL or the network refuses is a typed `SqlError`, COMMIT included.
 */
import { Duration, Effect, Layer, Redacted } from "effect"
import type { Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError, Statement } from "effect/sql"
import type { SqlConnection } from "effect/sql"
import { Client, Pool } from "pg"
import type { PoolClient, QueryResult } from "pg"
import { streamOver } from "./PgCursor.ts"
import { toSqlError } from "./PgErrors.ts"
import { exchange, rowsOf, Session } from "./PgSession.ts"
import type { Answer, Request } from "./PgSession.ts"
import { types } from "./PgTypes.ts"
import { makeNames } from "./PreparedNames.ts"
import type { Names } from "./PreparedNames.ts"

/** How to reach PostgreSQL. Durations of zero or infinity switch the limit off. */
export interface PgOptions {
  /** `postgresql://user:password@host:port/database`, or what {@link socketUrl} gives. */
  readonly url: Redacted.Redacted
  /** Connections at most, 10 by default. */
  readonly max?: number
  /**
   * Whether repeated statements are prepared once per connection, true by default. Set it to false behind
   * a pooler in transaction mode: sessions are then left as they are but for the time zone, and the two
   * timeouts below hold within transactions only (give the role its own for lone statements).
   */
  readonly prepare?: boolean
  /** Longest run of one statement on the server, 30 seconds by default. */
  readonly statementTimeout?: Duration.Input
  /** Longest pause within a transaction before the server ends it, 1 minute by default. */
  readonly idleInTransactionTimeout?: Duration.Input
  /** Longest wait for a connection, new or from the pool, 5 seconds by default. */
  readonly acquireTimeout?: Duration.Input
  /** How long an unused connection is kept, 30 seconds by default. */
  readonly idleTimeout?: Duration.Input
  /** How the connections are called in `pg_stat_activity`, `livery` by default. */
  readonly applicationName?: string
}

/** The URL of a server behind a Unix socket: a directory of any name, percent-encoded as pg expects it. */
export const socketUrl = (server: {
  readonly directory: string
  readonly port: number
  readonly database: string
  readonly user: string
}): string =>
  `postgresql:///${encodeURIComponent(server.database)}?` +
  `host=${encodeURIComponent(server.directory)}&port=${server.port}&user=${encodeURIComponent(server.user)}`

type Ask = <A>(request: Request, select: (answer: Answer) => A) => Effect.Effect<A, SqlError.SqlError>

const makeConnection = (
  ask: Ask,
  names: Names,
  lease: Effect.Effect<Session, SqlError.SqlError, Scope.Scope>
): SqlConnection.Connection => ({
  execute: (text, parameters, transform) =>
    ask({ operation: "execute", text, parameters, name: names.find(text, parameters) }, (answer) =>
      transform ? transform(rowsOf(answer)) : rowsOf(answer)
    ),
  executeUnprepared: (text, parameters, transform) =>
    ask({ operation: "execute", text, parameters }, (answer) =>
      transform ? transform(rowsOf(answer)) : rowsOf(answer)
    ),
  executeRaw: (text, parameters) => ask({ operation: "executeRaw", text, parameters }, (answer) => answer),
  executeValues: (text, parameters) =>
    ask(
      { operation: "executeValues", text, parameters, name: names.find(text, parameters), rowMode: "array" },
      (answer) => rowsOf(answer) as Array<Array<unknown>>
    ),
  executeValuesUnprepared: (text, parameters) =>
    ask(
      { operation: "executeValues", text, parameters, rowMode: "array" },
      (answer) => rowsOf(answer) as Array<Array<unknown>>
    ),
  executeStream: streamOver(lease)
})

const escape = Statement.defaultEscape('"')

const compiler = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (index) => `$${index}`,
  onIdentifier: escape,
  onRecordUpdate: (placeholders, alias, columns, values, returning) => [
    `(values ${placeholders}) AS ${alias}${columns}${returning ? ` RETURNING ${returning[0]}` : ""}`,
    returning ? [...values.flat(), ...returning[1]] : values.flat()
  ],
  onCustom: () => ["", []]
})

/** Milliseconds, where zero means no limit to pg and to PostgreSQL alike. */
const millis = (duration: Duration.Input): number => {
  const value = Duration.toMillis(duration)
  return Number.isFinite(value) ? Math.ceil(value) : 0
}

const makePool = (options: PgOptions, setup: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pool({
        Client: Session,
        connectionString: Redacted.value(options.url),
        max: options.max ?? 10,
        application_name: options.applicationName ?? "livery",
        connectionTimeoutMillis: millis(options.acquireTimeout ?? "5 seconds"),
        idleTimeoutMillis: millis(options.idleTimeout ?? "30 seconds"),
        keepAlive: true,
        types,
        verify: (client, done) => client.query(setup, (error: Error | null) => done(error ?? undefined))
      })
      // A connection that breaks while idle has left the pool already.
      pool.on("error", () => undefined)
      return pool
    }),
    (pool) => Effect.callback((resume) => pool.end(() => resume(Effect.void)))
  )

const acquire = <A>(
  pool: Pool,
  onSession: (session: Session, settle: (outcome: Effect.Effect<A, SqlError.SqlError>) => void) => void
) =>
  exchange<A>(undefined, (current, settle) =>
    pool.connect((error, client) => {
      if (client === undefined) {
        current.over = true
        settle(Effect.fail(toSqlError(error, "connect")))
        return
      }
      const session = client as Session & PoolClient
      // The pool may still bring a client to who was interrupted, or was told that it took too long.
      if (current.over) {
        // Not at once: the pool would hand it to the next, perhaps interrupted too, ever deeper in the stack.
        setImmediate(() => session.giveBack())
        return
      }
      current.session = session
      onSession(session, settle)
    })
  )

const askPool =
  (pool: Pool, names: Names): Ask =>
  (request, select) =>
    acquire(pool, (session, settle) => {
      const run = (attempt: Request, again: boolean) =>
        session.ask(attempt, (failure, answer) => {
          if (again && names.outdated(attempt, failure)) {
            run({ ...attempt, name: undefined }, false)
            return
          }
          session.giveBack()
          settle(failure ? Effect.fail(failure) : Effect.sync(() => select(answer)))
        })
      run(request, true)
    })

const askSession =
  (session: Session, names: Names): Ask =>
  (request, select) =>
    exchange(session, (_, settle) =>
      session.ask(request, (failure, answer) => {
        names.outdated(request, failure)
        settle(failure ? Effect.fail(failure) : Effect.sync(() => select(answer)))
      })
    )

/** A session for oneself until the scope closes. The finalizer stands before the wait, so that none slips through. */
const leaseFrom = (pool: Pool): Effect.Effect<Session, SqlError.SqlError, Scope.Scope> =>
  Effect.suspend(() => {
    let held: Session | undefined
    return Effect.andThen(
      Effect.addFinalizer(() => Effect.sync(() => held?.giveBack())),
      acquire<Session>(pool, (session, settle) => {
        held = session
        settle(Effect.succeed(session))
      })
    )
  })

const makeSessionConnection = (session: Session, names: Names): SqlConnection.Connection => {
  const connection = makeConnection(askSession(session, names), names, Effect.succeed(session))
  const { executeUnprepared } = connection
  return {
    ...connection,
    // Effect turns an undoing that fails into a defect, which would hide why it was undone. Nothing is lost
    // by silence: the transaction is then aborted or its connection gone, so its COMMIT fails.
    executeUnprepared: (text, parameters, transform) => {
      const executed = executeUnprepared(text, parameters, transform)
      if (!/^(?:ROLLBACK|RELEASE)\b/u.test(text)) return executed
      return Effect.orElseSucceed(executed, () => [])
    }
  }
}

/** PostgreSQL answers the COMMIT of a transaction with a failed statement by ROLLBACK, and calls it a success. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (answer) =>
    (answer as QueryResult).command === "COMMIT"
      ? Effect.void
      : Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: answer,
              operation: "commit",
              message: "The transaction was rolled back: one of its statements had failed"
            })
          })
        )
  )

/** Whether a text is an address that a client can be made for: `postgresql://`, and what `pg` can read. */
export const isAddress = (text: string): boolean => {
  if (!/^postgres(?:ql)?:\/\/\S+$/u.test(text)) return false
  try {
    return new Client({ connectionString: text }) instanceof Client
  } catch {
    return false
  }
}

const make = Effect.fnUntraced(function* (options: PgOptions) {
  const prepare = options.prepare ?? true
  const limits = [
    `statement_timeout=${millis(options.statementTimeout ?? "30 seconds")}`,
    `idle_in_transaction_session_timeout=${millis(options.idleInTransactionTimeout ?? "1 minute")}`
  ]
  yield* Effect.try({
    try: () => new Client({ connectionString: Redacted.value(options.url) }),
    catch: (cause) =>
      new SqlError.SqlError({
        reason: new SqlError.UnknownError({ cause, operation: "connect", message: "Not a PostgreSQL URL" })
      })
  })
  const pool = yield* makePool(
    options,
    ["TimeZone='UTC'", "DateStyle='ISO'", ...(prepare ? limits : [])]
      .map((setting) => `SET ${setting}`)
      .join(";")
  )
  const names = makeNames(prepare)
  const lease = leaseFrom(pool)
  const pooled = makeConnection(askPool(pool, names), names, lease)
  return yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.succeed(pooled),
    borrower: (use) => use(pooled),
    transactionAcquirer: Effect.map(lease, (session) => makeSessionConnection(session, names)),
    compiler,
    beginTransaction: prepare ? "BEGIN" : ["BEGIN", ...limits.map((limit) => `SET LOCAL ${limit}`)].join(";"),
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
})

/**
 * The client of one database. It connects with the first statement, so that it builds while the server is
 * away; it fails only if the URL cannot be read. A failing COMMIT is an `SqlError`, and then nothing was written.
 */
export const layer = (options: PgOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))
