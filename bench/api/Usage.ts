/** The processor time and memory of processes, from Linux's `/proc`. */
import { existsSync, readdirSync, readFileSync } from "node:fs"

const threadsOf = (pid: number) => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Nanoseconds that a thread ran; 0 once it has ended. */
const ran = (pid: number, thread: string) => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0])
  } catch {
    return 0
  }
}

/** Microseconds of processor time that all living threads of a process have used. */
const processorMicros = (pid: number): number =>
  threadsOf(pid).reduce((sum, thread) => sum + ran(pid, thread), 0) / 1000

/** The processes that a process started and that still live. */
const childrenOf = (pid: number): ReadonlyArray<number> =>
  threadsOf(pid).flatMap((thread) => {
    const file = `/proc/${pid}/task/${thread}/children`
    return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : []
  })

/** The same of a process and its children, by process: a child that has ended in between is left out of a difference. */
const processorByProcess = (pid: number): ReadonlyMap<number, number> =>
  new Map([pid, ...childrenOf(pid)].map((each) => [each, processorMicros(each)]))

/** Starts to count the processor time of the processes. The returned function returns the microseconds since then. */
export const stopwatch = (pids: ReadonlyArray<number>) => {
  const before = pids.map((pid) => processorByProcess(pid))
  return () =>
    pids.reduce((total, pid, index) => {
      const started = before[index]
      let used = 0
      for (const [each, micros] of processorByProcess(pid)) used += micros - (started?.get(each) ?? 0)
      return total + used
    }, 0)
}

const status = (pid: number, field: string) => {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, "mu").exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return Number(found?.[1]) / 1024
}

/** Mebibytes that a process holds in memory now. */
export const residentNow = (pid: number): number => status(pid, "VmRSS")

/** The most mebibytes that it has held in memory since it started. */
export const residentPeak = (pid: number): number => status(pid, "VmHWM")
