import { Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync, statSync } from "node:fs"
import type { Binaries } from "./Binaries.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { RunAs } from "./RunAs.ts"
import { commandAs } from "./RunAs.ts"

/** One cluster: where it lies, whose programs run it, as whom, and how it is reached. */
export interface Cluster {
  readonly directory: string
  readonly data: string
  readonly log: string
  readonly binaries: Binaries
  readonly runAs: RunAs
  readonly transport: "socket" | "tcp"
  readonly fsync: boolean
}

const logLimit = 16 * 1024 * 1024
const tailBytes = 2000

/** How far a file reaches, in bytes; 0 when there is none. */
export const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** What the log holds beyond `from` bytes, at most its last 2000. */
const logTail = (path: string, from: number) => {
  try {
    const bytes = readFileSync(path)
    return bytes
      .subarray(Math.max(from, bytes.length - tailBytes))
      .toString("utf8")
      .trim()
  } catch {
    return ""
  }
}

/**
 * Starts a program that outlives us: out of the terminal's process group, so that Ctrl-C does not reach
 * the database before livery has drained, and with no pipe to us, only the log.
 */
export const launch = (cluster: Cluster, program: string, args: ReadonlyArray<string>) => {
  const log = openSync(cluster.log, sizeOf(cluster.log) > logLimit ? "w" : "a", 0o600)
  try {
    const command = commandAs(cluster.runAs, program, args)
    const child = spawn(command.file, command.args, {
      ...command.options,
      detached: true,
      windowsHide: true,
      stdio: ["ignore", log, log]
    })
    const exited = new Promise<string>((resolve) => {
      child.once("error", (cause) => resolve(cause.message))
      child.once("exit", (code, signal) =>
        resolve(code === null ? `killed by ${signal}` : `exit code ${code}`)
      )
    })
    return { child, exited }
  } finally {
    closeSync(log)
  }
}

/** Runs one of PostgreSQL's programs to its end; anything but success is a failure with what it wrote. */
export const run = Effect.fnUntraced(function* (
  cluster: Cluster,
  reason: EmbeddedPostgresError["reason"],
  program: string,
  args: ReadonlyArray<string>
) {
  const from = sizeOf(cluster.log)
  const outcome = yield* Effect.promise(() => launch(cluster, program, args).exited)
  if (outcome !== "exit code 0") {
    return yield* failure(cluster, reason, `${program} ended with ${outcome}`, from)
  }
})

/** An error of this cluster; with `from`, an earlier {@link sizeOf} its log, what the log got since. */
export const failure = (
  cluster: Cluster,
  reason: EmbeddedPostgresError["reason"],
  detail: string,
  from?: number
) =>
  new EmbeddedPostgresError({
    reason,
    directory: cluster.directory,
    detail,
    log: from === undefined ? "" : logTail(cluster.log, from)
  })

/** Runs a step whose failure is the file system's. */
export const onFiles = <A>(directory: string, step: () => Promise<A>) =>
  Effect.tryPromise({
    try: step,
    catch: (cause) =>
      new EmbeddedPostgresError({ reason: "directory_unusable", directory, detail: String(cause), log: "" })
  })
