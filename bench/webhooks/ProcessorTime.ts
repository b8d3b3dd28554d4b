/** Processor time of processes, from Linux's `/proc`. Unlike elapsed time, it hardly depends on other work on the machine. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

// Linux reports hundredths of a second, independent of the kernel's own tick.
const ticksPerSecond = 100

interface Times {
  readonly parent: number
  readonly own: number
  readonly endedChildren: number
}

/** The parent of a process, and its seconds of processor time; undefined if the process has ended. */
const timesOf = (pid: number): Times | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name stands in parentheses and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const ticks = (...indices: ReadonlyArray<number>) =>
      indices.reduce((sum, index) => sum + Number(fields[index]), 0) / ticksPerSecond
    return { parent: Number(fields[1]), own: ticks(11, 12), endedChildren: ticks(13, 14) }
  } catch {
    return undefined
  }
}

/** Seconds that a process has used, without its children. */
export const secondsOf = (pid: number | undefined): number =>
  pid === undefined ? 0 : (timesOf(pid)?.own ?? 0)

/** Seconds that the PostgreSQL of a data directory of Livery has used, in all of its processes. */
export const secondsOfPostgres = (directory: string): number => {
  const [first = ""] = readFileSync(join(directory, "postgres", "postmaster.pid"), "utf8").split("\n")
  const postmaster = Number(first)
  const itself = timesOf(postmaster)
  let seconds = itself === undefined ? 0 : itself.own + itself.endedChildren
  for (const name of readdirSync("/proc")) {
    const times = /^\d+$/u.test(name) ? timesOf(Number(name)) : undefined
    if (times?.parent === postmaster) seconds += times.own
  }
  return seconds
}
