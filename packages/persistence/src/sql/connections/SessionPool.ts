/**
 * The sessions of one database: lent for a statement or for a transaction, in the order of the requests.
 *
 * The pool guarantees, also when fibers are interrupted or the server fails:
 *
 * - A session is returned exactly once, and with no transaction open on it.
 * - A session whose state is unknown is closed instead. That rolls back its transaction, and the pool opens another
 *   session.
 * - An interrupted caller continues immediately. Its statement is cancelled in the background, and the session stays
 *   lent until the server has confirmed that.
 */
import type { PgConnection, PgPool } from "@effect/sql-pg"
import { StatementLimit, StatementStopped, Unavailable } from "@livery/domain"
import { Effect, Exit, Fiber, Function, Scope } from "effect"
import type { Duration } from "effect"
import type { SqlError } from "effect/sql"
import { detached, detachedFor, detachedWithin, startDetached } from "../transactions/Detached.ts"
import type { HostConfigs } from "./ConnectionConfig.ts"
import { makeOutages, type Outages } from "./Outages.ts"
import { connectionFault, stoppedError, toSqlError, unknownError } from "../statements/PgErrors.ts"
import { type Fitness, makeServers, type Server, unfitServer } from "./Servers.ts"
import { Session } from "./Session.ts"
import { makeWaitQueue, type Ticket } from "./WaitQueue.ts"

/** The options of a pool. Limits are in milliseconds, 0 for none. */
export interface SessionPoolOptions {
  /** The hosts of the address, in its order. */
  readonly hosts: HostConfigs
  readonly fitness: Fitness
  /** Whether the server of one host alone must be fit too. */
  readonly mustBeFit: boolean
  readonly max: number
  readonly waitLimit: number
  readonly idleTimeout: Duration.Input
  /** A session is replaced at an age between three quarters and five quarters of this. */
  readonly maxAge: number
  /** The statement that configures a new session. It returns one row with `is_distributed` and `is_fit`. */
  readonly setup: string
}

