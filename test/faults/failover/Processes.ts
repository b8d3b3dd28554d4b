/** Programs of one test and the processes that they start, which signals reach together. */
import { type ChildProcess, spawn } from "node:child_process"
import { openSync, closeSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { commandAs, type RunAs } from "../../../packages/persistence/src/embedded/RunAs.ts"

/** Waits, in milliseconds. */
export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A started program. */
export interface Running {
  readonly pid: number
  readonly isRunning: () => boolean
  readonly ended: Promise<void>
}

/** Starts a program, whose output goes to the end of a file beside the other files of the test. */
export const start = (
  runAs: RunAs,
  directory: string,
  name: string,
  file: string,
  args: ReadonlyArray<string>
): Running => {
  const log = openSync(join(directory, `${name}.log`), "a")
  const command = commandAs(runAs, file, args)
  const child: ChildProcess = spawn(command.file, command.args, {
    ...command.options,
    cwd: directory,
    stdio: ["ignore", log, log]
  })
  closeSync(log)
  // A file that is not there has no process.
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve())
    child.once("exit", () => resolve())
  })
  return {
    pid: child.pid ?? 0,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    ended
  }
}

/** The state of a process and the process that started it. */
const statusOf = (pid: number) => {
  try {
    const [state = "", parent = ""] =
      readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

/** Whether there is such a process, and it is no zombie. */
const isAlive = (pid: number): boolean => {
  const status = statusOf(pid)
  return status !== undefined && status.state !== "Z"
}

/** The living processes among these, and all that they started. */
export const withDescendants = (roots: ReadonlyArray<number>): ReadonlyArray<number> => {
  const children = new Map<number, Array<number>>()
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry)
    const status = Number.isInteger(pid) ? statusOf(pid) : undefined
    if (status !== undefined && status.state !== "Z")
      children.set(status.parent, [...(children.get(status.parent) ?? []), pid])
  }
  const below = (pid: number): ReadonlyArray<number> => [pid, ...(children.get(pid) ?? []).flatMap(below)]
  return roots.filter(isAlive).flatMap(below)
}

/** Sends a signal to processes; one that has ended meanwhile gets none. */
export const signalAll = (pids: ReadonlyArray<number>, signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      continue
    }
}
