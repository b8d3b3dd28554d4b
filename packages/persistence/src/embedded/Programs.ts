import { Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync, statfsSync, statSync } from "node:fs"
import type { Binaries } from "./Binaries.ts"
import { dataOf, isCluster } from "./DataDirectory.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { RunAs } from "./RunAs.ts"
import { commandAs } from "./RunAs.ts"

/** One cluster: its directory, its programs, the user that runs them, and how clients connect to it. */
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

/** The size of a file in bytes; 0 if it does not exist. */
export const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The log after the first `from` bytes, at most the last 2000 bytes. */
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
 * Starts a program that outlives this process. It leaves the terminal's process group, so that Ctrl-C does not stop the
 * database before Livery has finished its requests. It writes to the log, not to a pipe of this process.
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

/** Runs one of PostgreSQL's programs and waits for its exit. A failed exit is an error with the program's output. */
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

/** The space that a new cluster takes, with its log and the migrations. */
const newClusterBytes = 100 * 1024 * 1024

/** What PostgreSQL and the operating system say if a disk is full. */
export const noSpace = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/u

/** Whether the disk has less space than a new cluster takes. The log does not tell if it is on the same disk. */
const lacksSpace = (directory: string) => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize < newClusterBytes
}

/** Another directory is no remedy if there is a cluster already: Livery would start there without its data. */
const diskFull = (directory: string) =>
  new EmbeddedPostgresError({
    reason: "disk_full",
    directory,
    detail: isCluster(dataOf(directory))
      ? "its disk is full; free at least 100 MB there, and start again"
      : "its disk is full; free at least 100 MB there, or set LIVERY_DATA_DIR to a directory on another disk, and start again",
    log: ""
  })

/** What an operator can do about a refusal of the operating system, by a pattern of its codes. */
const remedies: ReadonlyArray<readonly [pattern: RegExp, remedy: string]> = [
  [/\bE(?:ACCES|PERM): /u, "this user may not use it: check its permissions"],
  [/\bE(?:EXIST|NOTDIR): /u, "a file is in the place of a directory: check the path"],
  [/\bEROFS: /u, "its file system is read-only"]
]

/** The remedy, followed by the words of the operating system; those alone if there is no remedy. */
const explained = (detail: string) => {
  const remedy = remedies.find(([pattern]) => pattern.test(detail))?.[1]
  return remedy === undefined ? detail : `${remedy} (${detail.replace(/^.*\bError: /u, "")})`
}

/** The lock of a directory could not be taken. If its disk is full, the error says so instead. */
export const lockFailure = (directory: string, detail: string) =>
  noSpace.test(detail)
    ? diskFull(directory)
    : new EmbeddedPostgresError({ reason: "lock_timeout", directory, detail: explained(detail), log: "" })

/**
 * An error of this cluster. With `from`, an earlier {@link sizeOf} of the log, it includes what was logged since. If the
 * disk is full, the error says so instead.
 */
export const failure = (
  cluster: Cluster,
  reason: EmbeddedPostgresError["reason"],
  detail: string,
  from?: number
) => {
  const { directory } = cluster
  const log = from === undefined ? "" : logTail(cluster.log, from)
  return noSpace.test(log) || noSpace.test(detail) || (reason === "init_failed" && lacksSpace(directory))
    ? diskFull(directory)
    : new EmbeddedPostgresError({ reason, directory, detail, log })
}

/** Runs a step on files; its failure becomes an error about the directory. */
export const fileEffect = <A>(directory: string, step: () => Promise<A>) =>
  Effect.tryPromise({
    try: step,
    catch: (cause) =>
      noSpace.test(String(cause))
        ? diskFull(directory)
        : new EmbeddedPostgresError({
            reason: "directory_unusable",
            directory,
            detail: explained(String(cause)),
            log: ""
          })
  })