/** A session that belongs to one caller until its scope closes. */
export interface LeasedSession {
  readonly session: Session
  /** Runs work on the session. An interruption returns immediately. */
  readonly run: <A>(work: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>
  /**
   * Runs a statement that undoes others, such as ROLLBACK. If it takes longer than a tenth of a second, or if an
   * interrupted statement still runs, this returns `late` and the statement continues: on a dead network path, the end
   * of a transaction must not delay its caller. Later statements of the session run after it.
   */
  readonly undo: <A>(
    work: Effect.Effect<A, SqlError.SqlError>,
    late: A
  ) => Effect.Effect<A, SqlError.SqlError>
  /** Whether an interrupted statement is still running. */
  readonly isBusy: () => boolean
  /** The open transaction, if any. */
  transaction: OpenTransaction | undefined
}

/** A transaction that is open on a session. */
export interface OpenTransaction {
  /** Whether it may have changed data. */
  isWriting: boolean
  /** Whether its limits must still be set, before its first query. */
  lacksLimits: boolean
  /** The mark by which its outcome can be queried: see `TransactionMark.ts`. */
  mark: string | undefined
}

const waitedTooLong = () =>
  connectionFault(
    new Unavailable({
      reason: "All connections to the database were busy",
      retryAfterSeconds: 1
    }),
    "connect"
  )

/** How long the database may take to confirm that it has stopped a statement at its limit, in milliseconds. */
const cancelWait = 1000

const stopped = Effect.suspend(() => Effect.fail(stoppedError(new StatementStopped())))

/** PostgreSQL confirms within milliseconds. Without an answer, nobody knows whether the statement is slow. */
const silent = Effect.suspend(() =>
  Effect.fail(
    connectionFault(
      new Unavailable({ reason: "The database does not answer", retryAfterSeconds: 1 }),
      "execute"
    )
  )
)

/** The error of a statement whose server is no longer used: it was sent, and its answer is lost. */
const sent = (error: SqlError.SqlError) =>
  error.reason.operation === "connect" ? toSqlError(error, "execute") : error

/** How long a caller waits for a statement that undoes others, in milliseconds. */
const undoWait = 100

/** How long such a statement may take. After that it is cancelled, and its session closed. */
const undoLimit = "5 seconds"

const undoing = <A>(work: Effect.Effect<A, SqlError.SqlError>) =>
  Effect.timeoutOrElse(work, {
    duration: undoLimit,
    orElse: () => Effect.fail(unknownError("The transaction was not rolled back in time", "execute"))
  })

const rollBack = { operation: "execute", text: "ROLLBACK", parameters: [], prepare: false }

/** Makes a pool. The first session is opened at the first request. */
export const makeSessionPool = Effect.fnUntraced(function* (options: SessionPoolOptions) {
  const servers = yield* makeServers({
    hosts: options.hosts,
    fitness: options.fitness,
    mustBeFit: options.mustBeFit,
    pool: { maxConnections: options.max, minConnections: 0, idleTimeout: options.idleTimeout }
  })
  const recorded = yield* makeOutages
  const outages: Outages = {
    ...recorded,
    failed: (error, statement) => {
      recorded.failed(error, statement)
      if (error.reason._tag === "ConnectionError") servers.suspect()
    }
  }
  const places = makeWaitQueue(options.max, options.waitLimit, () => {
    // The sessions of a frozen server are busy for ever.
    servers.suspect()
    return waitedTooLong()
  })
  const sessions = new WeakMap<PgConnection.PgConnection, Session>()

  const sessionOf = (connection: PgConnection.PgConnection) => {
    const existing = sessions.get(connection)
    if (existing !== undefined) return existing
    const age = options.maxAge * (0.75 + Math.random() / 2)
    const session = new Session(connection, age === 0 ? Number.POSITIVE_INFINITY : Date.now() + age, outages)
    sessions.set(connection, session)
    return session
  }

  const setup = { operation: "connect", text: options.setup, parameters: [], prepare: false }
  const configured = (session: Session) =>
    session.isConfigured
      ? Effect.succeed(session)
      : Effect.flatMap(session.query(setup), ({ rows: [row] }) => {
          if (servers.isChoosing && row?.["is_fit"] !== true) {
            session.isUnusable = true
            return Effect.fail(unfitServer(options.fitness))
          }
          session.isConfigured = true
          session.isDistributed = row?.["is_distributed"] === true
          return Effect.succeed(session)
        })

  /** Classifies the errors of opening a connection, which come from the pool of `@effect/sql-pg`. */
  const classified = (error: SqlError.SqlError) => {
    if (error.reason.operation !== "connect" || error.reason.cause instanceof Unavailable) return error
    const fault = toSqlError(error, "connect")
    outages.failed(fault, "connect")
    return fault
  }

  const dropIfSpent = (pool: PgPool.PgPool, session: Session) =>
    session.mustClose ? pool.invalidate(session.connection) : undefined

  /**
   * Lends a session for one statement. The caller waits for its place in its own fiber, and the fiber of the statement starts
   * after that. An object that waits becomes old for V8, which collects old objects rarely. A waiting fiber of the statement
   * would therefore keep its rows in memory for long.
   */
  const lend = <A>(use: (session: Session) => Effect.Effect<A, SqlError.SqlError>) =>
    Effect.suspend(() => {
      const ticket: Ticket = { held: false }
      let isStarted = false
      const leave = () => {
        places.leave(ticket)
        return undefined
      }
      const onStart = () => {
        isStarted = true
      }
      const statement = (begin: () => void) => {
        const work = Effect.suspend(() => {
          const { pool, whileUsed } = servers.current()
          let isSent = false
          const send = (session: Session) => {
            isSent = true
            return use(session)
          }
          const lent = pool.use((connection) => {
            begin()
            const session = sessionOf(connection)
            return Effect.onExitPrimitive(
              session.isConfigured ? send(session) : Effect.flatMap(configured(session), send),
              () => dropIfSpent(pool, session)
            )
          })
          return servers.isChoosing
            ? Effect.mapError(whileUsed(lent), (error) => (isSent ? sent(error) : error))
            : lent
        })
        return Effect.onExitPrimitive(Effect.mapError(servers.follow(work), classified), leave)
      }
      return Effect.onExitPrimitive(
        Effect.flatMap(places.enter(ticket), () =>
          Effect.withFiber((fiber) => {
            const limit = fiber.getRef(StatementLimit)
            return limit === undefined
              ? detached(statement(Function.constVoid), onStart)
              : detachedWithin(statement, { limit, grace: cancelWait, stopped, silent }, onStart)
          })
        ),
        () => (isStarted ? undefined : leave())
      )
    })

  /**
   * Lends a session until the scope closes. The finalizer is added before the wait, so that an interruption at any
   * point returns the session.
   */
  const lease: Effect.Effect<LeasedSession, SqlError.SqlError, Scope.Scope> = Effect.suspend(() => {
    const ticket: Ticket = { held: false }
    let connectionScope = Scope.makeUnsafe()
    let server: Server | undefined
    const runningFibers = new Set<Fiber.Fiber<unknown, unknown>>()
    let current: LeasedSession | undefined

    const follow = (fiber: Fiber.Fiber<unknown, unknown>) => {
      runningFibers.add(fiber)
      fiber.addObserver(() => runningFibers.delete(fiber))
    }
    const run: LeasedSession["run"] = (work) => {
      const running = detached(work, follow)
      if (!servers.isChoosing || current === undefined || server === undefined) return running
      const { session } = current
      return Effect.mapError(server.whileUsed(running), (error) => {
        const fault = sent(error)
        if (fault !== error) session.isUnusable = true
        return fault
      })
    }
    const undo: LeasedSession["undo"] = (work, late) =>
      detachedFor(undoing(work), runningFibers.size > 0 ? 0 : undoWait, late, follow)

    const giveBack = Effect.suspend(() => {
      const session = current?.session
      const dropped =
        session === undefined || server === undefined ? undefined : dropIfSpent(server.pool, session)
      return Effect.andThen(dropped ?? Effect.void, Scope.close(connectionScope, Exit.void))
    })

    const open = Effect.suspend(() => {
      server = servers.current()
      connectionScope = Scope.makeUnsafe()
      return server.whileUsed(Scope.provide(server.pool.get, connectionScope)).pipe(
        Effect.flatMap((connection) => {
          const session = sessionOf(connection)
          current = { session, run, undo, isBusy: () => runningFibers.size > 0, transaction: undefined }
          return Effect.as(configured(session), current)
        }),
        Effect.tapError(() => (servers.isChoosing ? giveBack : Effect.void))
      )
    })

    const acquire = Effect.andThen(places.enter(ticket), Effect.mapError(servers.follow(open), classified))

    const release = Effect.ensuring(
      giveBack,
      Effect.sync(() => places.leave(ticket))
    )

    /** Waits for running statements, rolls back an open transaction, and returns the session. */
    const settle = Effect.gen(function* () {
      for (const fiber of runningFibers) yield* Fiber.await(fiber)
      if (current?.transaction !== undefined && !current.session.isUnusable) {
        const ended = yield* Effect.result(undoing(current.session.query(rollBack)))
        if (ended._tag === "Failure") current.session.isUnusable = true
      }
      yield* release
    })

    return Effect.andThen(
      Effect.addFinalizer(() => {
        if (runningFibers.size === 0 && current?.transaction === undefined) return release
        startDetached(settle)
        return Effect.void
      }),
      run(acquire)
    )
  })

  /** The server to ask about the past: of several hosts, the one that is fit now. */
  const address = Effect.map(servers.isChoosing ? servers.find : Effect.void, () => servers.current().config)

  return { lend, lease, address }
})
