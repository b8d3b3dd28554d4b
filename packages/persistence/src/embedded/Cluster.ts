import { Effect, Schedule } from "effect"
import { monotonicMillis, traced } from "@livery/domain"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { isAlive, startedAt } from "./LivingProcess.ts"
import { removeStaleFiles, runningPostmaster, readPostmaster } from "./Postmaster.ts"
import { changeOwner, socketDirectoryFor, socketFile, removeSocketDirectory } from "./DataDirectory.ts"
import type { Cluster } from "./Programs.ts"
import { failure, launch, fileEffect, run, sizeOf } from "./Programs.ts"
import { commandAs } from "./RunAs.ts"

/** The time limit for a start. Recovery after a crash replays at most `max_wal_size`, which takes far less. */
const startMillis = 120_000
const stopMillis = 60_000

const settings = (cluster: Cluster, socketDirectory: string, port: number) => ({
  listen_addresses: cluster.transport === "tcp" ? "127.0.0.1" : "",
  unix_socket_directories: socketDirectory,
  unix_socket_permissions: "0700",
  port: String(port),
  shared_buffers: "32MB",
  max_connections: "100",
  max_wal_size: "1GB",
  max_logical_replication_workers: "0",
  io_method: "sync",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_checkpoints: "off",
  ...(cluster.fsync ? {} : { fsync: "off", full_page_writes: "off" })
})

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const majorOf = (text: string) => /\d+/u.exec(text)?.[0] ?? ""

const checkVersion = Effect.fnUntraced(function* (cluster: Cluster) {
  const { ofData, ofPrograms } = yield* fileEffect(cluster.directory, async () => {
    const command = commandAs(cluster.runAs, cluster.binaries.postgres, ["--version"])
    const { stdout } = await promisify(execFile)(command.file, command.args, command.options)
    return {
      ofData: majorOf(await readFile(join(cluster.data, "PG_VERSION"), "utf8")),
      ofPrograms: majorOf(stdout)
    }
  })
  if (ofData !== ofPrograms) {
    return yield* failure(
      cluster,
      "version_mismatch",
      `its data is of PostgreSQL ${ofData}, this Livery brings ${ofPrograms}; nothing was changed`
    )
  }
})

const pause = Effect.sleep("5 millis")

const untilReady = Effect.fnUntraced(function* (
  cluster: Cluster,
  pid: number,
  exited: Promise<string>,
  from: number
) {
  let outcome: string | undefined
  void exited.then((reason) => {
    outcome = reason
  })
  const deadline = (yield* monotonicMillis) + startMillis
  while (true) {
    const postmaster = readPostmaster(cluster.data)
    if (postmaster?.pid === pid && postmaster.ready) return
    if (outcome !== undefined) {
      return yield* failure(cluster, "start_failed", `the server ended at its start (${outcome})`, from)
    }
    if ((yield* monotonicMillis) > deadline) {
      return yield* failure(
        cluster,
        "start_failed",
        `the server is not ready after ${startMillis / 1000} s`,
        from
      )
    }
    yield* pause
  }
})

const startOnSocket = Effect.fnUntraced(function* (cluster: Cluster, args: ReadonlyArray<string>) {
  const from = sizeOf(cluster.log)
  const { child, exited } = launch(cluster, cluster.binaries.postgres, ["-D", cluster.data, ...args])
  // This process may exit before the server does, because another process may use the server too.
  child.unref()
  yield* untilReady(cluster, child.pid ?? 0, exited, from)
})

// A system without Unix sockets has no signals either, so pg_ctl starts and stops the server.
const startOnTcp = (cluster: Cluster, args: ReadonlyArray<string>) =>
  run(cluster, "start_failed", cluster.binaries.pgCtl, [
    "start",
    "--wait",
    `--timeout=${startMillis / 1000}`,
    `--pgdata=${cluster.data}`,
    `--options=${args.join(" ")}`
  ])

/**
 * Removes the remains of a killed server, starts the server of a cluster without a running one, and waits until it
 * accepts connections.
 */
export const start = traced("Cluster.start")(function* (cluster: Cluster) {
  yield* checkVersion(cluster)
  const { socketDirectory, port } = yield* fileEffect(cluster.directory, async () => {
    const onSocket = cluster.transport === "socket"
    const before = readPostmaster(cluster.data)
    await changeOwner(cluster.data, cluster.runAs)
    const socketDirectory = onSocket ? await socketDirectoryFor(cluster.data, cluster.runAs) : ""
    removeStaleFiles(cluster.data, onSocket ? socketDirectory : undefined, socketFile)
    // A restarted server keeps its port, because other processes use its address.
    const port = onSocket ? 5432 : before?.socketDirectory === "" ? before.port : await freePort()
    return { socketDirectory, port }
  })
  const args = Object.entries(settings(cluster, socketDirectory, port)).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`
  ])
  const begin = cluster.transport === "tcp" ? startOnTcp : startOnSocket
  yield* begin(cluster, args).pipe(
    // The backends of a killed server hold its shared memory until they notice its end, which takes moments.
    Effect.retry({
      times: 20,
      schedule: Schedule.spaced("250 millis"),
      while: (error) => error.log.includes("pre-existing shared memory block")
    })
  )
})

/**
 * Stops the cluster's server if it runs: it ends the sessions, writes the data and exits. After a minute, this returns
 * and the server continues to shut down on its own.
 */
export const stop = traced("Cluster.stop")(function* (cluster: Cluster) {
  const postmaster = runningPostmaster(cluster.data)
  if (postmaster === undefined) return
  if (cluster.transport === "tcp") {
    return yield* run(cluster, "stop_failed", cluster.binaries.pgCtl, [
      "stop",
      "--mode=fast",
      "--wait",
      `--timeout=${stopMillis / 1000}`,
      `--pgdata=${cluster.data}`
    ])
  }
  const since = startedAt(postmaster.pid)
  const deadline = (yield* monotonicMillis) + stopMillis
  yield* fileEffect(cluster.directory, async () => process.kill(postmaster.pid, "SIGINT"))
  while (isAlive(postmaster.pid, since) && (yield* monotonicMillis) < deadline) yield* pause
  yield* fileEffect(cluster.directory, () => removeSocketDirectory(cluster.data, postmaster.socketDirectory))
})
