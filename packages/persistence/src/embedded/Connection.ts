import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Schema, Scope } from "effect"
import type { SqlError } from "effect/sql"
import { traced } from "@livery/domain"
import { realpathSync } from "node:fs"
import { connect as openSocket } from "node:net"
import { readConnectionUrl, socketUrl } from "../sql/connections/ConnectionUrl.ts"
import { connectionConfigs } from "../sql/connections/ConnectionConfig.ts"
import { readPassword, role } from "./Initialisation.ts"
import type { Postmaster } from "./Postmaster.ts"

/** The name of the database that contains Livery's tables. */
const database = "livery"

const holderName = "livery holder"

const connectTimeout = 10_000

/** The URL of a database of the server: of the form of {@link socketUrl}, or with a password over TCP. */
export const addressOf = async (data: string, { port, socketDirectory }: Postmaster, name = database) =>
  Redacted.make(
    socketDirectory === ""
      ? `postgresql://${role}:${encodeURIComponent(await readPassword(data))}@127.0.0.1:${port}/${name}`
      : socketUrl({ directory: socketDirectory, port, database: name, user: role })
  )

/** The server refused the connection. `code` is its SQLSTATE, or the operating system's code. */
class NotAdmitted extends Schema.TaggedError<NotAdmitted>()("NotAdmitted", {
  code: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `The server refused the connection: ${this.detail}`
  }
}

const notAdmitted = (cause: unknown) =>
  new NotAdmitted({
    code: cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "",
    detail: cause instanceof Error ? cause.message : String(cause)
  })

const refused = ({ reason }: SqlError.SqlError) => notAdmitted(reason.cause)

/**
 * The idle connection of a process that has the cluster open. The server's list of these connections shows who uses it.
 */
export interface Holder {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
  /** Resolves when the connection ends, for any reason. */
  readonly ended: Promise<void>
}

/** Opens a connection that ends with the scope. */
const connect = Effect.fnUntraced(function* (url: Redacted.Redacted, scope: Scope.Closeable) {
  const [config] = yield* Effect.fromResult(
    connectionConfigs(url, `${holderName} ${process.pid}`, connectTimeout)
  )
  const {
    hosts: [{ name, port }]
  } = yield* Effect.fromResult(readConnectionUrl(Redacted.value(url))).pipe(Effect.orDie)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const stream = () => {
    const socket = name.startsWith("/") ? openSocket(`${name}/.s.PGSQL.${port}`) : openSocket(port, name)
    return socket.setKeepAlive(true).once("close", () => resolve())
  }
  const connection = yield* Scope.provide(PgConnection.make({ ...config, stream }), scope)
  return { connection, scope, ended }
})

/** Opens a holder in a scope, which is closed unless the opening succeeds, also if it is interrupted. */
const openIn = <E>(open: (scope: Scope.Closeable) => Effect.Effect<Holder, E>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      const scope = Scope.makeUnsafe()
      return Effect.onExit(restore(open(scope)), (exit) =>
        Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)
      )
    })
  )

/** Ends a holder's connection, and waits until the server has noticed: until then it counts as a holder. */
export const closeHolder = (holder: Holder) =>
  Scope.close(holder.scope, Exit.void).pipe(
    Effect.andThen(Effect.promise(() => holder.ended)),
    Effect.timeoutOption("5 seconds")
  )

const servesDirectory = Effect.fnUntraced(function* ({ connection }: Holder, data: string) {
  const { rows } = yield* connection.query("show data_directory")
  const served = rows[0]?.["data_directory"]
  return typeof served === "string" && realpathSync(served) === data
})

const addressFor = (data: string, postmaster: Postmaster, name?: string) =>
  Effect.tryPromise({ try: () => addressOf(data, postmaster, name), catch: notAdmitted })

/** Opens the holder's connection to the server. Fails too if the server that answers has another data directory. */
export const openHolder = traced("Connection.openHolder")(function* (data: string, postmaster: Postmaster) {
  const address = yield* addressFor(data, postmaster)
  return yield* openIn(
    Effect.fnUntraced(function* (scope) {
      const holder = yield* Effect.mapError(connect(address, scope), refused)
      if (yield* Effect.mapError(servesDirectory(holder, data), refused)) return holder
      return yield* new NotAdmitted({ code: "", detail: "another server answers there" })
    })
  )
})

/** Creates Livery's database if the server does not have it. */
export const createDatabase = traced("Connection.createDatabase")(function* (
  data: string,
  postmaster: Postmaster
) {
  const address = yield* addressFor(data, postmaster, "postgres")
  yield* Effect.acquireUseRelease(
    Effect.mapError(
      openIn((scope) => connect(address, scope)),
      refused
    ),
    ({ connection }) => Effect.mapError(connection.query(`create database ${database}`), refused),
    closeHolder
  )
})

/** Whether another process, or another open scope in this process, has the cluster open. */
export const isShared = traced("Connection.isShared")(function* ({ connection }: Holder) {
  const { rows } = yield* connection
    .query(
      `select count(*)::int as others from pg_stat_activity
        where application_name like '${holderName} %' and pid <> pg_backend_pid()`
    )
    .pipe(Effect.mapError(refused))
  return Number(rows[0]?.["others"] ?? 0) > 0
})
