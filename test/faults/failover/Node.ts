/** One server of PostgreSQL of the cluster, and what may happen to its machine. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Running, signalAll, sleep, withDescendants } from "./Processes.ts"

/** A server of PostgreSQL with its Patroni. */
export interface Node {
  readonly name: string
  /** The address of its PostgreSQL, as superuser. */
  readonly url: string
  /** Starts its Patroni, which starts PostgreSQL, first as a standby if there is a primary. */
  readonly start: () => void
  /** Ends all its processes at once, as a power failure does. */
  readonly kill: () => void
  /** Stops all its processes in their places; its connections stay open. */
  readonly freeze: () => void
  /** Continues all its processes. */
  readonly thaw: () => void
  /** Ends the first process of PostgreSQL only. */
  readonly killPostmaster: () => void
  /** Ends Patroni, and then PostgreSQL, which frees its shared memory. */
  readonly stop: () => Promise<void>
  /** Whether its Patroni reports this role: the primary that holds the lock, or the standby that commits wait for. */
  readonly is: (role: "primary" | "synchronous") => Promise<boolean>
}

/** The first process of PostgreSQL while it runs. Its file stays after a crash, when another program may have the number. */
const postmasterOf = (data: string) => {
  const file = join(data, "postmaster.pid")
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, "utf8").split("\n")[0])
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(data) ? pid : undefined
  } catch {
    return undefined
  }
}

/** The server whose files are in the directory `data` and whose Patroni `launch` starts. */
export const makeNode = (options: {
  readonly name: string
  readonly url: string
  /** The port of its Patroni's REST interface. */
  readonly rest: number
  readonly data: string
  readonly launch: () => Running
}): Node => {
  const { data, launch, name, rest, url } = options
  let patroni: Running | undefined
  const all = () =>
    withDescendants([patroni?.pid, postmasterOf(data)].filter((pid): pid is number => pid !== undefined))
  const signal = (name: NodeJS.Signals) => {
    // Twice, for a process that was started between the listing and the signal.
    signalAll(all(), name)
    signalAll(all(), name)
  }
  return {
    name,
    url,
    start: () => {
      patroni = launch()
    },
    kill: () => signal("SIGKILL"),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    killPostmaster: () => {
      const pid = postmasterOf(data)
      if (pid !== undefined) signalAll([pid], "SIGKILL")
    },
    stop: async () => {
      signalAll(withDescendants(patroni === undefined ? [] : [patroni.pid]), "SIGKILL")
      signal("SIGCONT")
      const pid = postmasterOf(data)
      if (pid !== undefined) signalAll([pid], "SIGQUIT")
      for (let wait = 0; wait < 100 && postmasterOf(data) !== undefined; wait++) await sleep(50)
      signal("SIGKILL")
    },
    is: async (role) => {
      const path = `http://127.0.0.1:${rest}/${role}`
      const response = await fetch(path, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
      await response?.arrayBuffer()
      return response?.status === 200
    }
  }
}
