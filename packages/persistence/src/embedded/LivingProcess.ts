import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, readlinkSync } from "node:fs"

const hasProc = existsSync("/proc/self/stat")

/** State letter and start time of a process, in clock ticks since boot, from `/proc`. */
const readStat = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The command's name may contain spaces and parentheses, so the fields start after the last parenthesis.
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

/** The start time of the process, only fit for comparison; empty if the platform does not report it. */
export const startedAt = (pid: number): string => readStat(pid)?.startedAt ?? ""

/**
 * Whether the process still runs. If `since` (from {@link startedAt}) is given, a later process with the same id counts
 * as dead. A zombie counts as dead too.
 */
export const isAlive = (pid: number, since = ""): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (!hasProc) return answersSignal(pid)
  const stat = readStat(pid)
  if (stat === undefined || stat.state === "Z" || stat.state === "X") return false
  return since === "" || stat.startedAt === since
}

/**
 * Whether the process is a PostgreSQL server that runs on that data directory (its real path). A server's working
 * directory is its data directory; without `/proc`, its command line is read instead.
 */
export const isServerOf = (pid: number, data: string): boolean => {
  if (!isAlive(pid)) return false
  try {
    if (hasProc) return readlinkSync(`/proc/${pid}/cwd`) === data
    // Windows has no cheap way to check. A live process counts as the server, so that its files are not removed.
    if (process.platform === "win32") return true
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(data)
  } catch {
    return false
  }
}
