/** A primary and its streaming standby, for tests of fail-over and of replicas: copies of the run's cluster, gone with the scope. */
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "pg"
import { inject, vi } from "vitest"
import { runningPostmaster } from "../../packages/persistence/src/embedded/Postmaster.ts"
import { locateBinaries } from "../../packages/persistence/src/embedded/Binaries.ts"
import { role } from "../../packages/persistence/src/embedded/Initialisation.ts"
import { chooseRunAs, commandAs } from "../../packages/persistence/src/embedded/RunAs.ts"
import { signalAll, withDescendants } from "../faults/failover/Processes.ts"
import { copyDirectory, scratchPrefix } from "./ScratchDirectory.ts"

const database = "livery"

const timeout = { timeout: 60_000, interval: 20 }

/** A server of a pair. */
export interface PairedServer {
  /** The directory of its Unix socket, which is its host in an address. */
  readonly host: string
  /** Its address alone. */
  readonly url: Redacted.Redacted
  /** Runs a statement, and returns its rows. */
  readonly ask: (statement: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** Kills the server, with all of its sessions. */
  readonly kill: () => Promise<void>
  /** Stops all its processes in their places until the end of the scope; connections to it stay open. */
  readonly freeze: () => void
}

/** The address of these hosts. */
export const addressOf = (hosts: ReadonlyArray<string>, parameters = "") =>
  Redacted.make(
    `postgresql:///${database}?host=${hosts.map(encodeURIComponent).join(",")}&port=5432&user=${role}${parameters}`
  )

/** Whether this run has a cluster to copy: not if `DATABASE_URL` names the server. */
export const canReplicate = (): boolean => inject("databaseServer").cluster !== undefined

const ask = async (host: string, statement: string) => {
  const client = new Client({ host, port: 5432, user: role, database })
  client.on("error", () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end()
  }
}

/** Starts a server on a copy of the run's cluster; it follows the server of `primary`, if given. */
const started = Effect.fnUntraced(function* (primary?: string) {
  const { cluster } = inject("databaseServer")
  if (cluster === undefined) return yield* Effect.die("This run has no cluster to copy")
  const base = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(`${scratchPrefix}${process.pid}-`)),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const data = join(base, "data")
  const { postgres } = yield* locateBinaries()
  yield* Effect.promise(async () => {
    await chmod(base, 0o755)
    await copyDirectory(cluster, data)
    if (primary !== undefined) await writeFile(join(data, "standby.signal"), "")
  })
  const runAs = yield* Effect.promise(() => chooseRunAs(undefined, data))
  const settings = {
    listen_addresses: "",
    unix_socket_directories: data,
    fsync: "off",
    shared_buffers: "16MB",
    max_connections: "100",
    io_method: "sync",
    wal_keep_size: "64MB",
    wal_receiver_status_interval: "1s",
    ...(primary === undefined
      ? {}
      : { primary_conninfo: `host=${primary} port=5432 user=${role} application_name=standby` })
  }
  const { args, file, options } = commandAs(runAs, postgres, [
    "-D",
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  ])
  const signal = (kind: NodeJS.Signals) => {
    const postmaster = runningPostmaster(data)?.pid
    if (postmaster !== undefined) signalAll(withDescendants([postmaster]), kind)
  }
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(file, args, { ...options, stdio: "ignore" })),
    (child) =>
      Effect.promise(async () => {
        signal("SIGCONT")
        child.kill("SIGQUIT")
        await vi.waitUntil(() => child.exitCode !== null || child.signalCode !== null, timeout)
      })
  )
  yield* Effect.promise(() => vi.waitFor(() => ask(data, "SELECT 1"), timeout))
  const server: PairedServer = {
    host: data,
    url: addressOf([data]),
    ask: (statement) => ask(data, statement),
    freeze: () => signal("SIGSTOP"),
    kill: async () => {
      child.kill("SIGQUIT")
      await vi.waitUntil(() => child.exitCode !== null || child.signalCode !== null, timeout)
    }
  }
  return server
})

/** A primary, and a standby that has received all of its changes. A commit on the primary waits for the standby. */
export const replicated = Effect.gen(function* () {
  const primary = yield* started()
  const standby = yield* started(primary.host)
  yield* Effect.promise(async () => {
    await vi.waitFor(async () => {
      const [row] = await primary.ask("SELECT count(*)::int AS count FROM pg_stat_replication")
      if (row?.["count"] !== 1) throw new Error("The standby does not follow the primary yet")
    }, timeout)
    await primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    await primary.ask("SELECT pg_reload_conf()")
  })
  return { primary, standby }
})
