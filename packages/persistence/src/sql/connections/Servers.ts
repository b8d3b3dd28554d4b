/**
 * The server that the sessions are on. Of an address with several hosts, it is the first one that is fit, such as the primary:
 *
 * - If a new session cannot be opened, or its server is not fit, all hosts are asked at the same time, once for all callers.
 * - The server in use is asked every 5 s. A frozen one breaks no connection, and may hold the statements of a few callers only.
 * - If another server is fit, the sessions of the old one are given up with their statements, idle ones included. Otherwise a
 *   frozen server would keep its callers.
 */
import { PgConnection, PgPool } from "@effect/sql-pg"
import { Clock, Context, Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { SqlError } from "effect/sql"
import { toSqlError } from "../statements/PgErrors.ts"
import type { HostConfigs } from "./ConnectionConfig.ts"
import { detached, startDetached } from "../transactions/Detached.ts"

/** Which servers are fit: `SQL` that is true on them, and what the others lack. */
export interface Fitness {
  readonly condition: string
  readonly unfit: string
}

/** The servers that take writes. */
export const takesWrites: Fitness = {
  condition: "current_setting('transaction_read_only') = 'off'",
  unfit: "takes no writes"
}

/** The servers that follow another one. */
export const isReplica: Fitness = { condition: "pg_is_in_recovery()", unfit: "is no replica" }

/** A server in use. */
export interface Server {
  readonly config: PgConnection.Config
  readonly pool: PgPool.PgPool
  /** Runs work, which fails at once when another server comes into use. The work is interrupted then. */
  readonly whileUsed: <A>(work: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>
}

/** The servers of an address. */
interface Servers {
  readonly current: () => Server
  /** Whether a session must be on a fit server. An address of one host is used whether it is fit or not. */
  readonly isChoosing: boolean
  /** Finds the fit server and uses it from now on. Fails with the reason of each host. */
  readonly find: Effect.Effect<void, SqlError.SqlError>
  /** Starts {@link find} in the background, if there is a choice. */
  readonly suspect: () => void
  /** Runs work on the current server. If its session cannot be opened, it runs once more on the server that is found. */
  readonly follow: <A>(work: Effect.Effect<A, SqlError.SqlError>) => Effect.Effect<A, SqlError.SqlError>
}

/** The machine's own clock, even if a test sets another. */
const machineClock = Context.get(Context.empty(), Clock.Clock)

/** How much later than the host before it each host is asked, so that the order of the hosts decides between two that are fit. */
const headStart = 100

/** How long a host may take to answer whether it is fit, in milliseconds. */
const answerLimit = 2000

/** How often the server in use is asked whether it is still fit. */
const watchInterval = "5 seconds"

const connectError = (message: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation: "connect" })
  })

/** The error of a session whose server is not fit. */
export const unfitServer = ({ unfit }: Fitness) => connectError(`The server ${unfit}`)

/** Whether a session could not be opened, so that nothing was sent. */
const isUnopened = ({ reason }: SqlError.SqlError) => reason.operation === "connect"

const nameOf = ({ host, port }: PgConnection.Config) => `${host}:${port}`

/** Why a host cannot be used. The reasons of PostgreSQL and of the network contain no password. */
const reasonOf = (error: SqlError.SqlError) => {
  const { message } = toSqlError(error, "connect").reason
  return message.replaceAll(/\s+/gu, " ")
}

/** Succeeds with a host's configuration if its server is fit. */
const fitOf = (config: PgConnection.Config, { condition, unfit }: Fitness) =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make(config)
    const { rows } = yield* connection.query(`SELECT ${condition} AS is_fit`, [], false)
    return rows[0]?.["is_fit"] === true ? config : yield* connectError(unfit)
  }).pipe(
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: answerLimit,
      orElse: () => Effect.fail(connectError("did not answer in time"))
    })
  )

/** The first host whose server is fit. Fails with the reason of each host. */
export const findFit = (hosts: HostConfigs, fitness: Fitness) =>
  Effect.suspend(() => {
    const reasons = new Map<PgConnection.Config, string>()
    const ask = (config: PgConnection.Config, index: number) =>
      Effect.delay(detached(fitOf(config, fitness)), index * headStart).pipe(
        Effect.tapError((error) => Effect.sync(() => reasons.set(config, reasonOf(error))))
      )
    return Effect.mapError(Effect.raceAll(hosts.map(ask)), () =>
      connectError(
        `No host of the database can be used: ${hosts.map((host) => `${nameOf(host)} ${reasons.get(host) ?? ""}`).join("; ")}`
      )
    )
  })

/** The servers of the hosts with these configurations. */
export const makeServers = Effect.fnUntraced(function* (options: {
  readonly hosts: HostConfigs
  readonly fitness: Fitness
  /** Whether one host alone must be fit too. */
  readonly mustBeFit: boolean
  /** The options of the pool of one server. */
  readonly pool: Omit<PgPool.Config, keyof PgConnection.Config>
}) {
  const { fitness, hosts } = options
  const log = Effect.runForkWith(yield* Effect.context())
  const scope = yield* Effect.scope
  const isChoosing = options.mustBeFit || hosts.length > 1
  let finding: Fiber.Fiber<void, SqlError.SqlError> | undefined

  const open = Effect.fnUntraced(function* (config: PgConnection.Config) {
    const poolScope = yield* Scope.fork(scope)
    const pool = yield* Scope.provide(PgPool.make({ ...config, ...options.pool }), poolScope).pipe(
      Effect.provideService(Clock.Clock, machineClock)
    )
    const left = yield* Deferred.make<never, SqlError.SqlError>()
    const error = Effect.fail(connectError(`${nameOf(config)} is no longer used`))
    const leave = Effect.suspend(() => {
      Deferred.doneUnsafe(left, error)
      return Scope.close(poolScope, Exit.void)
    })
    const whileUsed: Server["whileUsed"] = (work) => {
      if (!isChoosing) return work
      return Effect.suspend(() =>
        Deferred.isDoneUnsafe(left) ? error : Effect.raceFirst(detached(work), Deferred.await(left))
      )
    }
    return { config, pool, whileUsed, leave }
  })
  let server = yield* open(hosts[0])

  const use = Effect.fnUntraced(function* (config: PgConnection.Config) {
    if (config === server.config) return
    const { config: old, leave } = server
    server = yield* open(config)
    startDetached(leave)
    log(Effect.logWarning("the database is another server now", { from: nameOf(old), to: nameOf(config) }))
  })

  const find = Effect.suspend(() => {
    finding ??= startDetached(
      Effect.ensuring(
        Effect.flatMap(findFit(hosts, fitness), use),
        Effect.sync(() => {
          finding = undefined
        })
      )
    )
    return Fiber.join(finding)
  })

  if (hosts.length > 1) {
    const look = Effect.suspend(() => fitOf(server.config, fitness)).pipe(
      Effect.catch(() => find),
      Effect.ignore
    )
    const watch = startDetached(Effect.forever(Effect.delay(look, watchInterval)))
    yield* Scope.addFinalizer(
      scope,
      Effect.sync(() => watch.interruptUnsafe())
    )
  }

  const servers: Servers = {
    current: () => server,
    isChoosing,
    find,
    suspect: () => {
      if (isChoosing) startDetached(Effect.ignore(find))
    },
    follow: (work) => (isChoosing ? Effect.catchIf(work, isUnopened, () => Effect.andThen(find, work)) : work)
  }
  return servers
})
