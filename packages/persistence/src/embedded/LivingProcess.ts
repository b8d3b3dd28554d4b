import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, readlinkSync } from "node:fs"

const hasProc = existsSync("/proc/self/stat")

/** State letter and start time of a process, in clock ticks since boot, from `/proc`. */
const readStat = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The command's name may itself hold spaces and parentheses: the fields start after the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return { state: fields[0] ?? "", startedAt: fields[19] ?? "" }
  } catch {
    return undefined
  }
}

const answersSignal = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** When the process began, in a form only fit for comparison; empty where the platform does not tell. */
export const startedAt = (pid: number): string => readStat(pid)?.startedAt ?? ""

/**
 * Whether the process still runs. With `since` (of {@link startedAt}) a later process that was given
 * the same number counts as dead, as does a zombie.
 */
export const isAlive = (pid: number, since = ""): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (!hasProc) return answersSignal(pid)
  const stat = readStat(pid)
  if (stat === undefined || stat.state === "Z" || stat.state === "X") return false
  return since === "" || stat.startedAt === since
}

/**
 * Whether the process is a PostgreSQL server at work in that data directory (its real path). A server's
 * working directory is its data directory; where there is no `/proc` its command line names it.
 */
export const isServerOf = (pid: number, data: string): boolean => {
  if (!isAlive(pid)) return false
  try {
    if (hasProc) return readlinkSync(`/proc/${pid}/cwd`) === data
    // Windows has no cheap way to tell: a live process is believed, so that nothing of its is removed.
    if (process.platform === "win32") return true
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(data)
  } catch {
    return false
  }
}
