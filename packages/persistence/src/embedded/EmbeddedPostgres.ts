// Every process that opens a directory shares one server. Opening and closing happen under one lock file.
//
//   open:  take the lock · if a server answers, join it, else (make the cluster and) start one
//          · keep one idle connection, the "holder", which counts this process in pg_stat_activity · release the lock
//   close: take the lock · stop the server if there is no other holder · release the lock
//
// A signal that ends the program closes first (`EndingSignals.ts`).
//
// The operating system closes the holder of a killed process, so the count is always right. The next process joins the
// server that a killed one left, and stops it. If a server dies, the first of its holders starts it again.
import { Effect, Schedule } from "effect"
import type { Redacted, Scope } from "effect"
import { monotonicMillis, traced } from "@livery/domain"
import { realpathSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import { locateBinaries } from "./Binaries.ts"
import * as Connection from "./Connection.ts"
import { start, stop } from "./Cluster.ts"
import { withLockFile } from "./LockFile.ts"
import { beforeEnd } from "./EndingSignals.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { initialise } from "./Initialisation.ts"
import { runningPostmaster, readPostmaster } from "./Postmaster.ts"
import { makeLogRestartFailure } from "./RestartFailures.ts"
import { dataOf, isCluster, reachableBinaries, locateData } from "./DataDirectory.ts"
import type { Cluster } from "./Programs.ts"
import { failure, fileEffect, lockFailure } from "./Programs.ts"
import { chooseRunAs } from "./RunAs.ts"

/** The directory of an embedded server, and how its server is started. */
export interface OpenOptions {
  /** `LIVERY_DATA_DIR`. It is made with mode 0700 if it is absent. The cluster is its subdirectory `postgres`. */
  readonly directory: string
  /** `false` trades durability for speed, for tests only. It has an effect only if this process starts the server. */
  readonly fsync?: boolean
  /** How clients connect to the server. By default a Unix socket if the system has them, else TCP on 127.0.0.1. */
  readonly transport?: "socket" | "tcp"
  /**
   * How to run the server if this process is root, since the server refuses to run as root. By default in a namespace
   * if possible.
   */
  readonly runAs?: "namespace" | "user"
  /** The parent directory of data and programs if the server's user cannot reach them; by default `/var/lib`. */
  readonly reachable?: string
}

/** A running embedded server, shared by all processes that have its directory open. */
export interface Opened {
  /** The address of the database `livery`, for clients of PostgreSQL. It stays the same while the directory is open. */
  readonly url: Redacted.Redacted
  /** `created`: a new cluster. `existing`: its server was started. `joined`: its server was running already. */
  readonly started: "created" | "existing" | "joined"
}

const waitMillis = 120_000

/** The time limit of leaving the server when a signal ends the program. */
const leaveLimit = "30 seconds"

/** The cluster of a directory, which need not exist yet. */
export const clusterOf = Effect.fnUntraced(function* (options: OpenOptions, directory: string) {
  const binaries = yield* locateBinaries().pipe(
    Effect.mapError(
      (cause) =>
        new EmbeddedPostgresError({ reason: "binaries_missing", directory, detail: cause.message, log: "" })
    )
  )
  return yield* fileEffect(directory, async (): Promise<Cluster> => {
    const reachable = options.reachable ?? "/var/lib"
    const data = dataOf(directory)
    const runAs = await chooseRunAs(options.runAs, isCluster(data) ? data : undefined)
    return {
      directory,
      data: await locateData(directory, runAs, reachable),
      log: join(directory, "postgres.log"),
      binaries: await reachableBinaries(binaries, runAs, reachable),
      runAs,
      transport: options.transport ?? (process.platform === "win32" ? "tcp" : "socket"),
      fsync: options.fsync ?? true
    }
  })
})

/** Joins the cluster's server. Creates the cluster and starts the server if necessary. Runs under the lock. */
const attach = Effect.fnUntraced(function* (cluster: Cluster) {
  let started: Opened["started"] = "joined"
  if (!isCluster(cluster.data)) {
    yield* initialise(cluster)
    started = "created"
  }
  const deadline = (yield* monotonicMillis) + waitMillis
  while (true) {
    const postmaster = readPostmaster(cluster.data)
    if (postmaster?.ready === true) {
      const create = Connection.createDatabase(cluster.data, postmaster)
      const hold = Connection.openHolder(cluster.data, postmaster)
      const admitted = yield* (
        started === "created" ? Effect.andThen(Effect.ignore(create), hold) : hold
      ).pipe(
        // A process that was killed may have created the cluster without the database.
        Effect.catchIf(
          (refusal) => refusal.code === "3D000",
          () => Effect.andThen(create, hold)
        ),
        Effect.result
      )
      if (admitted._tag === "Success") {
        const holder = admitted.success
        const url = yield* fileEffect(cluster.directory, () =>
          Connection.addressOf(cluster.data, postmaster)
        ).pipe(Effect.onError(() => Connection.closeHolder(holder)))
        return { holder, url, started }
      }
      const { code, detail } = admitted.failure
      // 57P…: the server is starting or stopping. Any other SQLSTATE is final.
      if (/^(?!57P)[0-9A-Z]{5}$/u.test(code) && !code.startsWith("E")) {
        return yield* failure(cluster, "connection_failed", `the server refuses the connection: ${detail}`)
      }
    }
    if (runningPostmaster(cluster.data) === undefined) {
      yield* start(cluster)
      if (started === "joined") started = "existing"
    } else if ((yield* monotonicMillis) > deadline) {
      return yield* failure(cluster, "connection_failed", `its server runs, but does not answer`, 0)
    } else {
      yield* Effect.sleep("20 millis")
    }
  }
})

/** Runs a step while no other process opens or closes the cluster of the directory. */
export const locked = <A, R>(directory: string, use: Effect.Effect<A, EmbeddedPostgresError, R>) =>
  withLockFile(join(directory, "postgres.lock"), use).pipe(
    Effect.catchTag("LockUnavailable", (cause) => Effect.fail(lockFailure(directory, cause.message)))
  )

/** Whether other processes have the cluster open. If the holder's connection broke, a new connection is used to ask. */
const isShared = Effect.fnUntraced(function* (cluster: Cluster, holder: Connection.Holder) {
  const postmaster = runningPostmaster(cluster.data)
  if (postmaster === undefined) return false
  return yield* Connection.isShared(holder).pipe(
    Effect.catch(() =>
      Effect.acquireUseRelease(
        Connection.openHolder(cluster.data, postmaster),
        Connection.isShared,
        Connection.closeHolder
      )
    ),
    // Unknown counts as shared: stopping a server that another process uses does more harm than leaving one running.
    Effect.orElseSucceed(() => true)
  )
})

/** Leaves the cluster. The last process to leave stops the server. */
const detach = Effect.fnUntraced(function* (cluster: Cluster, holder: Connection.Holder) {
  const shared = yield* isShared(cluster, holder)
  yield* Connection.closeHolder(holder)
  if (!shared) yield* stop(cluster)
})

/**
 * Opens the embedded PostgreSQL of a directory for the scope, and returns the URL of its database. The server is
 * created, started or joined as necessary. The last process to close its scope stops it. A committed change survives a
 * power failure, unless `fsync` is `false`.
 */
const open = traced("EmbeddedPostgres.open")(function* (
  options: OpenOptions
): Effect.fn.Return<Opened, EmbeddedPostgresError, Scope.Scope> {
  const directory = yield* fileEffect(options.directory, async () => {
    await mkdir(options.directory, { recursive: true, mode: 0o700 })
    return realpathSync(resolve(options.directory))
  })
  const opening = locked(
    directory,
    Effect.flatMap(clusterOf(options, directory), (cluster) =>
      Effect.map(attach(cluster), (attached) => ({ ...attached, cluster }))
    )
  )
  const held = yield* Effect.acquireRelease(
    Effect.map(opening, (opened) => ({ ...opened, current: opened.holder, isLeaving: false })),
    ({ cluster, current }) => locked(directory, detach(cluster, current)).pipe(Effect.ignore({ log: "Warn" }))
  )
  yield* beforeEnd(
    Effect.suspend(() => {
      held.isLeaving = true
      return locked(directory, detach(held.cluster, held.current))
    }).pipe(Effect.timeoutOption(leaveLimit), Effect.ignore({ log: "Warn" }))
  )
  const rejoin = Effect.tap(attach(held.cluster), ({ holder }) => {
    const { current } = held
    held.current = holder
    return Connection.closeHolder(current)
  })
  yield* Effect.promise(() => held.current.ended).pipe(
    Effect.andThen(
      Effect.suspend(() =>
        held.isLeaving
          ? Effect.never
          : locked(directory, rejoin).pipe(
              Effect.tapError(makeLogRestartFailure(directory)),
              Effect.retry(Schedule.spaced("1 second"))
            )
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )
  return { url: held.url, started: held.started }
})

/**
 * The PostgreSQL that is installed with Livery. Without `DATABASE_URL`, its data is in `LIVERY_DATA_DIR`, and every
 * `livery` command with that directory shares the server (specification, "Running it").
 */
export const EmbeddedPostgres = { open }
